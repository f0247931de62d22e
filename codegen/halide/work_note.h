// The work of a parallel loop, as a note before the loop.
//
// Halide's loops have no field for the work, and Halide's passes rewrite the numbers in it. So the
// work is the argument of a call before the loop, which no pass moves or drops. When the loop
// becomes a call, the work becomes an argument of that call (passes/closures.h).
#pragma once

#include <Halide.h>

namespace strata::halide {

inline constexpr const char* work_note = "strata_work";

// "loop", after a note that it has this work: a Float(64) in the units of runtime/threads.h.
inline Halide::Internal::Stmt with_work_noted(const Halide::Expr& work,
                                              const Halide::Internal::Stmt& loop) {
  namespace hi = Halide::Internal;
  const auto note = hi::Call::make(Halide::Float(64), work_note, {work}, hi::Call::Extern);
  return hi::Block::make(hi::Evaluate::make(note), loop);
}

}  // namespace strata::halide
