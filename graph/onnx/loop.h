// Loops whose number of iterations is known only when the program runs.
//
//   def @loop(first, end, states.., others..):
//     if end - first > 1:                        by halves, so calls are nested as deep as the
//       rows, states = @loop(first, middle, states.., others..)           logarithm of the number
//       more, states = @loop(middle, end, states.., others..)
//       concatenate(rows, more), states
//     else: the body at "first"
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "graph/onnx/emitter.h"

namespace strata::graph::onnx {

struct LoopForm {
  std::string name;
  Values states, others;  // the first states, and values that stay
  std::size_t rows = 1;   // the number of sequences that get a row from the body
  // (i, states, others) -> rows (1, ..), and the next states, which have the types of the states.
  std::function<std::pair<Values, Values>(Emitter&, const Value&, const Values&, const Values&)>
      body;
};

// The rows of all iterations, one after another, and the last states. "count" is an int64 of rank
// 0, at least 1. Each sequence has the extents of its rows, with "length" as the first extent.
std::pair<Values, Values> emitted_loop(Emitter& emitter, const Value& count, const Expr& length,
                                       const std::vector<Shape>& row_dims, Type element,
                                       const LoopForm& form);

}  // namespace strata::graph::onnx
