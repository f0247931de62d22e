// The harness of every stage from a program to machine code: tables of named stages, and what can
// be watched between them.
//
// Environment variables, read at each run; everything is written to standard error:
//   STRATA_DUMP=NAME    writes the state after the stage of this name, or after every stage ("all")
//   STRATA_TIME=1       writes the CPU milliseconds of each definition, command and stage
//   STRATA_VERIFY=1     checks the state after each stage; E0502 if it breaks a rule
//   STRATA_FUEL=N       runs the first N optional stages of a kernel and skips the others:
//                       bisecting N finds the stage that breaks a result
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace strata {

// True if the environment variable is set, and neither empty nor "0".
bool is_set(const char* variable);

// Does the environment ask for more than the results of stages, or for fewer stages?
bool stages_are_watched();

// The CPU seconds of this process since the timer was made.
class CpuTimer {
 public:
  CpuTimer();
  double seconds() const;
  // Writes the time to standard error, as report_time.
  void report(const std::string& kernel, const std::string& what) const;

 private:
  double start_;
};

// Writes a time to standard error if STRATA_TIME asks for it.
void report_time(const std::string& kernel, const std::string& what, double seconds);

struct StageTime {
  std::string part;   // "program", "loops" or "machine code"
  std::string stage;  // a name of the part's table
  double seconds;     // of CPU
};
using StageTimes = std::vector<StageTime>;

// The seconds of all stages of a part.
double seconds_of(const StageTimes& times, const std::string& part);

template <typename State>
struct Stage {
  const char* name;
  std::function<State(State)> run;
  const char* why;        // the reason for its position
  bool optional = false;  // without it the code is right, but slower or larger
};

// How a state is printed and verified; both may be null.
template <typename State>
struct Watch {
  std::function<void(const State&, std::ostream&)> print;
  // Throws E0502, naming the stage, if the state breaks a rule.
  std::function<void(const State&, const std::string& stage)> verify;
};

// Runs the stages of one kernel, part by part, and records their times.
class StageRun {
 public:
  explicit StageRun(std::string kernel);

  // Runs the stages of one part in the order of the table; returns the last state.
  template <typename State>
  State run(const std::string& part, const std::vector<Stage<State>>& table, State state,
            const Watch<State>& watch) {
    for (const Stage<State>& stage : table) state = run(part, stage, std::move(state), watch);
    return state;
  }

  // Runs a stage, unless it is optional and there is no fuel, and looks at what it leaves. A stage
  // may run tables of others: its time is without theirs.
  template <typename State>
  State run(const std::string& part, const Stage<State>& stage, State state,
            const Watch<State>& watch) {
    if (stage.optional && !take_fuel()) return state;
    timed(part, stage.name, [&] { state = stage.run(std::move(state)); });
    if (watch.print && is_dumped(stage.name)) watch.print(state, heading(stage.name));
    if (watch.verify && is_set("STRATA_VERIFY")) watch.verify(state, stage.name);
    return state;
  }

  const StageTimes& times() const { return times_; }

 private:
  void timed(const std::string& part, const std::string& stage, const std::function<void()>& work);
  bool take_fuel();
  bool is_dumped(const std::string& stage) const;
  // Standard error, after a line that names kernel and stage.
  std::ostream& heading(const std::string& stage) const;

  std::string kernel_;
  StageTimes times_;
  double inside_ = 0;  // seconds of the stages inside of the one that runs
  long fuel_;          // optional stages that may still run
};

}  // namespace strata
