// Function: schedules by themselves.
#include <cstdlib>

#include "dsl/author.h"
#include "dsl/automatic.h"

namespace strata {

std::string autoschedule_wish(const Request& request) {
  const char* const text = std::getenv("STRATA_AUTOSCHEDULE");
  const std::string value = text ? text : "";
  if (value.empty() || value == "off" || value == "plain") return value;
  throw request.refused(Code::E0106_bad_argument, "STRATA_AUTOSCHEDULE is \"" + value + "\"",
                        "set it to off or plain, or unset it");
}

AutomaticOptions automatic_options(const Function& f, const Machine& machine,
                                   const AutoscheduleOptions& given, const Request& request) {
  AutomaticOptions options;
  for (const Computation& c : given.leave) {
    if (c.owner() != f.program().algorithm->owner)
      throw request.refused(Code::E0101_unknown_computation,
                            c.name() + " is a computation of another function, " + c.owner()->name,
                            "name computations of " + f.name());
    options.leave.insert(c.name());
  }
  for (const Buffer& buffer : given.arguments) {
    if (buffer.owner() != f.program().algorithm->owner)
      throw request.refused(Code::E0115_unknown_buffer,
                            buffer.name() + " is not a buffer of this function",
                            "name buffers of " + f.name());
    options.arguments.insert(buffer.name());
  }
  if (given.threads < 0)
    throw request.refused(Code::E0106_bad_argument,
                          "the number of threads is " + std::to_string(given.threads),
                          "give 1 or more, or 0 for all cores of the machine");
  options.sizes = given.sizes;
  options.threads = given.threads ? given.threads : machine.cores;
  options.floats = given.floats;
  options.code_limit = Author::state(f).code_limit;
  options.request = request;
  return options;
}

void require_no_group(const Function& f, const Request& request) {
  if (Author::state(f).together)
    throw request.refused(Code::E0106_bad_argument, "this is inside of together",
                          "call it after the group");
}

void take_commands(const Function& f, Program next, const Where& where) {
  FunctionState& state = Author::state(f);
  const Program before = state.program;
  state.take_command(std::move(next));
  state.places.note_definitions(before, state.program, where);
}

Report Function::autoschedule(const Machine& machine, const AutoscheduleOptions& given,
                              const Where& where) {
  const Request request{"autoschedule(" + name() + ")", where};
  require_no_group(*this, request);
  AutomaticOptions options = automatic_options(*this, machine, given, request);
  const std::string wanted = autoschedule_wish(request);
  if (wanted == "off") {
    Report report;
    report.why_unchanged = "STRATA_AUTOSCHEDULE is off";
    return report;
  }
  options.only_plain = wanted == "plain";
  const CpuTimer timer;
  const Program before = program();
  Automatic found =
      guarded(request.text, where, [&] { return autoscheduled(before, machine, options); });
  if (found.report.changed) take_commands(*this, std::move(found.program), where);
  // In the mode exact, codegen asks for more (require_sums_in_order).
  if (found.kernel && options.floats == Floats::fast && !stages_are_watched())
    Author::state(*this).last = std::move(found.kernel);
  timer.report(name(), request.text);
  return std::move(found.report);
}

}  // namespace strata
