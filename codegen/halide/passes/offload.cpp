#include "codegen/halide/passes/offload.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "codegen/device/marker_calls.h"
#include "codegen/halide/arithmetic/asynchronous_copies.h"
#include "codegen/halide/arithmetic/atomic_steps.h"
#include "codegen/halide/arithmetic/large_values.h"
#include "codegen/halide/launch_name.h"
#include "codegen/halide/offload_mark.h"
#include "codegen/halide/passes/warp_steps.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

bool is_mark(const HStmt& s) {
  const auto* evaluate = s.as<hi::Evaluate>();
  const auto* call = evaluate ? evaluate->value.as<hi::Call>() : nullptr;
  return call && call->name == offload_mark;
}

bool is_run(const std::string& function) {
  return function.starts_with("halide_") && function.ends_with("_run");
}

// Halide's own assertions return an error code of Halide's runtime. Here they get the code and the
// message of a failed launch or device.
class Failures : public hi::IRMutator {
 public:
  explicit Failures(const std::string& kernel) : kernel_(kernel) {}

 private:
  using IRMutator::visit;
  HStmt visit(const hi::LetStmt* op) override {
    const auto* call = op->value.as<hi::Call>();
    if (call && is_run(call->name)) launches_.insert(op->name);
    if (call && call->name.starts_with("strata_")) ours_.insert(op->name);
    return IRMutator::visit(op);
  }
  HStmt visit(const hi::AssertStmt* op) override {
    const auto* code = op->message.as<hi::Variable>();
    if (!code || ours_.count(code->name)) return IRMutator::visit(op);
    const std::string failed =
        launches_.count(code->name) ? "strata_launch_failed" : "strata_device_failed";
    return hi::AssertStmt::make(
        op->condition,
        hi::Call::make(Halide::Int(32), failed, {HExpr(kernel_), op->message}, hi::Call::Extern));
  }
  std::string kernel_;
  std::set<std::string> launches_, ours_;  // the names of codes of launches, and of Strata's
};

// The code as devices need it. This shows what was hidden only from passes. It gives branches to
// loads under a condition; until here they have predicates, since a pass that shares a load would
// take it out of its branch. It makes float64 constants from their bits, since Halide 21 writes
// them as float32 in OpenCL. Comparisons of vectors become those that OpenCL knows: no later pass
// can mistake them for comparisons of numbers without NaN.
class Shown : public hi::IRMutator {
 public:
  explicit Shown(bool opencl) : opencl_(opencl) {}

 private:
  using IRMutator::visit;
  HExpr visit(const hi::FloatImm* op) override {
    const bool is_short = op->type.bits() < 64 || double(float(op->value)) == op->value;
    if (is_short) return op;
    const auto bits = std::bit_cast<std::uint64_t>(op->value);
    return hi::Reinterpret::make(op->type, hi::UIntImm::make(Halide::UInt(64), bits));
  }
  HExpr visit(const hi::Call* op) override {
    if (op->name == hiding) return mutate(op->args[0]);
    if (opencl_ && op->type.is_vector()) {
      if (op->is_intrinsic(hi::Call::strict_eq)) return compared<hi::EQ>(op);
      if (op->is_intrinsic(hi::Call::strict_lt)) return compared<hi::LT>(op);
    }
    return IRMutator::visit(op);
  }
  HExpr visit(const hi::Load* op) override {
    if (hi::is_const_one(op->predicate) || op->type.is_vector()) return IRMutator::visit(op);
    const HExpr all = hi::Load::make(op->type, op->name, mutate(op->index), op->image, op->param,
                                     hi::const_true(), op->alignment);
    return hi::Call::make(op->type, hi::Call::if_then_else,
                          {mutate(op->predicate), all, hi::make_zero(op->type)},
                          hi::Call::PureIntrinsic);
  }
  template <typename Comparison>
  HExpr compared(const hi::Call* op) {
    return Comparison::make(mutate(op->args[0]), mutate(op->args[1]));
  }
  const bool opencl_;
};

class Offload : public hi::IRMutator {
 public:
  Offload(const std::string& kernel, const Halide::Target& target)
      : kernel_(kernel), target_(target) {}

 private:
  using IRMutator::visit;
  HStmt visit(const hi::Block* op) override {
    if (!is_mark(op->first)) return IRMutator::visit(op);
    Shown shown(target_.has_feature(Halide::Target::OpenCL));
    return Failures(kernel_).mutate(
        hi::inject_gpu_offload(launches(shown.mutate(op->rest)), target_));
  }
  HStmt launches(const HStmt& statement) const {
    const HStmt all = with_atomics(with_warp_steps(statement));
    return has_asynchronous_copies(target_) ? with_asynchronous_copies(all) : all;
  }
  std::string kernel_;
  const Halide::Target& target_;
};

