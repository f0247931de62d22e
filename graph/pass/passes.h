// The passes of the library.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/pass/pass.h"

namespace strata::graph {

// Level 0: derives the types of all bindings again and verifies. Since every pass keeps types, it
// changes nothing.
Pass infer_type();

// Level 1: every program is in A-normal form, by construction; it changes nothing.
Pass to_a_normal_form();

// Level 1: leaves out bindings whose variables nobody uses. What may do something stays: packed
// functions without the mark, functions that call such, match_shape, which checks.
Pass dead_code_elimination();

// Level 2, in dataflow blocks: pure calls whose operands are constants become constants, as does
// shape_of a tensor of known extents, and a field of a tuple; a branch on a constant becomes its
// body, wherever it stands. A result of more than 1024 elements that has more than twice as many
// as the operands together stays: it is cheaper to compute than to load.
Pass fold_constant();

// Level 3: of equal pure calls the first one stays. Arguments are compared by identity, scalars by
// value; "is_exempt" leaves bindings alone.
Pass eliminate_common_subexpr(const std::function<bool(const Binding&)>& is_exempt = {});

// Level 2, in dataflow blocks: add(multiply(x, y), z), where nothing else uses the product, becomes
// ewise_fma(x, y, z).
Pass fma_rewrite();

// How the tensors of an operator's calls are to be stored: texts as "NCHW16c", one for each
// argument and each result; "" or a missing one leaves the tensor as it is.
struct WantedLayouts {
  std::vector<std::string> arguments, results;
};
// What one operator's calls want, or nothing. "call" has the operands and attributes; "result" is
// the type of what it computes.
struct Alteration {
  std::string callee;
  std::function<std::optional<WantedLayouts>(const OperatorCall& call, const ValueType& result)>
      wanted;
  int level = 10;  // that of the highest level which wants something decides
};

// Level 3, requires InferType; in dataflow blocks. Calls of the altered operators read and write
// packed tensors. What reads the result of one reads it packed, too, if its own indices at the
// dimensions that are cut or moved are those of its operands; then its other operands are packed,
// of smaller rank after expand_dims.  layout_transform stands where producer and reader differ,
// once for each tensor and layout in a block, and before what leaves the block. A tensor with an
// extent that its block does not provably divide stays as it is.
//
// Errors: E0603 an operator that there is not, E0606 an alteration without a function, or two of
// one operator and level; when it runs, E0605 a wanted layout that cannot be read, has another rank
// than its tensor, or is for a tensor that the call does not have.
Pass alter_op_layout(const std::vector<Alteration>& alterations = {},
                     const Where& where = Where::here());

// Level 3, requires InferType; in dataflow blocks. Where an operator is a sum of products, as a
// product of matrices, a constant factor that all rows of the result read is packed in panels of
// columns, now: they are neighbours in memory for the kernel's tiles (Machine::product_tile).
// Nothing if no number of whole vectors divides the columns.
Pass pack_constants();

// Level 1, requires InferType; in dataflow blocks. Operators that may be computed together become
// one function with the attribute primitive=true, fused_add_exp, and a call of it: FuseOps of Relay
// (fuse/partition.h), with the kinds that relations give (fuse/operator_kind.h). Of equal ones
// there is one. At level 0 each operator has one of its own; -1 is the level of the context, whose
// option FuseOps.max_depth bounds the operators of one. External functions, and operators on
// unknown extents, stay as they are; functions that are primitive, or have an attribute compiler,
// are not entered; stop_fusion(x) keeps x and its readers apart, and goes. What nobody uses goes.
Pass fuse_ops(int level = -1);
// The module's text with the group that fuse_ops(level) would put each binding into, as a comment:
//     %lv1 = relu(%lv)  # group 0, elementwise, root
std::string text_of_groups(const Module& module, int level = -1);

// Prints the module, after a header, where it stands, to "print" or else to standard output.
Pass print_ir(const std::string& header = "",
              const std::function<void(const std::string&)>& print = {});

// Those that a name alone makes, for find_pass.
std::vector<Pass> all_passes();

}  // namespace strata::graph
