// The code of a kernel in this process.
#pragma once

#include <memory>
#include <string>

#include "codegen/object/loaded_object.h"

namespace strata {

class MachineCode {
 public:
  virtual ~MachineCode() = default;
  // Runs the kernel with a list of pointers to its arguments (NAME_argv), and returns its result.
  virtual int call(const void* const* arguments) const = 0;
  // The object that it was loaded from; empty if it has none.
  virtual const std::string& object() const = 0;
};

// The function NAME_argv of an object for this CPU, as LoadedObject has it. E0502.
std::shared_ptr<const MachineCode> loaded(std::string object, const std::string& kernel,
                                          const Addresses& known);

}  // namespace strata
