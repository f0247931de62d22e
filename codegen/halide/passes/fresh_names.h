// Names that Halide generates.
#pragma once

namespace strata::halide {

// Halide numbers the names that it generates with one counter per process, and some of its passes
// order values by name: t10 comes before t11, but also before t9. If needed, this advances the
// counter so that the next 50,000 names have equally many digits. They are then ordered as they are
// made.
void align_fresh_names();

}  // namespace strata::halide
