// The parameters that give the sizes of the programs drawn.
#pragma once

#include "core/expr/expr.h"

namespace strata::fuzz {

inline const Expr n = parameter("N"), m = parameter("M");

}  // namespace strata::fuzz
