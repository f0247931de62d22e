// Modules as text that parses back (parse.h), and the canonical text of what they mean.
//
//   kernel @double(A: Tensor[(n), float32]) {
//     B(i0): Tensor[(n), float32] = A[i0] * 2.0f32
//     return B
//   }
//   def @main(%x: Tensor[(n, 4), float32], %y: Tensor[_, _]) -> Tensor[(4 * n), float32] {
//     dataflow {
//       %lv = relu(%x)
//       %gv = reshape(%lv, shape=(4 * n))
//       output %gv
//     }
//     %s = shape_of(%y)
//     %m = match_shape(%y, (m, k + 1))
//     %z: Tensor[_, float32] = call_packed("inplace", (%gv, const[0]))
//     %t = if (%c) { %u = exp(%gv)  %u } else { %gv }
//     %d = call_kernel((n), @double, (%t))
//     %e = call_kernel(%s, "packed_kernel", (%t), types=[float32])
//     %f = @other(%d, (%t, 2.0f32))
//     %f[0]
//   }
//   const[0]: Tensor[(2), float32] = [1.0f32, 2.0f32]
//
// Bindings outside of dataflow form blocks of their own. The text has the types that an author
// gave; the others follow from them. A list of one field, or none, has a comma: (%x,). Constants of
// rank 0 are numbers, as in expressions (core/expr/expr_text.h), except int64(2). Other constants
// are in the list at the end, longer ones by the hash of their bytes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

std::string text_of(const Module& module);
// The same with comments: "# note(b)" at the ends of the lines of bindings other than branches. An
// empty note adds no comment.
using Note = std::function<std::string(const Binding&)>;
std::string text_of(const Module& module, const Note& note);
std::string text_of(const GraphFunction& function);
// For people: the text of a leaf or of a call. An array is const[..].
std::string text_of(const Value& value);
// The arrays const[0], const[1], .., which parse_module needs if the text has only a hash.
std::vector<NDArray> constants_of(const Module& module);

}  // namespace strata::graph
