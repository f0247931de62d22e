// Remarks on programs made with the front end: what the tests of all kinds need.
#pragma once

#include <strata/strata.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "codegen/lower.h"
#include "codegen/remarks/remarks.h"
#include "schedule/finish.h"

namespace strata::test {

// The remarks on a function, on a machine with 16 registers of 32 bytes, two multiply-adds and two
// loads a cycle, for sizes of 1000.
inline std::vector<Remark> remarks_on(const Function& f,
                                      const std::vector<std::string>& arguments) {
  LowerOptions options;
  options.arguments = arguments;
  const Kernel kernel = lower(finished(f.program(), arguments, {}), options);
  RemarkOptions asked;
  asked.machine = machine("x86-64-v3");
  return remarks(kernel, *f.program().algorithm, asked);
}

// Those of one kind.
inline std::vector<Remark> remarks_of(const std::string& kind, const Function& f,
                                      const std::vector<std::string>& arguments) {
  std::vector<Remark> all = remarks_on(f, arguments);
  std::erase_if(all, [&](const Remark& r) { return r.kind != kind; });
  return all;
}

// The only remark of a kind, on this computation and loop.
inline Remark only_remark(const std::string& kind, const Function& f,
                          const std::vector<std::string>& arguments, const std::string& computation,
                          const std::string& loop) {
  const std::vector<Remark> all = remarks_of(kind, f, arguments);
  REQUIRE(all.size() == 1);
  CHECK(all[0].computation == computation);
  CHECK(all[0].loop == loop);
  return all[0];
}

}  // namespace strata::test
