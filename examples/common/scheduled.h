// A function with its schedule, and the arguments of its kernel.
#pragma once

#include <strata/generator.h>
#include <strata/strata.h>

#include <functional>

namespace examples {

using strata::Scheduled;

// The rows of a strip that computes "again" rows of its neighbour a second time, in order to run in
// parallel with it: as many as make that 3 % of the work.
constexpr std::int64_t strip_rows(std::int64_t again) { return 32 * again; }

// main() of a generator whose schedule asks machine(), with the parameters of every generator.
inline int generator_main(int argc, char** argv, const std::function<Scheduled()>& schedule,
                          const strata::CodegenOptions& options = {}) {
  return strata::Generator(options).main(argc, argv,
                                         [&](const strata::Machine&) { return schedule(); });
}

}  // namespace examples
