// A function with its schedule, and the arguments of its kernel.
#pragma once

#include <strata/codegen_each.h>
#include <strata/strata.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace examples {

using strata::Scheduled;

// The rows of a strip that computes "again" rows of its neighbour a second time, in order to run in
// parallel with it: as many as make that 3 % of the work.
constexpr std::int64_t strip_rows(std::int64_t again) { return 32 * again; }

// The generator's part of strata_add_library: writes FOLDER/NAME.o and FOLDER/NAME.h, and for
// readers FOLDER/NAME.txt, with the commands given and the resulting loops; for several targets,
// those of each version, in the order of options.target.
inline int generate(const std::vector<Scheduled>& versions, const std::string& folder,
                    const strata::CodegenOptions& options) {
  const std::string stem = folder + "/" + versions.at(0).function.name();
  std::ofstream text(stem + ".txt");
  for (const Scheduled& version : versions) {
    text << "commands:\n";
    for (const std::string& command : version.function.history()) text << "  " << command << "\n";
    text << "loops:\n" << version.function.loops(version.arguments);
  }
  std::size_t next = 0;
  if (versions.size() == 1)
    strata::Function(versions[0].function).codegen(versions[0].arguments, stem + ".o", options);
  else
    strata::codegen_each([&](const strata::Machine&) { return versions.at(next++); }, stem + ".o",
                         options);
  return text.good() ? 0 : 1;
}

// The parameters of a generator: target=NAME, the machine for which the schedule is made and the
// kernel compiled, in the words of strata::machine, or a list of them; and assembly=yes, which also
// writes FOLDER/NAME.s.
struct Parameters {
  strata::CodegenOptions options;
  std::vector<std::string> targets = {"host"};
  bool assembly = false;

  // False if the parameter is unknown.
  bool read(const std::string& parameter) {
    if (parameter.rfind("target=", 0) == 0) {
      const std::string list = parameter.substr(7);
      targets = strata::targets_in(list);
      if (targets.size() > 1)
        options.target = list;
      else
        schedule_for(list);
    } else if (parameter == "assembly=yes") {
      assembly = true;
    } else {
      return false;
    }
    return true;
  }

  // The machine that machine() returns from now on.
  static void schedule_for(const std::string& target) {
    if (target == "host")
      ::unsetenv("STRATA_MACHINE");
    else
      ::setenv("STRATA_MACHINE", target.c_str(), 1);
  }
};

// main() of a generator: `NAME_generator FOLDER [target=NAME,..] [assembly=yes]`.
template <typename Schedule>
int generator_main(int argc, char** argv, Schedule schedule,
                   const strata::CodegenOptions& options = {}) try {
  Parameters parameters{options};
  bool known = argc >= 2;
  for (int n = 2; n < argc; ++n) known = parameters.read(argv[n]) && known;
  if (!known) {
    std::fprintf(stderr, "usage: %s FOLDER [target=NAME,..] [assembly=yes]\n", argv[0]);
    return 2;
  }
  std::vector<std::string> cpus;
  for (const std::string& target : parameters.targets)
    cpus.push_back(strata::machine(target).cpu);
  std::vector<Scheduled> versions;
  for (const std::string& cpu : cpus) {
    if (cpus.size() > 1) Parameters::schedule_for(cpu);
    versions.push_back(schedule());
  }
  if (cpus.size() > 1) ::unsetenv("STRATA_MACHINE");
  if (parameters.assembly)
    parameters.options.assembly = argv[1] + ("/" + versions[0].function.name()) + ".s";
  return generate(versions, argv[1], parameters.options);
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace examples
