#include "graph/dim/bound.h"

#include <algorithm>
#include <vector>

#include "core/floor_quotient.h"
#include "core/sets/session.h"
#include "graph/dim/linear.h"
#include "layers/affine/affine.h"

namespace strata::graph {

namespace {

// Work for one question to isl: about 5 ms.
constexpr unsigned long bound_budget = 100'000;

struct Range {
  __int128 least = 0, greatest = 0;
};

Range hull(std::initializer_list<__int128> values) { return {std::min(values), std::max(values)}; }

std::optional<Range> quotients(const Range& a, const Range& b) {
  if (b.least <= 0) return std::nullopt;
  return hull({floor_quotient(a.least, b.least), floor_quotient(a.least, b.greatest),
               floor_quotient(a.greatest, b.least), floor_quotient(a.greatest, b.greatest)});
}

std::optional<Range> combined(Op op, const Range& a, const Range& b) {
  switch (op) {
    case Op::add: return Range{a.least + b.least, a.greatest + b.greatest};
    case Op::sub: return Range{a.least - b.greatest, a.greatest - b.least};
    case Op::mul:
      return hull(
          {a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest});
    case Op::div: return quotients(a, b);
    case Op::mod: return b.least <= 0 ? std::optional<Range>() : Range{0, b.greatest - 1};
    case Op::min: return Range{std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
    case Op::max: return Range{std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
    case Op::negate: return Range{-a.greatest, -a.least};
    default: {
      const bool spans_zero = a.least < 0 && a.greatest > 0;
      const __int128 low =
          std::min(a.least < 0 ? -a.least : a.least, a.greatest < 0 ? -a.greatest : a.greatest);
      return Range{spans_zero ? 0 : low, std::max(-a.least, a.greatest)};
    }
  }
}

// Of the parts of the dim, each by itself. Dims are small trees: normal forms.
std::optional<Range> range_of(const Expr& e, const SymbolValues& bounds) {
  if (e.op() == Op::constant) return Range{e.node().integer, e.node().integer};
  if (e.op() == Op::parameter) {
    const auto bound = bounds.find(e.name());
    return bound == bounds.end() ? std::nullopt : std::optional(Range{0, bound->second});
  }
  const auto a = range_of(e.args()[0], bounds);
  const auto b = e.args().size() > 1 ? range_of(e.args()[1], bounds) : std::optional(Range{});
  if (!a || !b) return std::nullopt;
  const auto made = combined(e.op(), *a, *b);
  const auto fits = [](__int128 value) { return value == std::int64_t(value); };
  return made && fits(made->least) && fits(made->greatest) ? made : std::nullopt;
}

// Can the dim be greater than the number?  True if isl does not know.
class Exceeds {
 public:
  Exceeds(const Expr& dim, const SymbolValues& bounds) {
    int symbols = 0;
    Linear linear([&](const Expr& value) {
      const std::string name = "not_affine_" + std::to_string(symbols++);
      if (const auto range = range_of(value, bounds)) add(name, *range);
      return name;
    });
    dim_ = linear.dim(dim);
    for (const auto& [name, bound] : bounds) add(name, {0, bound});
  }

  bool operator()(std::int64_t number) const {
    thread_local const Session session(bound_budget);
    bool exceeds = true;
    session.within_budget([&] {
      const IteratorScope scope = scope_of(session.isl(), "", {});
      auto larger = condition_over_integers(dim_ > constant(i64, number), scope);
      if (!larger) return;
      for (const Expr& fact : facts_)
        if (const auto holds = condition_over_integers(fact, scope))
          larger = larger->intersect(*holds);
      exceeds = !larger->is_empty();
    });
    return exceeds;
  }

 private:
  void add(const std::string& symbol, const Range& range) {
    const Expr value = parameter(symbol);
    facts_.push_back(value >= constant(i64, std::int64_t(range.least)));
    facts_.push_back(value <= constant(i64, std::int64_t(range.greatest)));
  }

  Expr dim_;
  std::vector<Expr> facts_ = {};
};

}  // namespace

std::optional<std::int64_t> upper_bound(const Expr& given, const SymbolValues& bounds) {
  const Expr dim = normal(given);
  const auto range = range_of(dim, bounds);
  if (!range) return std::nullopt;
  const Exceeds exceeds(dim, bounds);
  __int128 least = range->least, greatest = range->greatest;
  if (least == greatest || exceeds(std::int64_t(greatest - 1))) return std::int64_t(greatest);
  while (least < greatest) {
    const __int128 middle = floor_quotient<__int128>(least + greatest, 2);
    if (exceeds(std::int64_t(middle)))
      least = middle + 1;
    else
      greatest = middle;
  }
  return std::int64_t(greatest);
}

}  // namespace strata::graph
