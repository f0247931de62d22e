// A function with its schedule, and the arguments of its kernel.
#pragma once

#include <strata/strata.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace examples {

struct Scheduled {
  strata::Function function;
  std::vector<strata::Buffer> arguments;
};

// The generator's part of strata_add_library: writes FOLDER/NAME.o and FOLDER/NAME.h, and for
// readers FOLDER/NAME.txt, with the commands given and the resulting loops.
inline int generate(const Scheduled& scheduled, const std::string& folder,
                    const strata::CodegenOptions& options = {}) {
  strata::Function function = scheduled.function;
  const std::string stem = folder + "/" + function.name();
  std::ofstream text(stem + ".txt");
  text << "commands:\n";
  for (const std::string& command : function.history()) text << "  " << command << "\n";
  text << "loops:\n" << function.loops(scheduled.arguments);
  function.codegen(scheduled.arguments, stem + ".o", options);
  return text.good() ? 0 : 1;
}

// main() of a generator: `NAME_generator FOLDER`.
template <typename Schedule>
int generator_main(int argc, char** argv, Schedule schedule,
                   const strata::CodegenOptions& options = {}) try {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  return generate(schedule(), argv[1], options);
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace examples
