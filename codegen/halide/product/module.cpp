#include "codegen/halide/product/module.h"

#include <algorithm>

#include "codegen/entry/contract.h"
#include "codegen/halide/arithmetic/asynchronous_copies.h"
#include "codegen/halide/arithmetic/matrix_products.h"
#include "codegen/halide/emit/device_buffer.h"
#include "codegen/halide/emit/exchange.h"
#include "codegen/halide/emit/index_reports.h"
#include "codegen/halide/emit/launch.h"
#include "codegen/halide/emit/short_positions.h"
#include "codegen/halide/emit/statement.h"
#include "codegen/halide/entry/device_side.h"
#include "codegen/halide/entry/entry.h"
#include "codegen/halide/entry/team_side.h"
#include "codegen/halide/passes/closures.h"
#include "codegen/halide/passes/fresh_names.h"
#include "codegen/halide/passes/offload.h"
#include "codegen/halide/passes/passes.h"
#include "codegen/halide/product/crash_recovery.h"
#include "codegen/halide/product/llvm_options.h"
#include "codegen/refusal.h"
#include "codegen/tree/touched_sides.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

Abilities abilities_of(const Kernel& kernel, const Halide::Target& target) {
  const bool arm = target.arch == Halide::Target::ARM && target.bits == 64;
  const bool fma =
      arm || target.has_feature(Halide::Target::FMA) || target.has_feature(Halide::Target::AVX2);
  Abilities abilities;
  abilities.fused = kernel.floats == Floats::fast && fma;
  abilities.exact = kernel.floats == Floats::exact;
  abilities.reciprocals = kernel.floats == Floats::fast;
  if (kernel.floats == Floats::fast) abilities.math = vector_math_of(target);
  abilities.machine = machine_of(target);
  abilities.device = device_of(target);
  abilities.asynchronous_copies = has_asynchronous_copies(target);
  abilities.tensor_cores = has_tensor_cores(target);
  if (target.has_feature(Halide::Target::F16C) || target.has_feature(Halide::Target::AVX2))
    abilities.halves = HalfFloats::converted_by_hardware;
  return abilities;
}

Scope scope_on_host_and_device(const Kernel& kernel, const Abilities& abilities, bool dense) {
  Scope scope = scope_of_arguments(kernel, abilities, dense);
  if (has_launches(kernel)) scope.on_device = device_views(kernel, scope, dense);
  return scope;
}

// The arguments in constant memory whose size is known. A resident one is left out: the caller's
// memory may be larger than what the kernel touches.
std::vector<device::ConstantBuffer> constant_buffers(const Kernel& kernel) {
  std::vector<device::ConstantBuffer> all;
  for (const ArgumentBuffer& b : kernel.buffers) {
    std::int64_t size = 0;
    const bool known = b.constant && !b.resident && b.most_elements &&
                       !__builtin_mul_overflow(*b.most_elements, bytes(b.type), &size);
    if (known) all.push_back({hi::c_print_name(symbol_on_device(b.name)), size});
  }
  return all;
}

// Two versions. The first, with vectors, gathers in 32 bits and full tiles, is for buffers whose
// innermost dimension is dense. The other is for any strides and sizes, and for arrays without
// elements that are indexed by data.
HStmt emitted(const Kernel& kernel, const Abilities& abilities) {
  const Scope views = scope_on_host_and_device(kernel, abilities, false);
  Scope dense = scope_on_host_and_device(kernel, abilities, true);
  const std::set<std::string> gathered = buffers_of_short_gathers(kernel.body);
  for (const std::string& name : gathered)
    if (dense.buffers.count(name)) dense.buffers[name].small = true;
  const HExpr filled = have_elements(kernel, dense);
  const HExpr usual = is_dense_on_device(kernel)
                          ? filled
                          : is_dense(kernel) && are_small(kernel, gathered) && filled &&
                                residents_are_aligned(kernel, views);
  HStmt body = emit(kernel.body, dense, kernel.name, Effort::full);
  if (!hi::is_const_one(hi::simplify(usual))) {
    Scope any = views;
    any.arrays_may_be_empty = !hi::is_const_one(filled);
    const StmtPtr& other = kernel.fallback ? kernel.fallback : kernel.body;
    body = hi::IfThenElse::make(usual, body, emit(other, any, kernel.name, Effort::scalar));
  }
  if (has_launches(kernel)) body = with_device_side(kernel, views, body);
  if (kernel.profiled) body = recorded(body, kernel.name, "", HExpr());
  if (is_on_ranks(kernel)) body = with_message_memory(kernel, views, body);
  body = with_checks(kernel, abilities, with_arguments(kernel, body));
  return is_on_ranks(kernel) ? with_block_bounds(kernel, body) : body;
}

}  // namespace

