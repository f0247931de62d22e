// Runs executables.
//
//   VirtualMachine vm(executable);
//   const VmValue y = vm("main", {x});
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/vm/executable.h"
#include "graph/vm/registry.h"

namespace strata::graph {

class VirtualMachine {
 public:
  using Functions = std::map<std::string, PackedFunction>;

  // Names of calls are looked up among the functions of the executable, then in "kernels", then
  // among the registered functions (registry.h). VmError if the executable is malformed (verify),
  // or a name is unknown.
  explicit VirtualMachine(Executable executable, const Functions& kernels = {});

  // The function's result. VmError if there is no such function, if the number of arguments is
  // wrong, if a condition is neither an integer nor a scalar, or if calls are nested too deep
  // (100,000; 200 through invoke_closure). Also throws what a packed function throws. The machine
  // stays usable after an error. Threads may call at the same time.
  VmValue operator()(const std::string& name, const std::vector<VmValue>& arguments) const;
  // The same for a function as a value, from vm.builtin.make_closure or f(name).
  VmValue invoke(const VmValue& closure, const std::vector<VmValue>& arguments) const;

  const Executable& executable() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// A function as a value, with the arguments that it gets before those of a call.
struct VmClosure {
  std::string function;
  std::vector<VmValue> captured = {};
};

// The machine that a built-in function gets by vm_state(). VmError for any other value.
const VirtualMachine& machine_of(const VmValue& state);

}  // namespace strata::graph
