#include "codegen/passes/narrow.h"

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/tree/exactness.h"
#include "codegen/tree/index_math.h"
#include "core/expr/expr_memo.h"
#include "core/floor_quotient.h"

namespace strata {

namespace {

using Bound = std::optional<std::int64_t>;

// lower <= value <= upper; each is empty if unknown.
struct KnownRange {
  Bound lower, upper;
};

template <typename Function>
Bound both(const Bound& a, const Bound& b, const Function& function) {
  std::int64_t result = 0;
  if (!a || !b || function(*a, *b, &result)) return std::nullopt;
  return result;
}

Bound sum(const Bound& a, const Bound& b) {
  return both(a, b, [](auto x, auto y, auto* r) { return __builtin_add_overflow(x, y, r); });
}

Bound product(const Bound& a, std::int64_t factor) {
  return both(a, factor, [](auto x, auto y, auto* r) { return __builtin_mul_overflow(x, y, r); });
}

KnownRange scaled(const KnownRange& a, std::int64_t factor) {
  const KnownRange result{product(a.lower, factor), product(a.upper, factor)};
  return factor < 0 ? KnownRange{result.upper, result.lower} : result;
}

// The smaller ("least") or the larger of two bounds. If only one bound is known, the result is this
// bound ("any") or unknown.
Bound extreme(const Bound& a, const Bound& b, bool least, bool any) {
  if (a && b) return least ? std::min(*a, *b) : std::max(*a, *b);
  return any ? (a ? a : b) : std::nullopt;
}

class Ranges {
 public:
  void enter(const For& loop) {
    const Bound last = sum(of(loop.upper).upper, -1);
    variables_[loop.variable] = {of(loop.lower).lower, last};
    known_.clear();
  }
  void leave(const For& loop) {
    variables_.erase(loop.variable);
    known_.clear();
  }

  KnownRange of(const Expr& e) {
    if (const auto value = as_constant(e)) return {value, value};
    if (e.op() == Op::variable) {
      const auto known = variables_.find(e.name());
      return known == variables_.end() ? KnownRange{} : known->second;
    }
    return e.type() == i64 && e.args().size() == 2 ? known_(e, [&] { return of_operation(e); })
                                                   : KnownRange{};
  }

 private:
  // A sum, a difference or a multiple with one known end has that end only if it does not wrap: if
  // it is an index (exactness.h), or if the other end is known too and within 64 bits.
  KnownRange of_operation(const Expr& e) {
    const KnownRange found = unwrapped(e);
    const bool may_wrap = e.op() == Op::add || e.op() == Op::sub || e.op() == Op::mul;
    if (!may_wrap || (found.lower && found.upper) || exactness_.is_index(e)) return found;
    return {};
  }

  KnownRange unwrapped(const Expr& e) {
    const KnownRange a = of(e.args()[0]), b = of(e.args()[1]);
    const Bound first = as_constant(e.args()[0]), second = as_constant(e.args()[1]);
    switch (e.op()) {
      case Op::add: return {sum(a.lower, b.lower), sum(a.upper, b.upper)};
      case Op::sub: {
        const KnownRange negated = scaled(b, -1);
        return {sum(a.lower, negated.lower), sum(a.upper, negated.upper)};
      }
      case Op::mul: return first ? scaled(b, *first) : second ? scaled(a, *second) : KnownRange{};
      case Op::min:
        return {extreme(a.lower, b.lower, true, false), extreme(a.upper, b.upper, true, true)};
      case Op::max:
        return {extreme(a.lower, b.lower, false, true), extreme(a.upper, b.upper, false, false)};
      case Op::mod: return second && *second > 0 ? KnownRange{0, *second - 1} : KnownRange{};
      case Op::div:
        if (!second || *second <= 0) return {};
        return {a.lower ? Bound(floor_quotient(*a.lower, *second)) : std::nullopt,
                a.upper ? Bound(floor_quotient(*a.upper, *second)) : std::nullopt};
      default: return {};
    }
  }

  std::map<std::string, KnownRange> variables_;
  Memo<KnownRange> known_;  // valid for these variables
  Exactness exactness_;
};

// A sum as unit * multiple + rest: the terms that are multiples of a unit, and the others.
struct Parts {
  std::int64_t unit;
  Expr multiple = constant(i64, 0), rest = constant(i64, 0);

  // Adds factor * e; false if a factor is not within 64 bits.
  bool add(const Expr& e, std::int64_t factor) {
    if (e.op() == Op::add || e.op() == Op::sub) {
      std::int64_t second = factor;
      if (e.op() == Op::sub && __builtin_sub_overflow(0, factor, &second)) return false;
      return add(e.args()[0], factor) && add(e.args()[1], second);
    }
    for (const int side : {0, 1}) {
      const auto c = e.op() == Op::mul ? as_constant(e.args()[std::size_t(side)]) : std::nullopt;
      std::int64_t both = 0;
      if (c)
        return !__builtin_mul_overflow(factor, *c, &both) &&
               add(e.args()[std::size_t(1 - side)], both);
    }
    std::int64_t value = factor;
    const auto known = as_constant(e);
    if (known && __builtin_mul_overflow(factor, *known, &value)) return false;
    const std::int64_t times = floor_quotient(value, unit), left = value - times * unit;
    if (known) {
      multiple = multiple + times;
      rest = rest + left;
    } else if (left == 0) {
      multiple = multiple + e * times;
    } else {
      rest = rest + e * factor;
    }
    return true;
  }
};

class Narrow {
 public:
  StmtPtr stmt(const StmtPtr& s) { return std::visit(*this, *s); }

