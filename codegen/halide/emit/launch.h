// A launch as Halide's loops over blocks and threads.
//
// Halide requires thread loops with constant ranges around the whole body of a block:
//
//     launch { block b { for k { thread t in lo .. lo + n { S } } } }
// ~>  gpu_block b' { gpu_thread t' in 0 .. T { for k { if (t' < n) { t = lo + t'; S } } } }
//
// with b = lower + b'. All buffers in shared memory are parts of one array of bytes, since in PTX
// every array would begin at address 0. On the device, the numbers of blocks and threads have 32
// bits; in our arithmetic they have 64.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/launch_axes.h"
#include "codegen/tree/loop_tree.h"
#include "codegen/tree/shared_memory.h"

namespace strata::halide {

// The loops of one launch while its body is emitted.
class LaunchLoops {
 public:
  LaunchLoops(const Launch& launch, Halide::DeviceAPI api);

  // The iterator of "loop", a loop of the launch, counted from 0.
  HExpr step(const For& loop) const;
  // The index of the thread on an axis; 0 if the block has one thread there.
  HExpr index(std::size_t axis) const;
  // The view of a buffer in the block's shared memory.
  BufferView in_shared_memory(const std::string& buffer, BufferView view) const;
  // "body", which only the threads of the guard run.
  HStmt guarded(const ThreadGuard& guard, const HStmt& body) const;
  // All loops around "body". Nothing runs if a number of blocks is 0. "grid" has the numbers of
  // blocks on the axes x, y, z.
  HStmt around(const HStmt& body, const std::vector<HExpr>& grid) const;

 private:
  HExpr thread(std::size_t axis) const;
  HExpr block(std::size_t axis) const;

  std::string name_;
  std::vector<std::int64_t> threads_;
  std::vector<SharedBuffer> shared_;
  Halide::DeviceAPI api_;
};

// Waits for all threads of the block. Then all of them see what each wrote to the memories of the
// fence.
HStmt barrier(Fence fence);
// E0502 if the code of a launch calls a function that devices do not have.
void require_device_functions(const std::string& launch, const HStmt& body);

// True if all devices have vectors of this many lanes.
bool is_device_vector(std::int64_t lanes);
// How a vector loop runs if its lanes run one after another. In a launch, a loop of few lanes is
// unrolled, since registers have only constant indices.
Halide::Internal::ForType lane_after_lane(const For& loop, bool in_launch);

bool has_launches(const Kernel& kernel);
// E0501 if the statement has a launch; for targets without a device.
void refuse_launches(const StmtPtr& s);

}  // namespace strata::halide
