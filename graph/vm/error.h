// Errors of executables and of machines.
#pragma once

#include <stdexcept>
#include <string>

namespace strata::graph {

// Says who, where and why: "vm func0, instruction 3: %7 is read before it is written". This room
// knows nothing of the compiler, so its errors have no code.
class VmError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace strata::graph
