// Function: code generation from the current program.
#include <algorithm>

#include "driver/back_end.h"
#include "driver/guard.h"
#include "driver/in_process.h"
#include "driver/kernel.h"
#include "driver/object.h"
#include "driver/remarks.h"
#include "dsl/author.h"
#include "dsl/kernel.h"
#include "dsl/versions.h"
#include "layers/flow/communication.h"
#include "layers/text/text.h"
#include "schedule/finish.h"

namespace strata {

std::vector<std::string> names_of(const Program& program, const std::vector<Buffer>& arguments,
                                  const Request& request) {
  std::vector<std::string> names;
  for (const Buffer& argument : arguments)
    names.push_back(Author::name_of(argument, program, request));
  return names;
}

StageTimes Function::codegen(const std::vector<Buffer>& arguments, const std::string& object,
                             const CodegenOptions& options, const Where& where) {
  std::vector<ForTarget> made;
  at_authors_line(name(), where, [&] {
    for (const std::string& target : single_targets(options.target))
      made.push_back({target, {*this, arguments}});
  });
  return codegen_versions(made, object, options, where);
}

std::vector<ForTarget> scheduled_for(const std::string& list, const ScheduleFor& schedule,
                                     const std::string& name, const Where& where) {
  const auto targets = at_authors_line(name, where, [&] { return single_targets(list); });
  std::vector<ForTarget> made;
  for (const std::string& target : targets) {
    // A single target may be a machine's file, of which "targets" has only what the compiler needs.
    const std::string& named = targets.size() == 1 ? list : target;
    const Machine m = at_authors_line(name, where, [&] { return machine(named); });
    made.push_back({target, schedule(named, m)});
  }
  return made;
}

StageTimes codegen_versions(const std::vector<ForTarget>& made, const std::string& object,
                            const CodegenOptions& options, const Where& where) {
  std::vector<UnitFor> versions;
  for (const auto& [target, scheduled] : made) {
    FunctionState& state = Author::state(scheduled.function);
    const Request request{"codegen(" + state.program.name + ")", where};
    versions.push_back({target, state, names_of(state.program, scheduled.arguments, request)});
  }
  return write_object(versions, object, options, where);
}

StageTimes codegen_each(const std::function<Scheduled(const Machine&)>& schedule,
                        const std::string& object, const CodegenOptions& options,
                        const Where& where) {
  const auto for_machine = [&](const std::string&, const Machine& m) { return schedule(m); };
  return codegen_versions(scheduled_for(options.target, for_machine, object, where), object,
                          options, where);
}

JitFunction Function::jit(const std::vector<Buffer>& arguments, const CodegenOptions& options,
                          StageTimes* times, const Where& where) {
  StageRun stages(name());
  const Request request{"codegen(" + name() + ")", where};
  JitFunction function;
  function.kernel_ =
      kernel_in_process(*state_, names_of(program(), arguments, request), options, stages, where);
  function.name_ = name();
  function.profiled_ = options.profile;
  if (times) *times = stages.times();
  return function;
}

std::string Function::text() const { return to_text(program()); }

std::string Function::communication(const std::vector<Buffer>& arguments,
                                    const Where& where) const {
  const Request request{"communication(" + name() + ")", where};
  const std::vector<std::string> names = names_of(program(), arguments, request);
  return guarded(request.text, where, [&] {
    const Program ready = finished(program(), names, {where, Check::now});
    return to_text(communication_of(ready));
  });
}

Remarks Function::remarks(const std::vector<Buffer>& arguments,
                          const std::map<std::string, std::int64_t>& sizes,
                          const Where& where) const {
  StageRun stages(name());
  const Request request{"remarks(" + name() + ")", where};
  const auto& parameters = program().algorithm->parameters;
  for (const auto& [size, value] : sizes)
    if (std::find(parameters.begin(), parameters.end(), size) == parameters.end())
      throw request.refused(Code::E0106_bad_argument, name() + " has no parameter " + size,
                            "name the parameters whose values are given");
  const std::vector<std::string> names = names_of(program(), arguments, request);
  return placed_remarks(*state_, kernel_of(*state_, names, {}, stages, where), names,
                        {machine(), sizes}, where);
}

std::string Function::to_c(const std::vector<Buffer>& arguments, const CodegenOptions& options,
                           const Where& where) const {
  StageRun stages(name());
  const Request request{"to_c(" + name() + ")", where};
  const Kernel& kernel =
      kernel_of(*state_, names_of(program(), arguments, request), options, stages, where);
  return at_authors_line(name(), where, [&] { return c_of(kernel, options.target); });
}

std::string Function::loops(const std::vector<Buffer>& arguments, const Where& where) const {
  StageRun stages(name());
  const Request request{"loops(" + name() + ")", where};
  return to_c_text(kernel_of(*state_, names_of(program(), arguments, request), {}, stages, where));
}

}  // namespace strata
