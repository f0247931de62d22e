#pragma once

namespace strata {

// How floats are computed: fast may use fused multiply-add, multiplies by the reciprocal of a
// constant instead of dividing by it, and reassociates declared reductions where their loops do;
// exact does none of it (E0504), and is bit for bit the naive evaluation of the algorithm, as rfactor
// may have left it.
enum class Floats { fast, exact };

}  // namespace strata
