// A compiled kernel, as a Python callable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "python/arrays.h"
#include "strata/strata.h"

namespace strata::python {

// What a call needs to know about a buffer argument.
struct KernelArgument {
  std::string name;
  Type type;
  bool written = false;
  std::vector<Expr> extents;  // over parameters: as declared, or what the kernel touches
  std::string what;           // its name in errors: "blur: argument x"
  // For each axis the number of the parameter that is its extent, or -1.
  std::vector<int> parameter_of_axis = {};
  bool resident = false;  // on the device
};

// A number passed by value.
struct KernelScalar {
  std::string name;
  Type type;
};

// The kernel of a function's current program, with these buffers.
struct KernelFacts {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<KernelScalar> scalars;
  std::vector<KernelArgument> arguments;
  Device device = Device::none;
};
// Call it when the function has just been compiled for this target.
KernelFacts facts_of(const Function& function, const std::string& target);

class PythonKernel {
 public:
  // "alive" keeps alive what the code needs: the C functions that it calls.
  PythonKernel(JitFunction code, KernelFacts facts, StageTimes times, nb::object alive)
      : code_(std::move(code)),
        facts_(std::move(facts)),
        times_(std::move(times)),
        alive_(std::move(alive)) {}

  // Calls the kernel. Arrays come in the order of the arguments, or by name. Parameters and scalars
  // come by name, or before all arrays. Missing parameters are read from shapes. Missing outputs
  // are made, and returned.
  nb::object operator()(const nb::args& positional, const nb::kwargs& named) const;

  const KernelFacts& facts() const { return facts_; }
  const StageTimes& times() const { return times_; }
  std::string profile(const Where& where) const { return code_.profile(where); }

 private:
  JitFunction code_;
  KernelFacts facts_;
  StageTimes times_;
  nb::object alive_;
};

}  // namespace strata::python
