// Remarks on programs made with the front end: what the tests of all kinds need.
#pragma once

#include <strata/strata.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "codegen/lower.h"
#include "codegen/remarks/remarks.h"
#include "schedule/finish.h"
#include "schedule/table/replay.h"

namespace strata::test {

inline Kernel kernel_of(const Program& program, const std::vector<std::string>& arguments) {
  LowerOptions options;
  options.arguments = arguments;
  return lower(finished(program, arguments, {}), options);
}

// The kernel after a command, if it is legal.
inline KernelAfter trying(const Program& program, const std::vector<std::string>& arguments) {
  return [&program, arguments](const std::string& command) -> std::optional<Kernel> {
    try {
      return kernel_of(replayed(program, command, {}), arguments);
    } catch (const Error&) {
      return std::nullopt;
    }
  };
}

// The remarks on a function, on a machine with 16 registers of 32 bytes, two multiply-adds and two
// loads a cycle, for sizes of 1000 or the given ones.
inline Remarks remarks_on(const Function& f, const std::vector<std::string>& arguments,
                          const Values& sizes = {}) {
  const RemarkOptions asked{machine("x86-64-v3"), sizes, trying(f.program(), arguments)};
  return remarks(kernel_of(f.program(), arguments), *f.program().algorithm, asked);
}

// Those of one kind.
inline Remarks remarks_of(const std::string& kind, const Function& f,
                          const std::vector<std::string>& arguments, const Values& sizes = {}) {
  Remarks all = remarks_on(f, arguments, sizes);
  std::erase_if(all, [&](const Remark& r) { return r.kind != kind; });
  return all;
}

// The only remark of a kind, on this computation and loop.
inline Remark only_remark(const std::string& kind, const Function& f,
                          const std::vector<std::string>& arguments, const std::string& computation,
                          const std::string& loop, const Values& sizes = {}) {
  const Remarks all = remarks_of(kind, f, arguments, sizes);
  REQUIRE(all.size() == 1);
  CHECK(all[0].computation == computation);
  CHECK(all[0].loop == loop);
  return all[0];
}

}  // namespace strata::test
