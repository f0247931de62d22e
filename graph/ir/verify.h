// The rules of programs.
#pragma once

#include "graph/ir/module.h"

namespace strata::graph {

// Throws E0601, with the rule, the function and the binding, unless
//   W1   a variable is bound once, in one function, before its uses, and used in its scope only;
//        no other variable that is seen there has its name
//   W2   a local variable is used inside its dataflow block only
//   W3   operands are leaves: variables, constants, shapes, names of globals, tuples of leaves
//   W4   dataflow blocks are pure: no branch, no packed call without the mark, no call of a
//        function that has one
//   W5   the functions and kernels that are called are in the module
//   W6   a symbol is used after an extent of a parameter, or a match_shape, has defined it
//   W7   dims are integers over symbols
//   W8   the result of a function, and of a branch, is a leaf; branches are nested less than
//        100 deep
//   W9   a global is in the module under its own name
//   W10  the type of a variable is the one derived, or says more; the type of a function's result
//        does not contradict it
// Takes time linear in the number of bindings.
void verify(const Module& module, const Where& where = Where::here());

}  // namespace strata::graph
