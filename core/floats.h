#pragma once

namespace strata {

// fast may use fused multiply-add and vector math (to 4 ulp), multiply by the reciprocal of a
// constant instead of dividing by it, and reassociate declared reductions where their loops do.
// exact does none of this (E0504): its results are bit for bit those of naive evaluation of the
// algorithm (after rfactor, where that changed it).
enum class Floats { fast, exact };

}  // namespace strata