std::vector<hi::LoweredArgument> arguments_of(const Kernel& kernel) {
  using Halide::Argument;
  std::vector<hi::LoweredArgument> list;
  const auto add_handle = [&](const std::string& name) {
    list.emplace_back(name, Argument::InputScalar, Halide::Handle(), 0,
                      Halide::ArgumentEstimates());
  };
  if (is_on_ranks(kernel)) add_handle("team");
  for (const std::string& name : kernel.parameters)
    list.emplace_back(symbol_of_parameter(name), Argument::InputScalar, Halide::Int(64), 0,
                      Halide::ArgumentEstimates());
  for (const ScalarArgument& s : kernel.scalars)
    list.emplace_back(symbol_of_buffer(s.name), Argument::InputScalar, type_in_call(s.type), 0,
                      Halide::ArgumentEstimates());
  for (const KernelPartition& p : kernel.partitions) add_handle(symbol_of_partition(p.name));
  for (const ArgumentBuffer& b : kernel.buffers)
    list.emplace_back(symbol_of_buffer(b.name),
                      b.access == Access::read ? Argument::InputBuffer : Argument::OutputBuffer,
                      HType(type_of_buffer(b.type)), static_cast<int>(b.lowers.size()),
                      Halide::ArgumentEstimates());
  return list;
}

std::vector<HExpr> arguments_in_call(const Kernel& kernel) {
  using hi::Variable;
  std::vector<HExpr> list;
  if (is_on_ranks(kernel)) list.push_back(team());
  for (const std::string& name : kernel.parameters)
    list.push_back(Variable::make(Halide::Int(64), symbol_of_parameter(name)));
  for (const ScalarArgument& s : kernel.scalars)
    list.push_back(Variable::make(type_in_call(s.type), symbol_of_buffer(s.name)));
  for (const KernelPartition& p : kernel.partitions)
    list.push_back(Variable::make(Halide::Handle(), symbol_of_partition(p.name)));
  for (const ArgumentBuffer& b : kernel.buffers)
    list.push_back(
        Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_of_buffer(b.name) + ".buffer"));
  return list;
}

void with_halide_errors(const std::string& what, const std::function<void()>& work) {
  std::optional<std::string> crash;
  try {
    crash = find_crash(work);
  } catch (const Halide::Error& error) {
    throw cannot_generate(what + ": Halide reports: " + error.what());
  }
  if (crash)
    throw cannot_generate(
        what + ": LLVM gives up: " + (crash->empty() ? "it says why on standard error" : *crash));
}

void run_llvm(const std::string& what, const std::function<std::uintmax_t()>& work,
              StageRun& stages) {
  const Stage<std::uintmax_t> stage{"LLVM",
                                    [&](std::uintmax_t bytes) {
                                      const LlvmOptions options;
                                      with_halide_errors(what, [&] { bytes = work(); });
                                      return bytes;
                                    },
                                    "the end"};
  const Watch<std::uintmax_t> watch{
      [](std::uintmax_t bytes, std::ostream& out) { out << bytes << " bytes\n"; }, nullptr};
  stages.run("machine code", stage, {}, watch);
}

namespace {

HStmt emitted_by_stage(const Kernel& kernel, const Halide::Target& target, StageRun& stages) {
  const Stage<HStmt> emit{
      "emit", [&](const HStmt&) { return emitted(kernel, abilities_of(kernel, target)); },
      "Halide's passes work on its statements"};
  return stages.run("machine code", emit, {}, watch_of_statements(kernel.name));
}

// Afterwards launches are calls of the host, and the rules of statements do not hold for them.
std::vector<Halide::Buffer<>> offloaded(HStmt& body, const std::string& kernel,
                                        const Halide::Target& target, const DeviceText& text,
                                        StageRun& stages) {
  std::vector<Halide::Buffer<>> images;
  const Stage<HStmt> stage{"offload",
                           [&](HStmt s) {
                             images = offload(s, kernel, target, text);
                             return s;
                           },
                           "after all passes, which see what devices run"};
  body = stages.run("machine code", stage, body, {watch_of_statements(kernel).print, nullptr});
  return images;
}

}  // namespace

Halide::Module make_module(const std::vector<Kernel>& kernels, const Halide::Target& target,
                           int capability, Callers callers, StageRun& stages,
                           const std::string& suffix) {
  check_contract(kernels);
  Halide::Module module(kernels.empty() ? "empty" : kernels.front().name, target);
  module.set_any_strict_float(true);
  const auto linkage =
      callers == Callers::c ? Halide::LinkageType::External : Halide::LinkageType::ExternalPlusArgv;
  for (const Kernel& kernel : kernels) {
    with_halide_errors("kernel " + kernel.name, [&] {
      align_fresh_names();
      HStmt body = lower(emitted_by_stage(kernel, target, stages), kernel.name, stages);
      if (has_launches(kernel)) {
        const DeviceText text{kernel.floats == Floats::exact, capability, constant_buffers(kernel)};
        for (const Halide::Buffer<>& image : offloaded(body, kernel.name, target, text, stages))
          module.append(image);
      }
      for (const hi::LoweredFunc& closure : split_off_closures(body, kernel.name, target))
        module.append(closure);
      std::string name = kernel.name + suffix;
      if (is_on_ranks(kernel)) {
        const std::string inner = name + ".on_rank";
        module.append(hi::LoweredFunc(inner, arguments_of(kernel), body,
                                      Halide::LinkageType::Internal, Halide::NameMangling::C));
        body = entering_body(kernel, team_call(inner, arguments_in_call(kernel)));
      }
      module.append(
          hi::LoweredFunc(name, arguments_of(kernel), body, linkage, Halide::NameMangling::C));
    });
  }
  align_fresh_names();
  return module;
}

}  // namespace strata::halide
