// Operators on floats in launches on a GPU.
//
// "exact": each of + - * / and square roots is rounded once, to nearest, and nothing is contracted.
//   CUDA    llvm.nvvm.add.rn, mul.rn: the compiler contracts other sums and products. Its
//           quotients and square roots are correctly rounded.
//   OpenCL  a statement for each operation; the text forbids contraction (device_text.h). The
//           language allows errors of 2.5 ulp for quotients of float32 and 3 for square roots, but
//           none for float64. So they are computed in float64 and rounded again. This gives the
//           correctly rounded float32, since 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding
//           innocuous?", 1995).
//   Other functions have no such bounds: E0505.
// "fast": the operations of the device; a * b + c is one operation. With CUDA, float32 uses the
//   hardware's approximations (PTX ISA): quotients by div.full, within 2 ulp; square roots by
//   sqrt.approx, with a relative error of at most 2^-23; and exp(x) = ex2.approx(x log2(e)), within
//   2 + 1.173 |x| ulp.
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

struct DeviceFloats {
  Halide::DeviceAPI api = Halide::DeviceAPI::None;
  bool exact = false;
};

// Like float_operation (operations.h), in launches.
HExpr device_float_operation(Op op, Type type, const std::vector<HExpr>& operands,
                             const DeviceFloats& device);

// a * b + c, rounded once.
HExpr device_fused_multiply_add(const HExpr& a, const HExpr& b, const HExpr& c,
                                const DeviceFloats& device);

// True for a function that devices have, like all functions that the two above call.
bool is_device_function(const std::string& name);
// True if the host does not have this function of devices, or has it with another meaning.
bool is_on_device_alone(const std::string& name);

}  // namespace strata::halide
