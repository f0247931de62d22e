#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// The array's buffer, an argument of the kernel, is in the memory of the GPU when the kernel is
// called, and stays there: nothing of it is copied, and its host pointer is not used. The kernel
// checks at entry that it is there (strata_error_not_resident).
// Code generation refuses a resident buffer that is not an argument, or that code of the host
// touches (E0106). Errors: E0101 no such array; E0106 the author copies it between host and GPU
// (R217).
Program resident(const Program& program, const std::string& array, Given given = {});

}  // namespace strata
