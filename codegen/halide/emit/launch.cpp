#include "codegen/halide/emit/launch.h"

#include <algorithm>

#include "codegen/halide/arithmetic/device_floats.h"
#include "codegen/halide/arithmetic/matrix_products.h"
#include "codegen/halide/launch_name.h"
#include "codegen/refusal.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

HExpr wide(const HExpr& e) { return Halide::cast(Halide::Int(64), e); }

// The first call of a function that only the host has.
class HostCalls : public hi::IRVisitor {
 public:
  std::string found;

 private:
  using IRVisitor::visit;
  void visit(const hi::Call* op) override {
    const bool is_extern =
        op->call_type == hi::Call::Extern || op->call_type == hi::Call::PureExtern;
    const bool is_known = is_device_function(op->name) || is_matrix_product(op->name);
    if (is_extern && !is_known && found.empty()) found = op->name;
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
  for_each_inside(*s,
                  [&](const StmtPtr& part) { most = std::max(most, most_min_blocks_in(part)); });
  const auto* loop = std::get_if<For>(s.get());
  return loop ? std::max(most, loop->min_blocks) : most;
}

}  // namespace

HStmt barrier(Fence fence) {
  constexpr std::int32_t device = 1, shared = 2;
  const std::int32_t memories =
      (fence == Fence::shared ? 0 : device) | (fence == Fence::global ? 0 : shared);
  return hi::Evaluate::make(hi::Call::make(Halide::Int(32), hi::Call::gpu_thread_barrier,
                                           {HExpr(memories)}, hi::Call::Intrinsic));
}

bool is_device_vector(std::int64_t lanes) {
  return lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16;
}

hi::ForType lane_after_lane(const For& loop, bool in_launch) {
  constexpr std::int64_t most_lanes = 16;
  const bool unrolls = in_launch && loop.extent && *loop.extent >= 2 && *loop.extent <= most_lanes;
  return unrolls ? hi::ForType::Unrolled : hi::ForType::Serial;
}

bool has_launches(const Kernel& kernel) { return holds_launch(kernel.body); }

void refuse_launches(const StmtPtr& s) {
  if (const auto* launch = std::get_if<Launch>(s.get()))
    throw refused(Code::E0501_unknown_target,
                  "loop " + launch->name + " is launched on a GPU, which the target does not have",
                  "add a device to the target: \"host-opencl\" or \"host-cuda\"");
  for_each_inside(*s, refuse_launches);
}

void require_device_functions(const std::string& launch, const HStmt& body) {
  HostCalls calls;
  body.accept(&calls);
  if (!calls.found.empty())
    throw refused(
        Code::E0502_code_generation_failed,
        "the launch of loop " + launch + " calls " + calls.found + ", a function of the host",
        "compute that outside of the launch");
}

LaunchLoops::LaunchLoops(const Launch& launch, Halide::DeviceAPI api)
    : name_(launch_name(launch.name, most_min_blocks_in(launch.body))),
      threads_(launch.threads),
      shared_(shared_buffers(launch.body)),
      api_(api) {}

HExpr LaunchLoops::thread(std::size_t axis) const {
  return hi::Variable::make(Halide::Int(32), name_ + hi::gpu_thread_name(int(axis)));
}

HExpr LaunchLoops::block(std::size_t axis) const {
  return hi::Variable::make(Halide::Int(32), name_ + hi::gpu_block_name(int(axis)));
}

HExpr LaunchLoops::step(const For& loop) const {
  const std::size_t axis = axis_of(loop);
  return wide(loop.processor == Processor::block ? block(axis) : thread(axis));
}

HExpr LaunchLoops::index(std::size_t axis) const {
  return axis < threads_.size() ? wide(thread(axis)) : HExpr(std::int64_t{0});
}

BufferView LaunchLoops::in_shared_memory(const std::string& buffer, BufferView view) const {
  const auto place = std::find_if(shared_.begin(), shared_.end(),
                                  [&](const SharedBuffer& b) { return b.name == buffer; });
  view.symbol = name_ + ".shared";
  view.offset = HExpr(place->offset / bytes(view.type));
  view.on_stack = view.small = false;
  return view;
}

HStmt LaunchLoops::guarded(const ThreadGuard& guard, const HStmt& body) const {
  HExpr runs = hi::const_true();
  for (std::size_t axis = guard.counts.size(); axis-- > 0;) {
    const auto count = static_cast<std::int32_t>(guard.counts[axis]);
    if (count < threads_[axis])
      runs = runs && (count == 1 ? thread(axis) == 0 : thread(axis) < count);
  }
  return hi::IfThenElse::make(runs, body);
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
  if (!shared_.empty())
    out = hi::Allocate::make(name_ + ".shared", Halide::UInt(8), Halide::MemoryType::GPUShared,
                             {static_cast<std::int32_t>(shared_bytes(shared_))}, hi::const_true(),
                             out);
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    add(block(axis), Halide::cast(Halide::Int(32), grid[axis]), hi::ForType::GPUBlock);
    any = any && grid[axis] > HExpr(std::int64_t{0});
  }
  return hi::IfThenElse::make(any, out);
}

}  // namespace strata::halide
