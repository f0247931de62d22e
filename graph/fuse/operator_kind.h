// The fusion kinds of operators, from the relations of what they compute.
#pragma once

#include <vector>

#include "core/error.h"
#include "graph/fuse/fusion_graph.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

struct OperatorKind {
  FusionKind kind = FusionKind::opaque;
  std::vector<FusionKind> edges = {};  // to each input
};

// The kind of an operator that computes the outputs from the inputs, which are placeholders.
//
// For a computation S with the write relation W = { S[i, k] -> Y[i] } and the accesses
// R = { S[i, k] -> A[e] }, each restricted by the selects around it, over all of Z^n,
//
//     T = W^-1 . R : { Y[o] -> A[e] : computing Y(o) reads A(e) }
//
// decides the kind of the edge from A. The first of these that holds is the kind:
//
//     opaque                   an external function, a call that takes the whole array, a scatter
//     injective                an index is data, and no reduction runs over it
//     elementwise              T is inside the identity (0 is the index of an extent of 1), and the
//                              extents are provably equal
//     broadcast                T is a function, defined for each result; each dim of A is a dim of
//                              Y, in order and of equal extent, or 0 where the extent is 1
//     injective                T is a function
//     reduction                T^-1 is a function that picks dims, and S reduces; a dim of Y of
//                              extent 1 that no access uses, as a sum keeps it, is 0
//     out_elementwise_fusable  otherwise
//
// The relations are over all of Z^n, so that an extent of 1 decides nothing: a product of a row and
// a column is a product. The operator's kind is that of all its edges together. If an operator has
// several computations and one of them reduces, its kind is out_elementwise_fusable. One case is
// different: a reduction, and then an elementwise computation of its result alone (mean), has the
// kind of the reduction.
//
// Errors: E0901 if the questions to isl take too much work; those of create_function.
OperatorKind operator_kind(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                           const Where& where = Where::here());

}  // namespace strata::graph
