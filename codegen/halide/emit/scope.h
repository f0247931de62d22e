// The meaning of names while a kernel's statements are emitted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/halide/arithmetic/math_functions.h"
#include "codegen/halide/arithmetic/values.h"
#include "codegen/tree/packing.h"
#include "core/machine/machine.h"

namespace strata::halide {

// A buffer as loads and stores see it. The element [i0, i1, ..] is at
//   sum_d (i_d - origins_d) * strides_d     elements from the base,
// where the base is the pointer that Halide knows as "symbol". If several arguments use one base
// pointer, "offset" is added. Arguments that may overlap must share a base pointer, since Halide
// assumes that accesses by different names touch different memory.
struct BufferView {
  std::string symbol;
  Type type = Type::float32;
  std::vector<HExpr> origins;  // empty: all zero
  std::vector<HExpr> strides;
  HExpr offset;  // undefined: zero
  bool on_stack = false;
  bool small = false;     // see short_positions.h
  bool of_block = false;  // in the shared memory of a block: its places are the same in all blocks
  // As in Allocate: index  origin + period q + r  of a dimension is at  width q + r.
  std::vector<Packing> packed = {};

  HExpr position(const std::vector<HExpr>& indices) const;
};

// Properties of the target, where code can be generated in several ways.
struct Abilities {
  HalfFloats halves = HalfFloats::converted_by_bits;
  bool fused = false;        // a * b + c may be rounded once: allowed by the kernel and in hardware
  bool reciprocals = false;  // x / c may be x * (1 / c), for a constant c
  VectorMath math;           // functions that may compute exp, log, .. of vectors
  Machine machine;           // for which times are estimated
  Halide::DeviceAPI device = Halide::DeviceAPI::None;  // of launches; None: there are none
  bool exact = false;                // floats are as the algorithm says, bit for bit
  bool asynchronous_copies = false;  // the device has such copies to shared memory
  bool tensor_cores = false;         // the device has products of matrices
};

struct Scope {
  std::map<std::string, HExpr> variables;  // iterators
  std::map<std::string, HExpr> parameters;
  std::map<std::string, HExpr> scalars;  // arguments that are passed by value, in flight
  std::map<std::string, BufferView> buffers;
  std::map<std::string, BufferView> on_device;  // what a launch sees of the arguments
  Abilities abilities;
  bool in_launch = false;
  // True if an array may have no elements, so that no index into it is valid for a load.
  bool arrays_may_be_empty = false;
};

// True for code of a CPU whose instructions have no masks of their own.
inline bool lacks_masks(const Scope& scope) {
  return !scope.in_launch && !scope.abilities.machine.masks;
}

// True if two buffers are the same, or parts of arguments that may overlap.
bool share_memory(const Scope& scope, const std::string& a, const std::string& b);

// E0502 if there is no buffer of that name.
const BufferView& buffer_named(const Scope& scope, const std::string& name);

}  // namespace strata::halide
