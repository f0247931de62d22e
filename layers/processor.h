// Who runs the iterations of a loop.
#pragma once

#include <string>

namespace strata {

enum class Processor { sequential, parallel, vector, unrolled };

std::string to_string(Processor processor);

}  // namespace strata