// Gives the kernels of a statement, in its order, names that depend on the statement alone.
class Kernels : public hi::IRMutator {
 public:
  explicit Kernels(const std::string& kernel) : kernel_(kernel) {}
  std::vector<device::DeviceKernel> found;

 private:
  using IRMutator::visit;
  HExpr visit(const hi::Call* op) override {
    // run(state, name, blocks x, y, z, threads x, y, z, ..)
    constexpr std::size_t name_at = 1, threads_at = 5;
    if (!is_run(op->name)) return IRMutator::visit(op);
    device::DeviceKernel one{op->args[name_at].as<hi::StringImm>()->value,
                             kernel_ + "_launch_" + std::to_string(found.size()),
                             {1, 1, 1},
                             0};
    one.min_blocks = min_blocks_of(one.name);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const auto threads = hi::as_const_int(op->args[threads_at + axis]))
        one.threads[axis] = int(*threads);
    std::vector<HExpr> arguments = op->args;
    arguments[name_at] = hi::StringImm::make(one.renamed);
    found.push_back(std::move(one));
    return hi::Call::make(op->type, op->name, arguments, op->call_type);
  }
  std::string kernel_;
};

// Collects the buffers that a statement holds, among them the text of the kernels, and gives them
// names that begin with the kernel's.
class Images : public hi::IRMutator {
 public:
  Images(const std::string& kernel, const std::vector<device::DeviceKernel>& kernels,
         const Halide::Target& target, const DeviceText& wanted)
      : kernel_(kernel), kernels_(kernels), target_(target), wanted_(wanted) {}
  std::vector<Halide::Buffer<>> all() const {
    std::vector<Halide::Buffer<>> list;
    for (const auto& [name, image] : images_) list.push_back(image);
    return list;
  }

 private:
  using IRMutator::visit;
  HExpr visit(const hi::Variable* op) override {
    if (!op->image.defined()) return op;
    const std::string stem = op->image.name();
    auto [known, is_new] = images_.emplace(stem, Halide::Buffer<>());
    if (is_new) known->second = copied(op->image, stem);
    const std::string suffix = op->name.substr(stem.size());
    return hi::Variable::make(op->type, known->second.name() + suffix, known->second, op->param,
                              op->reduction_domain);
  }

  // initialize_kernels(state, text, size)
  HExpr visit(const hi::Call* op) override {
    constexpr std::size_t size_at = 2;
    const HExpr call = IRMutator::visit(op);
    if (!op->name.ends_with("_initialize_kernels")) return call;
    std::vector<HExpr> arguments = call.as<hi::Call>()->args;
    arguments[size_at] = hi::make_const(arguments[size_at].type(), size_of_text_);
    return hi::Call::make(op->type, op->name, arguments, op->call_type);
  }

  Halide::Buffer<> copied(const Halide::Buffer<>& image, const std::string& stem) {
    const std::string name = kernel_ + "." + stem;
    if (stem.find("source") == std::string::npos)
      return Halide::Buffer<>(image.get()->copy(), name);
    std::string text(static_cast<const char*>(image.data()), image.size_in_bytes());
    for (const device::DeviceKernel& kernel : kernels_) text = device::with_kernel(text, kernel);
    text = device::with_single_looks(text, kernel_);
    if (target_.has_feature(Halide::Target::CUDA))
      text = device::with_capability(device::with_instructions(text, kernel_), wanted_.capability);
    if (target_.has_feature(Halide::Target::OpenCL))
      text = device::with_constant_buffers(device::with_canonical_numbers(text), wanted_.constants);
    if (wanted_.exact) text = device::with_nothing_joined(text);
    size_of_text_ = static_cast<std::int64_t>(text.size());
    Halide::Buffer<std::uint8_t> made(std::vector<int>{static_cast<int>(text.size())}, name);
    std::copy(text.begin(), text.end(), made.begin());
    return made;
  }

  std::string kernel_;
  const std::vector<device::DeviceKernel>& kernels_;
  const Halide::Target& target_;
  const DeviceText& wanted_;
  std::map<std::string, Halide::Buffer<>> images_;
  std::int64_t size_of_text_ = 0;
};

}  // namespace

std::vector<Halide::Buffer<>> offload(HStmt& body, const std::string& kernel,
                                      const Halide::Target& target, const DeviceText& text) {
  body = Offload(kernel, target).mutate(body);
  Kernels kernels(kernel);
  body = kernels.mutate(body);
  Images images(kernel, kernels.found, target, text);
  body = images.mutate(body);
  return images.all();
}

}  // namespace strata::halide
