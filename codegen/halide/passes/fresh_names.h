// Names that Halide generates.
#pragma once

namespace strata::halide {

// Halide numbers the names it generates with one counter per process, and some of its passes order
// values by name: t10 comes before t11, but also before t9. This advances the counter, if needed,
// so that the next 50,000 names have equally many digits and are ordered as they are made.
void align_fresh_names();

}  // namespace strata::halide
