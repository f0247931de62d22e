// A launch as Halide's loops over blocks and threads.
//
// Halide wants the thread loops around the whole body of a block, and their ranges constant:
//
//     launch { block b { for k { thread t in lo .. lo + n { S } } } }
// ~>  gpu_block b' { gpu_thread t' in 0 .. T { for k { if (t' < n) { t = lo + t'; S } } } }
//
// with b = lower + b'.  All buffers in shared memory are parts of one array of bytes: in PTX every
// array would begin at address 0.  Indices are 32-bit numbers on the device, and 64-bit ones in our
// arithmetic.
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
  // The index of the thread on an axis, 0 where the block has one thread there.
  HExpr index(std::size_t axis) const;
  // The view of a buffer in the block's shared memory.
  BufferView in_shared_memory(const std::string& buffer, BufferView view) const;
  // "body" in the threads of the guard only.
  HStmt guarded(const ThreadGuard& guard, const HStmt& body) const;
  // All loops, around "body", where no number of blocks is 0.  "grid" has the numbers of blocks on
  // the axes x, y, z.
  HStmt around(const HStmt& body, const std::vector<HExpr>& grid) const;

 private:
  HExpr thread(std::size_t axis) const;
  HExpr block(std::size_t axis) const;

  std::string name_;
  std::vector<std::int64_t> threads_;
  std::vector<SharedBuffer> shared_;
  Halide::DeviceAPI api_;
};

// Waits for all threads of the block; what they wrote to the memories of the fence is then there
// for all.
HStmt barrier(Fence fence);
// E0502 if the code of a launch calls a function that devices do not have.
void require_device_functions(const std::string& launch, const HStmt& body);

// Do all devices have vectors of so many lanes?
bool is_device_vector(std::int64_t lanes);
// How a vector loop runs whose lanes run one after the other: in a launch in code for each, if they
// are few, since registers have constant indices only.
Halide::Internal::ForType lane_after_lane(const For& loop, bool in_launch);

bool has_launches(const Kernel& kernel);
// E0501 if there is a launch in the statement, for targets without a device.
void refuse_launches(const StmtPtr& s);

}  // namespace strata::halide
