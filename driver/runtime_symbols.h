// The functions of the runtime that kernels in process call.
#pragma once

#include "codegen/object/loaded_object.h"

namespace strata {

// The functions of strata_runtime that this program is linked with, so that kernels in process and
// kernels from object files share threads, messages and handlers.
Addresses runtime_symbols();

}  // namespace strata
