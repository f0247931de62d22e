// Function: from the author's program to code.
#include <chrono>
#include <cstdio>

#include "codegen/halide/product/compile.h"
#include "codegen/lower.h"
#include "dsl/author.h"
#include "layers/flow/communication.h"
#include "layers/text/text.h"
#include "schedule/finish.h"

namespace strata {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<std::string> names_of(const Program& program, const std::vector<Buffer>& arguments,
                                  const Request& request) {
  std::vector<std::string> names;
  for (const Buffer& argument : arguments)
    names.push_back(Author::name_of(argument, program, request));
  return names;
}

Kernel new_kernel(const FunctionState& state, const std::vector<std::string>& names,
                  const CodegenOptions& options, StageSeconds& seconds, const Request& request) {
  const Program& program = state.program;
  const auto floats = options.floats == Floats::exact ? FloatMode::exact : FloatMode::fast;
  const Where& where = request.where;
  return guarded(request.text, where, [&] {
    const auto start = std::chrono::steady_clock::now();
    const CpuTimer timer;
    const Program ready = finished(program, names, {where, Check::now});
    if (options.floats == Floats::exact) require_sums_in_order(ready, names, {where, Check::now});
    seconds.legality = seconds_since(start);
    timer.report(program.name, "finish");
    const CpuTimer timer_of_loops;
    const auto lowering = std::chrono::steady_clock::now();
    Kernel kernel = lower(ready, {names, floats, request, state.code_limit});
    seconds.ast = seconds_since(lowering);
    timer_of_loops.report(program.name, "loops");
    return kernel;
  });
}

// The kernel of the program as it is; the same one for those who ask again.
const Kernel& kernel_of(FunctionState& state, const std::vector<Buffer>& arguments,
                        const CodegenOptions& options, StageSeconds& seconds, const Where& where) {
  const Request request{"codegen(" + state.program.name + ")", where};
  const std::vector<std::string> names = names_of(state.program, arguments, request);
  const auto floats = options.floats == Floats::exact ? FloatMode::exact : FloatMode::fast;
  if (!state.last || state.last->arguments != names || state.last->floats != floats)
    state.last = LastKernel{names, floats, new_kernel(state, names, options, seconds, request)};
  return state.last->kernel;
}

void print_notes(FunctionState& state, const CodegenOptions& options) {
  if (!options.print_notes || state.notes_printed) return;
  state.notes_printed = true;
  for (const std::string& note : state.notes) std::fprintf(stderr, "%s\n", note.c_str());
}

double total(const CompileTimes& times) { return times.emit + times.lower + times.code; }

std::string header_beside(const std::string& object) {
  const auto dot = object.rfind('.');
  const bool extension = dot != std::string::npos && object.find('/', dot) == std::string::npos;
  return (extension ? object.substr(0, dot) : object) + ".h";
}

// An error of the back end, with the author's line where it has none.
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

}  // namespace

StageSeconds Function::codegen(const std::vector<Buffer>& arguments, const std::string& object,
                               const CodegenOptions& options, const Where& where) {
  StageSeconds seconds;
  print_notes(*state_, options);
  const Kernel kernel = kernel_of(*state_, arguments, options, seconds, where);
  Outputs outputs{object, options.header.empty() ? header_beside(object) : options.header,
                  options.assembly, ""};
  const CpuTimer timer;
  seconds.halide = total(
      at_authors_line(name(), where, [&] { return compile({kernel}, options.target, outputs); }));
  timer.report(name(), "machine code");
  return seconds;
}

JitFunction Function::jit(const std::vector<Buffer>& arguments, const CodegenOptions& options,
                          StageSeconds* seconds, const Where& where) {
  StageSeconds own;
  StageSeconds& spent = seconds ? *seconds : own;
  print_notes(*state_, options);
  const Kernel kernel = kernel_of(*state_, arguments, options, spent, where);
  JitFunction function;
  auto compiled =
      at_authors_line(name(), where, [&] { return std::make_shared<const JitKernel>(kernel); });
  spent.halide = total(compiled->times());
  function.kernel_ = compiled;
  return function;
}

int JitFunction::operator()(const std::vector<std::int64_t>& parameters,
                            const std::vector<halide_buffer_t*>& buffers,
                            const Where& where) const {
  if (!kernel_)
    throw Request{"a call of a JitFunction", where}.refused(
        Code::E0106_bad_argument, "there is no kernel in it", "make it with jit()");
  return static_cast<const JitKernel*>(kernel_.get())->call(parameters, buffers);
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

std::string Function::loops(const std::vector<Buffer>& arguments, const Where& where) const {
  StageSeconds seconds;
  return to_c_text(kernel_of(*state_, arguments, {}, seconds, where));
}

}  // namespace strata
