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

// A step is a command, or all consecutive commands on one computation.
enum class Grain { command, computation };

// A kernel after "commands" and those of earlier steps.
struct Step {
  std::string commands;
  strata::JitFunction kernel;
};

// "tile(by.k, by.w, ..)" -> "by"
inline std::string computation_of(const std::string& command) {
  const std::size_t first = command.find('(') + 1;
  return command.substr(first, command.find_first_of(".,)", first) - first);
}

// The history of a schedule, in steps.
inline std::vector<std::string> grouped(const std::vector<std::string>& history, Grain grain) {
  std::vector<std::string> groups;
  std::string last;
  for (const std::string& command : history) {
    const std::string now = computation_of(command);
    if (grain == Grain::computation && now == last)
      groups.back() += "\n" + command;
    else
      groups.push_back(command);
    last = now;
  }
  return groups;
}

// "unscheduled" makes the algorithm without commands, "scheduled" is the same with all of them.
inline std::vector<Step> steps(const std::function<Scheduled()>& unscheduled,
                               const Scheduled& scheduled, Grain grain) {
  std::vector<Step> result;
  std::string commands;
  const auto add = [&](const std::string& last) {
    const Scheduled part = unscheduled();
    strata::Function function = part.function;
    function.replay(commands);
    result.push_back({last, function.jit(part.arguments)});
  };
  add("as written, without commands");
  for (const std::string& group : grouped(scheduled.function.history(), grain)) {
    commands += group + "\n";
    add(group);
  }
  return result;
}

// "a\nb" -> "`a` `b`"
inline std::string in_a_table(const std::string& lines) {
  std::string text = "`";
  for (const char c : lines) text += c == '\n' ? "` `" : std::string(1, c);
  return text + "`";
}

// Prints, as rows of a table, the time of "plain", plain C by gcc -O3, of every step on one thread,
// and of "kernel", the generator's, on one and two. Returns the exit status of a demo: 0, or 1 if
// "right" says of any kernel that its result is wrong.
inline int compare_steps(const std::function<Scheduled()>& unscheduled, const Scheduled& scheduled,
                         const std::function<void()>& plain,
                         const std::function<int(const strata::JitFunction&)>& run,
                         const std::function<void()>& kernel, const std::function<bool()>& right,
                         int rounds = 7, Grain grain = Grain::command) try {
  const std::vector<Step> all = steps(unscheduled, scheduled, grain);
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
    names.push_back(in_a_table(step.commands));
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
  std::printf("| after these commands | ms | plain C / this |\n|---|---|---|\n");
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
