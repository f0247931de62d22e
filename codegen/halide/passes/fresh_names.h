// Names that Halide makes up.
#pragma once

namespace strata::halide {

// Halide counts the names it makes up, for all the process, and some of its passes order values by
// name: t9 stands behind t10, t10 before t11.  This moves its counter on, where needed, so that
// the next 50,000 names have equally many digits, whose order is that of their making.
void align_fresh_names();

}  // namespace strata::halide
