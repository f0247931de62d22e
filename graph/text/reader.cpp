#include "graph/text/reader.h"

#include <fmt/format.h>

namespace strata::graph {

Shape Reader::dims() {
  scanner_.expect("(");
  return rest_of_dims();
}

Type Reader::element() {
  const Token token = scanner_.peek();
  const std::string name = scanner_.expect_name("an element type");
  if (const auto type = type_named(name)) return *type;
  scanner_.fail(token, Code::E0108_unreadable_text, name + " is not an element type");
}

ValueType Reader::extents() {
  if (scanner_.accept_keyword("_")) return ValueType::tensor(std::optional<int>(), std::nullopt);
  if (scanner_.is_symbol("%") && variable) {
    const Value shape = variable();
    return ValueType::tensor(shape, shape.type().rank(), std::nullopt);
  }
  scanner_.expect("(");
  if (!scanner_.is_keyword("_")) return ValueType::tensor(rest_of_dims(), std::nullopt);
  int rank = 0;
  do {
    scanner_.expect_keyword("_");
    ++rank;
  } while (scanner_.accept(","));
  scanner_.expect(")");
  return ValueType::tensor(rank, std::nullopt);
}

ValueType Reader::type() {
  if (scanner_.accept("("))
    return ValueType::tuple(read_fields(scanner_, [this] { return type(); }));
  const Token token = scanner_.peek();
  const std::string kind = scanner_.expect_name("a type");
  if (kind == "Object") return {};
  if (kind == "Function") return ValueType::function();
  if (kind == "Nothing") return ValueType::nothing();
  if (kind == "Shape" && !scanner_.is_symbol("[")) return ValueType::shape(std::optional<int>());
  if (kind != "Tensor" && kind != "Shape")
    scanner_.fail(token, Code::E0108_unreadable_text, kind + " is not a type");
  scanner_.expect("[");
  const ValueType known = extents();
  std::optional<Type> type;
  if (kind == "Tensor") {
    scanner_.expect(",");
    if (!scanner_.accept_keyword("_")) type = element();
  }
  scanner_.expect("]");
  if (kind == "Shape") {
    if (known.extents())
      scanner_.fail(token, Code::E0108_unreadable_text, "a shape has dims, and no variable");
    return known.dims() ? ValueType::shape(*known.dims()) : ValueType::shape(known.rank());
  }
  if (known.dims()) return ValueType::tensor(*known.dims(), type);
  if (known.extents()) return ValueType::tensor(Value(known.extents()), known.rank(), type);
  return ValueType::tensor(known.rank(), type);
}

Error at_place(const TextScanner& scanner, const Token& token, const Error& error) {
  Refusal refusal = error.refusal();
  if (refusal.explanation.starts_with("line ")) return error;
  const TextPosition at = scanner.position(token.begin);
  refusal.explanation =
      fmt::format("line {}, column {}: {}", at.line, at.column, refusal.explanation);
  return Error(refusal);
}

}  // namespace strata::graph
