// The profile of kernels in this process.
#pragma once

#include <string>

#include "core/error.h"

namespace strata {

// The table of strata_print_profile. E0106 if the kernel has not been called.
std::string profile_text(const std::string& kernel, const Request& request);

}  // namespace strata
