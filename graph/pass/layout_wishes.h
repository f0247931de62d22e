// The layouts in which the kernel of a call would read and write its tensors.
#pragma once

#include <optional>
#include <vector>

#include "graph/ir/value.h"

namespace strata::graph {

// The layouts of the call's tensors and of its one result, and how many cycles they may save.
struct LayoutWish {
  std::vector<Layout> arguments;
  Layout result;
  double cycles = 0;
};

// What a sum of products  y(.., j, ..) = sum x(..) w(.., j, ..)  wishes, where j is the only index
// of y in w. These are the columns; the others are the rows, which all read w.
//
//   The columns are the last index of y, as in products of matrices: w in panels of columns
//       { [k, j] -> [floor(j / c), k, j mod c] }
//   Two indices or a window come after them, as in convolutions: the columns innermost in y, and
//   what is summed beside the window innermost in x
//       { [n, c, h, w] -> [n, h, w, c] }
//   and w likewise, in panels if the sum runs over all of x.
//
// c is the widest tile of columns (Machine::product_tile) that divides their extent, in whole
// vectors. Only constants are in panels. Nothing if the columns are less than a vector.
// Types of the tensors must have dims and element types; constants has one entry for each.
std::optional<LayoutWish> find_wish(const OperatorCall& call, const std::vector<ValueType>& types,
                                    const std::vector<bool>& constants, const Where& where);

}  // namespace strata::graph
