#include "graph/ir/likely.h"

#include "graph/dim/dim.h"

namespace strata::graph {

namespace {

constexpr std::int64_t likely_extent = 1000;

}  // namespace

double likely(const Expr& extent) {
  SymbolValues values;
  for (const std::string& symbol : symbols_of(extent)) values[symbol] = likely_extent;
  return double(value_of(extent, values).value_or(likely_extent));
}

double likely_elements(const Shape& shape) {
  double count = 1;
  for (const Expr& extent : shape) count *= likely(extent);
  return count;
}

double likely_bytes(const ValueType& type) {
  if (!type.dims() || !type.element()) return 0;
  return likely_elements(*type.dims()) * bytes(*type.element());
}

}  // namespace strata::graph
