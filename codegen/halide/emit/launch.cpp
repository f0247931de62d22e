#include "codegen/halide/emit/launch.h"

#include <algorithm>

#include "codegen/halide/launch_name.h"
#include "codegen/halide/refusal.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

HExpr wide(const HExpr& e) { return Halide::cast(Halide::Int(64), e); }

// The first call of a function that only the host has.  Halide's own, such as sqrt_f32, end in
// their type.
class HostCalls : public hi::IRVisitor {
 public:
  std::string found;

 private:
  using IRVisitor::visit;
  void visit(const hi::Call* op) override {
    const bool is_extern =
        op->call_type == hi::Call::Extern || op->call_type == hi::Call::PureExtern;
    const bool of_halide = op->name.ends_with("_f32") || op->name.ends_with("_f64");
    if (is_extern && !of_halide && found.empty()) found = op->name;
    IRVisitor::visit(op);
  }
};

bool holds_launch(const StmtPtr& s) {
  bool found = std::holds_alternative<Launch>(*s);
  for_each_inside(*s, [&](const StmtPtr& part) { found = found || holds_launch(part); });
  return found;
}

std::int64_t most_min_blocks_in(const StmtPtr& s) {
  std::int64_t most = 0;
  for_each_inside(
      *s, [&](const StmtPtr& part) { most = std::max(most, most_min_blocks_in(part)); });
  const auto* loop = std::get_if<For>(s.get());
  return loop ? std::max(most, loop->min_blocks) : most;
}

}  // namespace

HStmt barrier() {
  constexpr std::int32_t device_and_shared = 3;
  return hi::Evaluate::make(hi::Call::make(Halide::Int(32), hi::Call::gpu_thread_barrier,
                                           {HExpr(device_and_shared)}, hi::Call::Intrinsic));
}

bool has_launches(const Kernel& kernel) { return holds_launch(kernel.body); }

void require_device_functions(const std::string& launch, const HStmt& body) {
  HostCalls calls;
  body.accept(&calls);
  if (!calls.found.empty())
    throw cannot_generate("the launch " + launch + " calls " + calls.found +
                          ", a function of the host; compute that outside of the launch");
}

LaunchLoops::LaunchLoops(const Launch& launch, Halide::DeviceAPI api)
    : name_(launch_name(launch.name, most_min_blocks_in(launch.body))),
      threads_(launch.threads),
      api_(api) {}

HExpr LaunchLoops::thread(std::size_t axis) const {
  return hi::Variable::make(Halide::Int(32), name_ + hi::gpu_thread_name(int(axis)));
}

HExpr LaunchLoops::block(std::size_t axis) const {
  return hi::Variable::make(Halide::Int(32), name_ + hi::gpu_block_name(int(axis)));
}

HExpr LaunchLoops::at_zero(std::size_t first_axis) const {
  HExpr all = hi::const_true();
  for (std::size_t axis = first_axis; axis < threads_.size(); ++axis)
    if (threads_[axis] > 1) all = all && thread(axis) == 0;
  return all;
}

HExpr LaunchLoops::step(const For& loop) const {
  const std::size_t axis = axis_of(loop);
  return wide(loop.processor == Processor::block ? block(axis) : thread(axis));
}

HStmt LaunchLoops::in_threads(const For& loop, bool is_outermost, const HStmt& body) const {
  const std::size_t axis = axis_of(loop);
  HExpr runs = is_outermost ? at_zero(axis + 1) : hi::const_true();
  if (*loop.extent < threads_[axis])
    runs = runs && thread(axis) < static_cast<std::int32_t>(*loop.extent);
  return hi::is_const_one(runs) ? body : hi::IfThenElse::make(runs, body);
}

HStmt LaunchLoops::in_first_thread(const HStmt& body) const {
  const HExpr first = at_zero(0);
  return hi::is_const_one(first) ? body : hi::IfThenElse::make(first, body);
}

HStmt LaunchLoops::around(const HStmt& body, const std::vector<HExpr>& grid) const {
  HStmt out = body;
  HExpr any = hi::const_true();
  const auto add = [&](const HExpr& index, const HExpr& extent, hi::ForType type) {
    out = hi::For::make(index.as<hi::Variable>()->name, 0, extent, type, Halide::Partition::Never,
                        api_, out);
  };
  for (std::size_t axis = 0; axis < threads_.size(); ++axis)
    add(thread(axis), static_cast<std::int32_t>(threads_[axis]), hi::ForType::GPUThread);
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    add(block(axis), Halide::cast(Halide::Int(32), grid[axis]), hi::ForType::GPUBlock);
    any = any && grid[axis] > HExpr(std::int64_t{0});
  }
  return hi::IfThenElse::make(any, out);
}

}  // namespace strata::halide
