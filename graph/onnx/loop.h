// Iterations whose number is known when the program runs.
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
  Values states, others;  // at the begin, and what stays
  std::size_t rows = 1;   // how many sequences the body makes a row of
  // (i, states, others) -> rows (1, ..), and the next states, of the types of the states.
  std::function<std::pair<Values, Values>(Emitter&, const Value&, const Values&, const Values&)>
      body;
};

// The rows of all iterations, one behind the other, and the last states. "count" is an int64 of
// rank 0, and 1 or more; each sequence gets the extents of its row, and "length" for the first one.
std::pair<Values, Values> emitted_loop(Emitter& emitter, const Value& count, const Expr& length,
                                       const std::vector<Shape>& row_dims, Type element,
                                       const LoopForm& form);

}  // namespace strata::graph::onnx
