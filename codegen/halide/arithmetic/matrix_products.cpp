#include "codegen/halide/arithmetic/matrix_products.h"

#include "codegen/device/marker_calls.h"

namespace strata::halide {

using Halide::Internal::Call;

bool has_tensor_cores(const Halide::Target& target) {
  return target.has_feature(Halide::Target::CUDA) && target.get_cuda_capability_lower_bound() >= 80;
}

HExpr matrix_product(const std::string& shape, const std::vector<HExpr>& a,
                     const std::vector<HExpr>& b, const std::vector<HExpr>& c) {
  std::vector<HExpr> operands = a;
  operands.insert(operands.end(), b.begin(), b.end());
  operands.insert(operands.end(), c.begin(), c.end());
  const HType sums = Halide::Float(32, int(c.size()));
  return Halide::reinterpret(
      sums, Call::make(Halide::UInt(sums.bits() * sums.lanes()), device::product_marker + shape,
                       operands, Call::PureExtern));
}

HExpr as_tf32(const HExpr& value) {
  return Call::make(Halide::UInt(32), "llvm.nvvm.f2tf32.rna", {value}, Call::PureExtern);
}

bool is_matrix_product(const std::string& function) {
  return function.starts_with(device::product_marker);
}

}  // namespace strata::halide
