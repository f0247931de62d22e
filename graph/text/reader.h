// Reads the parts that kernels and graph functions have in common: dims and types.
#pragma once

#include <functional>

#include "core/text_scanner.h"
#include "graph/ir/module.h"

namespace strata::graph {

// All errors are E0108, with line and column.
class Reader {
 public:
  // "symbols" are the names in dims.
  Reader(TextScanner& scanner, const ExprNames& symbols) : scanner_(scanner), symbols_(symbols) {}

  // Finds the variable of %name in a type. If this is empty, types have no variables.
  std::function<Value()> variable = {};

  Shape dims();  // "(n, 4)"
  Shape rest_of_dims() { return graph::rest_of_dims(scanner_, symbols_); }
  Type element();
  ValueType type();

 private:
  // Reads what is known of extents, as a tensor type without an element type.
  ValueType extents();

  TextScanner& scanner_;
  const ExprNames& symbols_;
};

// Reads items after "(", up to and with ")". A comma follows each item; after the last of several
// items it may be missing. No items are "(,)".
template <typename Read>
auto read_fields(TextScanner& scanner, const Read& read) {
  std::vector<decltype(read())> fields;
  bool has_comma = scanner.accept(",");
  if (!has_comma) do {
      fields.push_back(read());
      has_comma = scanner.accept(",");
    } while (has_comma && !scanner.is_symbol(")"));
  if (fields.size() == 1 && !has_comma) scanner.fail_expecting("','");
  scanner.expect(")");
  return fields;
}

// The refusal with the place of the token, "line 2, column 7: ", before its explanation, unless the
// refusal has a place already.
Error at_place(const TextScanner& scanner, const Token& token, const Error& error);
// Calls act(). Its refusals get the place of the token.
template <typename Act>
auto placed(const TextScanner& scanner, const Token& token, const Act& act) try {
  return act();
} catch (const Error& error) {
  throw at_place(scanner, token, error);
}

}  // namespace strata::graph
