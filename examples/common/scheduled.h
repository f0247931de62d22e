// A function with its schedule, and the arguments of its kernel.
#pragma once

#include <strata/strata.h>

#include <cstdio>
#include <cstdlib>
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

// The parameters of a generator: target=NAME, the machine for which the schedule is made and the
// kernel compiled, in the words of strata::machine; and assembly=yes, which also writes
// FOLDER/NAME.s.
struct Parameters {
  strata::CodegenOptions options;
  bool assembly = false;

  // False if the parameter is unknown.
  bool read(const std::string& parameter) {
    if (parameter.rfind("target=", 0) == 0)
      ::setenv("STRATA_MACHINE", parameter.substr(7).c_str(), 1);
    else if (parameter == "assembly=yes")
      assembly = true;
    else
      return false;
    return true;
  }
};

// main() of a generator: `NAME_generator FOLDER [target=NAME] [assembly=yes]`.
template <typename Schedule>
int generator_main(int argc, char** argv, Schedule schedule,
                   const strata::CodegenOptions& options = {}) try {
  Parameters parameters{options};
  bool known = argc >= 2;
  for (int n = 2; n < argc; ++n) known = parameters.read(argv[n]) && known;
  if (!known) {
    std::fprintf(stderr, "usage: %s FOLDER [target=NAME] [assembly=yes]\n", argv[0]);
    return 2;
  }
  const Scheduled scheduled = schedule();
  if (parameters.assembly)
    parameters.options.assembly = argv[1] + ("/" + scheduled.function.name()) + ".s";
  return generate(scheduled, argv[1], parameters.options);
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace examples
