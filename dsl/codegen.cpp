// Function: code generation from the current program.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>

#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/profile_text.h"
#include "codegen/lower.h"
#include "dsl/author.h"
#include "dsl/kernel.h"
#include "dsl/remarks.h"
#include "dsl/versions.h"
#include "layers/flow/communication.h"
#include "layers/text/text.h"
#include "schedule/finish.h"

namespace strata {

namespace {

// An unknown target is refused when the kernel is compiled.
Masks masks_for(const std::string& target) {
  try {
    return masks_of(machine(target));
  } catch (const Error&) {
    return Masks::none;
  }
}

Kernel new_kernel(const FunctionState& state, const std::vector<std::string>& names,
                  const CodegenOptions& options, Masks masks, StageRun& stages,
                  const Request& request) {
  const Given given{request.where, Check::now};
  return guarded(request.text, request.where, [&] {
    Program ready;
    stages.timed("program", "finish", [&] {
      ready = finished(state.program, names, given);
      if (options.floats == Floats::exact) require_sums_in_order(ready, names, given);
    });
    return lower(
        ready, {names, options.floats, request, state.code_limit, options.profile, masks}, stages);
  });
}

void print_notes(FunctionState& state, const CodegenOptions& options) {
  if (!options.print_notes || state.notes_printed) return;
  state.notes_printed = true;
  for (const std::string& note : state.notes) std::fprintf(stderr, "%s\n", note.c_str());
}

std::string header_beside(const std::string& object) {
  const auto dot = object.rfind('.');
  const bool extension = dot != std::string::npos && object.find('/', dot) == std::string::npos;
  return (extension ? object.substr(0, dot) : object) + ".h";
}

// Runs "act"; back end errors without a location get the author's line.
template <typename Act>
auto at_authors_line(const std::string& name, const Where& where, Act act) {
  try {
    return act();
  } catch (const Error& e) {
    Refusal refusal = e.refusal();
    if (!refusal.where.file.empty()) throw;
    refusal.command = "codegen(" + name + ")";
    refusal.where = where;
    throw Error(refusal);
  }
}

Outputs outputs_of(const std::string& object, const CodegenOptions& options) {
  return {object, options.header.empty() ? header_beside(object) : options.header, options.assembly,
          ""};
}

// E0502 if the program calls a C function of which neither "functions" nor this process knows the
// address.
void require_functions(const Program& program, const std::map<std::string, void*>& functions,
                       const Request& request) {
  const auto check = [&](const Expr& e) {
    if (e.op() != Op::call || functions.count(e.name()) || dlsym(RTLD_DEFAULT, e.name().c_str()))
      return;
    throw request.refused(Code::E0502_code_generation_failed,
                          "the address of the C function " + e.name() + " is not known",
                          "give it to jit() in CodegenOptions::functions, or link a library that "
                          "has the function");
  };
  for (const Definition& d : program.algorithm->definitions)
    for_each_expression(d, [&](const Expr& value) { visit(value, check); });
}

}  // namespace

std::vector<std::string> names_of(const Program& program, const std::vector<Buffer>& arguments,
                                  const Request& request) {
  std::vector<std::string> names;
  for (const Buffer& argument : arguments)
    names.push_back(Author::name_of(argument, program, request));
  return names;
}

const Kernel& kernel_of(FunctionState& state, const std::vector<Buffer>& arguments,
                        const CodegenOptions& options, StageRun& stages, const Where& where) {
  const Request request{"codegen(" + state.program.name + ")", where};
  const std::vector<std::string> names = names_of(state.program, arguments, request);
  const Masks masks = masks_for(options.target);
  if (!state.last || state.last->arguments != names || state.last->floats != options.floats ||
      state.last->masks != masks || state.last->kernel.profiled != options.profile)
    state.last = LastKernel{names, options.floats, masks,
                            new_kernel(state, names, options, masks, stages, request)};
  return state.last->kernel;
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
  const std::string name = made[0].scheduled.function.name();
  FunctionState& first = Author::state(made[0].scheduled.function);
  print_notes(first, options);
  StageRun stages(name);
  std::vector<Version> versions;
  for (const auto& [target, scheduled] : made) {
    FunctionState& state = Author::state(scheduled.function);
    CodegenOptions single = options;
    if (made.size() > 1) single.target = target;  // a single one may be a machine's file
    versions.push_back({target, {kernel_of(state, scheduled.arguments, single, stages, where)}});
    const Request request{"codegen(" + state.program.name + ")", where};
    print_remarks(state, versions.back().kernels[0],
                  names_of(state.program, scheduled.arguments, request), single.target, request);
  }
  at_authors_line(name, where, [&] { compile(versions, outputs_of(object, options), stages); });
  return stages.times();
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
  const Request request{"jit(" + name() + ")", where};
  require_functions(program(), options.functions, {"codegen(" + name() + ")", where});
  print_notes(*state_, options);
  const Kernel kernel = kernel_of(*state_, arguments, options, stages, where);
  if (!kernel.partitions.empty())
    throw request.refused(Code::E0402_not_on_ranks,
                          "a kernel on several ranks does not run in process yet",
                          "write it with codegen, and call it from a program that mpirun starts");
  print_remarks(*state_, kernel, names_of(program(), arguments, request), "host", request);
  JitFunction function;
  function.kernel_ = at_authors_line(name(), where, [&] {
    return std::make_shared<const JitKernel>(kernel, stages, options.functions, options.target);
  });
  function.name_ = name();
  function.profiled_ = options.profile;
  if (times) *times = stages.times();
  return function;
}

std::string JitFunction::profile(const Where& where) const {
  const Request request{"profile(" + name_ + ")", where};
  if (!profiled_)
    throw request.refused(Code::E0106_bad_argument,
                          (name_.empty() ? "this JitFunction" : name_) +
                              " was compiled without a profile",
                          "give jit() the option profile");
  return profile_text(name_, request);
}

std::string JitFunction::saved() const {
  return kernel_ && !profiled_ ? static_cast<const JitKernel*>(kernel_.get())->saved() : "";
}

std::optional<JitFunction> JitFunction::find_saved(const std::string& saved,
                                                   const std::map<std::string, void*>& functions) {
  auto kernel = JitKernel::find_saved(saved, functions);
  if (!kernel) return std::nullopt;
  JitFunction function;
  function.kernel_ = std::make_shared<const JitKernel>(*std::move(kernel));
  return function;
}

const std::string& JitFunction::code_kind() { return strata::code_kind(); }

int JitFunction::operator()(const std::vector<std::int64_t>& parameters,
                            const std::vector<halide_buffer_t*>& buffers,
                            const Where& where) const {
  return (*this)(parameters, {}, buffers, where);
}

int JitFunction::operator()(const std::vector<std::int64_t>& parameters,
                            const std::vector<ScalarValue>& scalars,
                            const std::vector<halide_buffer_t*>& buffers,
                            const Where& where) const {
  if (!kernel_)
    throw Request{"a call of a JitFunction", where}.refused(
        Code::E0106_bad_argument, "this JitFunction has no kernel", "make it with jit()");
  return static_cast<const JitKernel*>(kernel_.get())->call(parameters, scalars, buffers);
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
  return placed_remarks(*state_, kernel_of(*state_, arguments, {}, stages, where),
                        names_of(program(), arguments, request), {machine(), sizes}, where);
}

std::string Function::loops(const std::vector<Buffer>& arguments, const Where& where) const {
  StageRun stages(name());
  return to_c_text(kernel_of(*state_, arguments, {}, stages, where));
}

}  // namespace strata
