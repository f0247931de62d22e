#include "graph/build/memory_calls.h"

#include "graph/build/lowered.h"
#include "graph/evaluate/element.h"

namespace strata::graph {

std::optional<Expr> bytes_of(const ValueType& type) {
  if (!type.dims() || !type.element()) return std::nullopt;
  Expr bytes = constant(i64, bytes_of(*type.element()));
  for (const Expr& dim : *type.dims()) bytes = bytes * dim;
  return normal(bytes);
}

Value emit_storage(Rewriter& r, const Value& bytes, const std::string& element) {
  const auto* literal = bytes.node()->as<ShapeLiteral>();
  const ValueType type = literal ? ValueType::tensor(literal->dims, u8) : ValueType::tensor(1, u8);
  return r.emit(
      call_packed(builtin::storage, {bytes, text_value("cpu"), text_value(element)}, type, true),
      "storage");
}

void bind_array(Rewriter& r, const Binding& b, const Value& storage, const Value& offset) {
  const auto* call = b.as<PackedCall>();
  r.bind(
      b.value,
      PackedCall{builtin::tensor, {storage, offset, call->arguments[0], call->arguments[1]}, true},
      b.where);
}

}  // namespace strata::graph
