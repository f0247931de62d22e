// What the entry of a kernel checks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/machine/device.h"

namespace strata {

// The names and numbers that strata_check_arguments reads, in its order (runtime/check.c). Emitted
// code gathers the numbers and passes them to that function, which compares them and writes the
// message: so the code stays small, and all kernels share the texts.
struct EntryFacts {
  std::string names;          // a line for each item
  std::vector<Expr> numbers;  // over parameters, of type int64 or boolean; their arithmetic wraps
};

// Where the launches of a kernel run.
struct EntryDevice {
  DeviceLimits limits = {};
  int number = 1;  // as in runtime/buffer_checks.h
};

// E0502 if a launch has more blocks than the limits allow.
EntryFacts entry_facts(const Kernel& kernel, const EntryDevice& device);

// The names of all parameters: those of the C function, those read from arguments, and the bounds
// of the rank's blocks.
std::vector<std::string> parameters_of(const Kernel& kernel);

// A kernel without loops that reads only the elements in "size". Its entry checks these reads.
Kernel reader_of(const Kernel& kernel, const SizeRead& size);

// The element type of a buffer, as in halide_type_t.
struct ElementCode {
  int code, bits;
};
ElementCode element_code(Type type);

}  // namespace strata
