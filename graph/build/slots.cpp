#include "graph/build/slots.h"

#include <algorithm>

namespace strata::graph {

namespace {

void append(Slots::Codes& codes, DimCode code, std::int64_t value) {
  codes.push_back(std::int64_t(code));
  codes.push_back(value);
}

// The number of the operation among vm_operations (vm/builtins.h).
std::int64_t number_of(Op op) {
  constexpr Op operations[] = {Op::add, Op::sub, Op::mul,    Op::div, Op::mod,
                               Op::min, Op::max, Op::negate, Op::abs};
  return std::find(std::begin(operations), std::end(operations), op) - std::begin(operations);
}

}  // namespace

bool Slots::is_computable(const Expr& dim) const {
  const std::vector<std::string> symbols = symbols_of(dim);
  return std::all_of(symbols.begin(), symbols.end(), [this](const std::string& symbol) {
    return known_.contains(dim_text(parameter(symbol)));
  });
}

void Slots::add(const Expr& dim, Codes& codes) const {
  if (const auto number = constant_dim(dim))
    append(codes, DimCode::value, *number);
  else
    append(codes, DimCode::slot, slots_.at(dim_text(dim)));
}

void Slots::define(const Expr& dim, Codes& codes) { append(codes, DimCode::store, slot_of(dim)); }

void Slots::compute(const Expr& dim, Codes& program) {
  push(normal(dim), program);
  define(dim, program);
}

std::int64_t Slots::slot_of(const Expr& dim) {
  const std::string text = dim_text(dim);
  known_.insert(text);
  return slots_.emplace(text, count()).first->second;
}

// Dims are small: those that are nested deep are refused by their text.
void Slots::push(const Expr& e, Codes& program) const {
  if (e.op() == Op::constant) return append(program, DimCode::value, e.node().integer);
  if (e.op() == Op::parameter) return append(program, DimCode::slot, slots_.at(dim_text(e)));
  for (const Expr& operand : e.args()) push(operand, program);
  append(program, DimCode::operation, number_of(e.op()));
}

}  // namespace strata::graph