  StmtPtr operator()(For loop) {
    loop.lower = narrowed(loop.lower);
    loop.upper = narrowed(loop.upper);
    if (!loop.extent) loop.extent = constant_difference(loop.upper, loop.lower);
    ranges_.enter(loop);
    loop.body = stmt(loop.body);
    ranges_.leave(loop);
    return make_stmt(std::move(loop));
  }
  StmtPtr operator()(If branch) {
    branch.condition = narrowed(branch.condition);
    return with_narrowed_insides(std::move(branch));
  }
  StmtPtr operator()(const Block& block) { return with_narrowed_insides(block); }
  StmtPtr operator()(const Allocate& allocate) { return with_narrowed_insides(allocate); }
  StmtPtr operator()(const Launch& launch) { return with_narrowed_insides(launch); }
  StmtPtr operator()(const ThreadGuard& guard) { return with_narrowed_insides(guard); }
  StmtPtr operator()(const Free& s) { return make_stmt(s); }
  StmtPtr operator()(const Barrier& s) { return make_stmt(s); }
  StmtPtr operator()(const AwaitCopies& s) { return make_stmt(s); }
  StmtPtr operator()(const DeviceCopy& s) { return make_stmt(s); }
  StmtPtr operator()(const Mma& s) { return make_stmt(s); }  // made later, of narrowed loops
  StmtPtr operator()(const Exchange& s) { return make_stmt(s); }
  StmtPtr operator()(const Agree& s) { return make_stmt(s); }
  StmtPtr operator()(PrefetchBox s) {
    for (Expr& lower : s.lowers) lower = narrowed(lower);
    for (Expr& extent : s.extents) extent = narrowed(extent);
    return make_stmt(std::move(s));
  }
  StmtPtr operator()(Execute execute) {
    for (Expr& coordinate : execute.instance) coordinate = narrowed(coordinate);
    for (Expr& index : execute.indices) index = narrowed(index);
    execute.value = with_narrowed_loads(execute.value);
    for (Execute::Other& other : execute.others) other.value = with_narrowed_loads(other.value);
    return make_stmt(std::move(execute));
  }

 private:
  StmtPtr with_narrowed_insides(Stmt s) {
    return with_insides(std::move(s), [this](const StmtPtr& inside) { return stmt(inside); });
  }

  Expr with_narrowed_loads(const Expr& value) {
    return rewrite(value, [this](const Expr& e) -> Expr {
      if (e.op() != Op::load) return {};
      std::vector<Expr> indices;
      for (const Expr& index : e.args()) indices.push_back(narrowed(index));
      return with_args(e, indices);
    });
  }

  Expr narrowed(const Expr& e) {
    bool changed = false;
    const Expr result = rewrite(e, [&](const Expr& node) -> Expr {
      Expr shorter = within_one_multiple(node);
      if (!shorter.defined()) shorter = without_rest(node);
      changed |= shorter.defined();
      return shorter;
    });
    return changed ? simplified(result) : e;
  }

  Expr within_one_multiple(const Expr& e) {
    if ((e.op() != Op::div && e.op() != Op::mod) || e.type() != i64) return {};
    const auto m = as_constant(e.args()[1]);
    const KnownRange range = ranges_.of(e.args()[0]);
    if (!m || *m <= 0 || !range.lower || !range.upper) return {};
    const std::int64_t multiple = floor_quotient(*range.lower, *m);
    if (multiple != floor_quotient(*range.upper, *m)) return {};
    if (e.op() == Op::div) return constant(i64, multiple);
    // Modulo 2^64, where the difference is right even if the product wraps.
    const auto whole = std::int64_t(std::uint64_t(multiple) * std::uint64_t(*m));
    return simplified(e.args()[0] - whole);
  }

  Expr without_rest(const Expr& e) {
    if ((e.op() != Op::div && e.op() != Op::mod) || e.type() != i64) return {};
    const Expr& whole = e.args()[0];
    const auto m = as_constant(e.args()[1]);
    if (whole.op() != Op::add || !m || *m < 2 || !exactness_.is_index(whole)) return {};
    for (std::int64_t unit = *m; unit > 1; unit = largest_divisor_below(*m, unit)) {
      Parts parts{unit};
      if (!parts.add(whole, 1)) return {};
      const Expr rest = simplified(parts.rest);
      const KnownRange range = ranges_.of(rest);
      if (as_constant(parts.multiple) || !range.lower || !range.upper || *range.lower < 0 ||
          *range.upper >= unit)
        continue;
      const Expr multiple = simplified(parts.multiple), units = constant(i64, *m / unit);
      if (unit == *m) return e.op() == Op::div ? multiple : rest;
      if (e.op() == Op::div) return simplified(multiple / units);
      return simplified((multiple % units) * unit + rest);
    }
    return {};
  }

  // The largest divisor of m below "last" among its halves, thirds, .., sixteenths; 1 if there is
  // none.
  static std::int64_t largest_divisor_below(std::int64_t m, std::int64_t last) {
    for (std::int64_t parts = m / last + 1; parts <= 16 && parts < m; ++parts)
      if (m % parts == 0) return m / parts;
    return 1;
  }

  Ranges ranges_;
  Exactness exactness_;
};

}  // namespace

Kernel narrow(const Kernel& kernel) {
  return with_bodies(kernel, [](const StmtPtr& body) { return Narrow().stmt(body); });
}

}  // namespace strata
