// What each command of a schedule brings: the kernel after none, the first, the first two .. of its
// commands, compiled in this process and compared with plain C.
#pragma once

#include <strata/runtime.h>
#include <strata/strata.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/common/scheduled.h"
#include "examples/common/timing.h"

namespace examples {

// A kernel after "command" and those before it.
struct Step {
  std::string command;
  strata::JitFunction kernel;
};

// "unscheduled" makes the algorithm without commands, "scheduled" is the same with all of them.
inline std::vector<Step> steps(const std::function<Scheduled()>& unscheduled,
                               const Scheduled& scheduled) {
  std::vector<Step> result;
  std::string commands;
  const auto add = [&](const std::string& last) {
    const Scheduled part = unscheduled();
    strata::Function function = part.function;
    function.replay(commands);
    result.push_back({last, function.jit(part.arguments)});
  };
  add("as written, without commands");
  for (const std::string& command : scheduled.function.history()) {
    commands += command + "\n";
    add(command);
  }
  return result;
}

// Prints, as rows of a table, the time of "plain", plain C by gcc -O3, of every step on one thread,
// and of "kernel", the generator's, on one and two. Returns the exit status of a demo: 0, or 1 if
// "right" says of any kernel that its result is wrong.
inline int compare_steps(const std::function<Scheduled()>& unscheduled, const Scheduled& scheduled,
                         const std::function<void()>& plain,
                         const std::function<int(const strata::JitFunction&)>& run,
                         const std::function<void()>& kernel, const std::function<bool()>& right,
                         int rounds = 7) try {
  const std::vector<Step> all = steps(unscheduled, scheduled);
  const auto run_step = [&](const Step& step) {
    strata_set_number_of_threads(1);
    if (run(step.kernel) != 0) throw std::runtime_error(strata_last_error());
  };
  plain();
  bool all_right = true;
  std::vector<std::string> names{"plain C"};
  std::vector<std::function<void()>> versions{plain};
  for (const Step& step : all) {
    run_step(step);
    all_right = all_right && right();
    names.push_back("`" + step.command + "`");
    versions.push_back([&] { run_step(step); });
  }
  for (const int threads : {1, 2}) {
    names.push_back("the generator's kernel, threads: " + std::to_string(threads));
    versions.push_back([&kernel, threads] {
      strata_set_number_of_threads(threads);
      kernel();
    });
  }
  const std::vector<double> seconds = interleaved_medians(rounds, versions);
  all_right = all_right && right();
  std::printf("| after this command | ms | plain C / this |\n|---|---|---|\n");
  for (std::size_t v = 0; v < names.size(); ++v)
    std::printf("| %s | %.2f | %.2f |\n", names[v].c_str(), seconds[v] * 1e3,
                seconds[0] / seconds[v]);
  std::printf("the results are %s\n", all_right ? "right" : "WRONG");
  return all_right ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

}  // namespace examples
