// Failures of kernels' calls, as C++ exceptions that Python sees as strata.KernelError.
#pragma once

#include <strata/runtime.h>

#include <stdexcept>
#include <string>

namespace strata::python {

class KernelFailure : public std::runtime_error {
 public:
  // "message" is as the runtime writes it: "blur: buffer x ..".
  KernelFailure(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

}  // namespace strata::python
