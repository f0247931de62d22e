// A mark before the part of a kernel that uses a device.
//
// inject_gpu_offload loads the kernels of a statement at the statement's beginning. That must
// happen after the checks of the arguments, and only if there is something to compute. So
// inject_gpu_offload gets only what follows the mark (passes/offload.h).
#pragma once

#include <Halide.h>

namespace strata::halide {

inline constexpr const char* offload_mark = "strata_offload";

// The mark, then "launches".
inline Halide::Internal::Stmt marked_for_offload(const Halide::Internal::Stmt& launches) {
  namespace hi = Halide::Internal;
  const auto mark = hi::Call::make(Halide::Int(32), offload_mark, {}, hi::Call::Extern);
  return hi::Block::make(hi::Evaluate::make(mark), launches);
}

}  // namespace strata::halide
