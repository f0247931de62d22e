#include "codegen/halide/scope.h"

namespace strata::halide {

HExpr BufferView::position(const std::vector<HExpr>& indices) const {
  HExpr sum = offset.defined() ? offset : Halide::Internal::make_zero(Halide::Int(64));
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const HExpr from_origin = origins.empty() ? indices[d] : indices[d] - origins[d];
    sum = sum + from_origin * strides[d];
  }
  return sum;
}

}  // namespace strata::halide
