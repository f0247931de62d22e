// A function with its schedule, and the arguments of its kernel.
#pragma once

#include <strata/generator.h>
#include <strata/strata.h>

#include <functional>
#include <string>

namespace examples {

using strata::Scheduled;

// The rows of a strip that computes "again" rows of its neighbour a second time, in order to run in
// parallel with it: as many as make that 3 % of the work.
constexpr std::int64_t strip_rows(std::int64_t again) { return 32 * again; }

// Writes FOLDER/NAME.o, FOLDER/NAME.h and FOLDER/NAME.txt, the commands and the loops.
inline void write_kernel(Scheduled kernel, const std::string& folder,
                         const strata::CodegenOptions& options) {
  const std::string stem = folder + "/" + kernel.function.name();
  strata::write_loops({kernel}, stem + ".txt");
  kernel.function.codegen(kernel.arguments, stem + ".o", options);
}

// main() of a generator whose schedule asks machine(), with the parameters of every generator.
inline int generator_main(int argc, char** argv, const std::function<Scheduled()>& schedule,
                          const strata::CodegenOptions& options = {}) {
  return strata::Generator(options).main(argc, argv,
                                         [&](const strata::Machine&) { return schedule(); });
}

}  // namespace examples
