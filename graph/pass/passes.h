// The passes of the library.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/pass/pass.h"

namespace strata::graph {

// Level 0: derives the types of all bindings again, and verifies. Changes nothing, since every pass
// keeps types.
Pass infer_type();

// Level 1: changes nothing, since every program is in A-normal form by construction.
Pass to_a_normal_form();

// Level 1: drops bindings whose variables nobody uses. Bindings with effects stay: calls of packed
// functions without the mark "pure", calls of functions that make such calls, and match_shape,
// which checks.
Pass dead_code_elimination();

// Level 2, in dataflow blocks: a pure call with constant operands becomes a constant. So do
// shape_of a tensor of known extents, and a field of a tuple. A branch on a constant becomes its
// body, wherever it is. A result stays if it has more than 1024 elements, and more than twice as
// many as the operands together: it is cheaper to compute than to load.
Pass fold_constant();

// Level 3: of equal pure calls, only the first one stays. It compares arguments by identity, and
// scalars by value. It leaves bindings with "is_exempt" alone.
Pass eliminate_common_subexpr(const std::function<bool(const Binding&)>& is_exempt = {});

// Level 2, in dataflow blocks: add(multiply(x, y), z) becomes ewise_fma(x, y, z), if nothing else
// uses the product.
Pass fma_rewrite();

// Level 2, requires InferType; in dataflow blocks, except of functions that are primitive or have
// the attribute compiler. Products of one tensor with several constants, as of queries, keys and
// values, become one product with the constants side by side, and slices of it. So do the
// operators after them, as a bias, that read the constants side by side in the same way
// (pass/column_use.h). Only where what reads the slices moves elements, so that a kernel reads them
// in place. FoldConstant concatenates the constants. (CombineParallelMatmul of Relax knows one
// operator by its name.)
Pass combine_parallel_products();

// The wanted layouts of a call's tensors: texts such as "NCHW16c", one for each argument and each
// result. An empty or missing text leaves the tensor as it is.
struct WantedLayouts {
  std::vector<std::string> arguments, results;
};
// What the calls of one operator want. The function may return nothing. "call" has the operands and
// attributes, and "result" is the type of its result.
struct Alteration {
  std::string callee;
  std::function<std::optional<WantedLayouts>(const OperatorCall& call, const ValueType& result)>
      wanted;
  int level = 10;  // the highest level that wants something decides
};

// Level 3, requires InferType; in dataflow blocks. Calls of the altered operators read and write
// packed tensors. A reader of such a result reads it packed, too, if at the dimensions that are cut
// or moved it has the same indices as its operands. Then its other operands are packed; operands of
// smaller rank get expand_dims first. Where producer and reader differ there is a layout_transform,
// once for each tensor and layout in a block, and once more for a tensor that leaves the block. If
// a block does not provably divide the extent of a tensor, the tensor stays as it is.
//
// Errors: E0603 an unknown operator, E0606 an alteration without a function, or two of one operator
// and level. When it runs: E0605 a wanted layout that cannot be read, has another rank than its
// tensor, or is for a tensor that the call does not have.
Pass alter_op_layout(const std::vector<Alteration>& alterations = {},
                     const Where& where = Where::here());

// Level 2, requires InferType; in dataflow blocks, except of functions that are primitive or have
// the attribute compiler. As AlterOpLayout, with the layouts that the kernels of sums of products
// wish (layout_wishes.h): constant factors in panels of columns, and channels innermost where a
// window reads them. A call gets them, and a reader reads a packed tensor packed, if what kernels
// save is worth the bytes that layout_transforms move. FoldConstant transforms the constants.
Pass choose_layouts();

// Level 1, requires InferType; in dataflow blocks. Operators that may be computed together become
// one function with the attribute primitive=true, such as fused_add_exp, and a call of it. This is
// FuseOps of Relay (fuse/partition.h), with the kinds that relations give (fuse/operator_kind.h).
// Equal functions become one. At level 0 each operator gets a function of its own; -1 is the level
// of the context. The context's option FuseOps.max_depth bounds the operators of one function.
// External functions, and operators on unknown extents, stay as they are. The pass does not enter
// functions that are primitive or have the attribute compiler. stop_fusion(x) keeps x and its
// readers apart, and is dropped. So are bindings that nobody uses.
Pass fuse_ops(int level = -1);
// Level 1, requires InferType; in dataflow blocks. The groups of FuseOps, joined where results of
// one need not leave the caches on the way to another (fuse/by_bytes.h). The rest is as for
// FuseOps.
Pass fuse_by_bytes();

// Prints the module at this point, after a header, to "print" or else to standard output.
Pass print_ir(const std::string& header = "",
              const std::function<void(const std::string&)>& print = {});

// The passes that need no options, for find_pass.
std::vector<Pass> all_passes();

}  // namespace strata::graph
