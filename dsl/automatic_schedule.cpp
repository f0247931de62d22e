#include "dsl/automatic_schedule.h"

#include <algorithm>
#include <set>

#include "dsl/author.h"
#include "schedule/table/command_text.h"
#include "schedule/table/replay.h"

namespace strata {

namespace {

// E0106 if the algorithm does not have the array.
void require_array(const Algorithm& algorithm, const std::string& array) {
  const auto defines = [&](const Definition& d) { return d.array == array; };
  if (algorithm.find_input(array) ||
      std::any_of(algorithm.definitions.begin(), algorithm.definitions.end(), defines))
    return;
  throw Request{"schedule=automatic", {}}.refused(
      Code::E0106_bad_argument, array + " is computed by a definition that follows a command",
      "make all definitions before the first command of the schedule");
}

// The lines of the history that place an array of an argument.
std::string places_of_arguments(const Scheduled& scheduled, const Algorithm& algorithm) {
  const Program& program = scheduled.function.program();
  std::set<std::string> arguments;
  for (const Buffer& buffer : scheduled.arguments) {
    for (const std::string& array : arrays_in(program.layout, buffer.name()))
      require_array(algorithm, array);
    arguments.insert(buffer.name());
  }
  std::string kept;
  for (const std::string& line : scheduled.function.history()) {
    if (line == group_begin || line == group_end) continue;
    const Command command = parse_command(line, *program.algorithm);
    if (command.name != "store_in" && command.name != "set_size") continue;
    const auto* array = std::get_if<std::string>(&command.operands.at(0).value());
    if (array && arguments.count(buffer_of(program.layout, *array))) kept += line + "\n";
  }
  return kept;
}

}  // namespace

Report schedule_automatically(Scheduled& scheduled, const Machine& machine) {
  FunctionState& state = Author::state(scheduled.function);
  if (state.unscheduled) {
    const Program& algorithm = *state.unscheduled;
    state.take(replayed(algorithm, places_of_arguments(scheduled, *algorithm.algorithm), {}));
    state.places.commands.clear();
  }
  AutoscheduleOptions options;
  options.arguments = scheduled.arguments;
  options.sizes = scheduled.sizes;
  return scheduled.function.autoschedule(machine, options);
}

}  // namespace strata
