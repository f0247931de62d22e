#include "codegen/halide/index_range.h"

namespace strata::halide {

IndexRanges find_index_ranges(const Kernel&) { return {}; }
std::vector<LoopSteps> find_steps_of_loops(const Kernel&) { return {}; }

}  // namespace strata::halide
