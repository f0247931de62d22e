// The line of the Python program that gave a command.
#pragma once

#include "core/error.h"

namespace strata::python {

// The innermost frame outside of the package: nested functions, lambdas and notebooks' cells count
// as they are. Without a frame: no place.
Where python_line();

}  // namespace strata::python
