// What kernels compiled through Halide call in process, besides strata_runtime's own functions.
#pragma once

#include "codegen/object/loaded_object.h"

namespace strata::halide {

// The functions of Halide's runtime in the strata_runtime that this program is linked with.
Addresses runtime_symbols();

}  // namespace strata::halide
