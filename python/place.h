// The line of the Python program that gave a command.
#pragma once

#include "core/error.h"

namespace strata::python {

// The line of the innermost frame outside of the package. Nested functions, lambdas and cells of
// notebooks count as frames. Without a frame: no place.
Where python_line();

}  // namespace strata::python
