#include "codegen/halide/emit/scope.h"

#include "codegen/halide/refusal.h"

namespace strata::halide {

HExpr BufferView::position(const std::vector<HExpr>& indices) const {
  HExpr sum = offset.defined() ? offset : Halide::Internal::make_zero(Halide::Int(64));
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const HExpr from_origin = origins.empty() ? indices[d] : indices[d] - origins[d];
    sum = sum + from_origin * strides[d];
  }
  return sum;
}

const BufferView& buffer_named(const Scope& scope, const std::string& name) {
  const auto found = scope.buffers.find(name);
  if (found == scope.buffers.end())
    throw cannot_generate("the buffer '" + name + "' is not known here");
  return found->second;
}

}  // namespace strata::halide
