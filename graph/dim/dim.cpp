#include "graph/dim/dim.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/floor_quotient.h"

namespace strata::graph {

std::string why_no_dim(const Expr& e) {
  if (const ExprNode* bad = find_invalid(e)) return "is wrong: " + bad->name;
  std::string why;
  visit(e, [&](const Expr& part) {
    if (!why.empty()) return;
    switch (part.op()) {
      case Op::constant:
      case Op::parameter:
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::mod:
      case Op::min:
      case Op::max:
      case Op::negate:
      case Op::abs:
        if (is_float(part.type()) || part.type() == boolean)
          why = "is of type " + to_string(part.type()) + ", and extents are integers";
        break;
      case Op::variable:
        why = "uses the iterator " + part.name() + ", and extents are over symbols";
        break;
      case Op::access: why = "reads " + part.name() + ", and extents are over symbols"; break;
      default:
        why = "uses " + to_string(part.op()) + ", and extents have + - * / % min max abs only";
    }
  });
  return why;
}

namespace {

// The exact result of an operation on int64 values.
__int128 result_of(Op op, __int128 a, __int128 b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return b == 0 ? 0 : floor_quotient(a, b);
    case Op::mod: return b == 0 ? 0 : a - floor_quotient(a, b) * b;
    case Op::min: return std::min(a, b);
    case Op::max: return std::max(a, b);
    case Op::negate: return -a;
    default: return a < 0 ? -a : a;
  }
}

class Evaluator {
 public:
  explicit Evaluator(const SymbolValues& symbols) : symbols_(symbols) {}

  std::optional<std::int64_t> operator()(const Expr& e) {
    if (e.op() == Op::constant) return e.node().integer;
    if (e.op() == Op::parameter) {
      const auto found = symbols_.find(e.name());
      return found == symbols_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto [place, fresh] = done_.try_emplace(e.identity());
    if (fresh) place->second = computed(e);
    return done_.at(e.identity());
  }

 private:
  std::optional<std::int64_t> computed(const Expr& e) {
    const auto a = (*this)(e.args()[0]);
    const auto b = e.args().size() > 1 ? (*this)(e.args()[1]) : std::optional<std::int64_t>(0);
    if (!a || !b) return std::nullopt;
    const __int128 result = result_of(e.op(), *a, *b);
    if (result != std::int64_t(result)) return std::nullopt;
    return std::int64_t(result);
  }

  const SymbolValues& symbols_;
  std::unordered_map<const ExprNode*, std::optional<std::int64_t>> done_;
};

}  // namespace

std::optional<std::int64_t> value_of(const Expr& dim, const SymbolValues& symbols) {
  return Evaluator(symbols)(dim);
}

std::optional<bool> holds(const Expr& comparison, const SymbolValues& symbols) {
  const auto a = value_of(comparison.args()[0], symbols);
  const auto b = value_of(comparison.args()[1], symbols);
  if (!a || !b) return std::nullopt;
  switch (comparison.op()) {
    case Op::eq: return *a == *b;
    case Op::ne: return *a != *b;
    case Op::lt: return *a < *b;
    case Op::le: return *a <= *b;
    case Op::gt: return *a > *b;
    default: return *a >= *b;
  }
}

std::vector<std::string> symbols_of(const Expr& e) {
  std::vector<std::string> symbols;
  std::set<std::string> seen;
  visit(e, [&](const Expr& part) {
    if (part.op() == Op::parameter && seen.insert(part.name()).second)
      symbols.push_back(part.name());
  });
  return symbols;
}

Expr with_symbols(const Expr& e, const std::function<Expr(const std::string&)>& f) {
  return rewrite(
      e, [&](const Expr& part) { return part.op() == Op::parameter ? f(part.name()) : Expr(); });
}

}  // namespace strata::graph
