#include "codegen/passes/tighten.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "codegen/tree/exactness.h"
#include "codegen/tree/index_math.h"
#include "core/expr/expr_memo.h"
#include "core/expr/expr_text.h"

namespace strata {

namespace {

Expr integer(std::int64_t value) { return constant(i64, value); }

bool uses(const Expr& e, const std::string& variable) {
  return free_variables(e).count(variable) > 0;
}

// factor * v + rest, modulo 2^64. The equation holds in Z too if all parts are exact (exactness.h)
struct Linear {
  std::int64_t factor;
  Expr rest;
};

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<Linear> multiple_in(std::int64_t times, const std::optional<Linear>& e) {
  const auto factor = e ? product(times, e->factor) : std::nullopt;
  return factor ? std::optional(Linear{*factor, times * e->rest}) : std::nullopt;
}

class Linearity {
 public:
  explicit Linearity(const std::string& v) : v_(v) {}

  const std::optional<Linear>& operator()(const Expr& e) {
    return known_(e, [&] { return of(e); });
  }

 private:
  std::optional<Linear> of(const Expr& e) {
    if (!uses(e, v_)) return Linear{0, e};
    if (e.op() == Op::variable) return Linear{1, integer(0)};
    const bool sum = e.op() == Op::add || e.op() == Op::sub;
    return sum ? of_sum(e) : e.op() == Op::mul ? of_product(e) : std::nullopt;
  }

  std::optional<Linear> of_product(const Expr& e) {
    const auto by = as_constant(e.args()[0]), times = as_constant(e.args()[1]);
    if (by) return multiple_in(*by, (*this)(e.args()[1]));
    return times ? multiple_in(*times, (*this)(e.args()[0])) : std::nullopt;
  }

  std::optional<Linear> of_sum(const Expr& e) {
    const auto a = (*this)(e.args()[0]), b = (*this)(e.args()[1]);
    const auto added = b ? (e.op() == Op::add ? product(-1, b->factor) : b->factor) : std::nullopt;
    const auto factor = a && added ? difference(a->factor, *added) : std::nullopt;
    return factor ? std::optional(Linear{*factor, make(e.op(), {a->rest, b->rest})}) : std::nullopt;
  }

  const std::string& v_;
  Memo<std::optional<Linear>> known_;
};

std::optional<Linear> linear_in(const Expr& e, const std::string& v) { return Linearity(v)(e); }

// If |x| < far, x < y is x < clamp(y, -far, far), and so for the other comparisons. This clamps
// data y that are compared with an index x to just beyond all indices. Sums with the clamped data
// do not overflow.
Expr moderate(const Expr& y, const Expr& x) {
  const std::int64_t far = (std::int64_t{1} << 61) + 1;
  if (y.op() != Op::load || y.type() != i64) return y;
  const Interval range = Exactness().values_of(x);
  if (range.lowest <= -far || range.highest >= far) return y;
  return clamp(y, integer(-far), integer(far));
}

// Adds each conjunct once.
void gather_conjuncts(const Expr& e, std::vector<Expr>& list, std::set<const ExprNode*>& seen) {
  if (!seen.insert(e.identity()).second) return;
  if (e.op() != Op::logical_and) return list.push_back(e);
  for (const Expr& arg : e.args()) gather_conjuncts(arg, list, seen);
}

// Adds the buffers that a statement writes.
void add_written(const StmtPtr& stmt, std::set<std::string>& buffers) {
  if (const auto* execute = std::get_if<Execute>(stmt.get())) {
    buffers.insert(execute->buffer);
    for (const Execute::Other& other : execute->others) buffers.insert(other.buffer);
  }
  for_each_inside(*stmt, [&](const StmtPtr& inside) { add_written(inside, buffers); });
}

// lower <= v, v < upper; either may be undefined.
struct HalfOpenBounds {
  Expr lower, upper;
};

// For a condition "a op b" with a - b = factor * v + rest, as rest + factor * v >= 0:
//     v >= -floor(rest / factor)   or   v < floor(rest / -factor) + 1
// if a, b, rest and the bound are exact.
std::optional<HalfOpenBounds> bounds_from(const Expr& condition, const std::string& v) {
  const Op op = condition.op();
  const bool ordered = op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge;
  if (!ordered || condition.args()[0].type() != i64) return std::nullopt;
  const bool above = op == Op::gt || op == Op::ge;
  const Expr& first = condition.args()[above ? 0 : 1];
  const Expr& second = condition.args()[above ? 1 : 0];
  const Expr left = moderate(first, second), right = moderate(second, first);
  const auto a = linear_in(left, v), b = linear_in(right, v);
  const auto factor = a && b ? difference(a->factor, b->factor) : std::nullopt;
  if (!factor || *factor == 0 || *factor == std::numeric_limits<std::int64_t>::min())
    return std::nullopt;
  const std::int64_t strict = op == Op::gt || op == Op::lt ? 1 : 0;
  const Expr rest = a->rest - b->rest - strict;
  const Expr bound = *factor > 0 ? 0 - rest / *factor : rest / -*factor + 1;
  Exactness exactness;
  for (const Expr& e : {left, right, rest, bound})
    if (!exactness.is_exact(e)) return std::nullopt;
  return *factor > 0 ? HalfOpenBounds{simplified(bound), Expr()}
                     : HalfOpenBounds{Expr(), simplified(bound)};
}

class Tighten {
 public:
  StmtPtr stmt(const StmtPtr& s) {
    const auto edit = [this](const StmtPtr& inside) { return stmt(inside); };
    if (!std::holds_alternative<For>(*s)) return with_insides(*s, edit);
    For loop = std::get<For>(*s);
    if (has_lanes(loop.processor)) lanes_.push_back(&loop);
    loop.body = stmt(loop.body);
    if (has_lanes(loop.processor)) lanes_.pop_back();
    return tightened(loop);
  }

 private:
  StmtPtr tightened(For loop) {
    std::set<std::string> written;
    add_written(loop.body, written);
    const auto raised = raise(loop.body, {loop.variable, written});
    if (!raised || uses_any(raised->guards, loop.variable)) return make_stmt(std::move(loop));
    const Expr lower = loop.lower, upper = loop.upper;
    Expr runs;  // does any iteration run?
    for (const HalfOpenBounds& bounds : raised->bounds) {
      const bool below = bounds.lower.defined();
      runs = both(runs, below ? bounds.lower < upper : lower < bounds.upper);
    }
    if (is_cut(loop)) {
      for (const HalfOpenBounds& bounds : raised->bounds) {
        if (bounds.lower.defined())
          loop.lower = max(loop.lower, min(upper, bounds.lower));
        else
          loop.upper = min(loop.upper, max(lower, bounds.upper));
      }
      keep_lanes_apart(loop.lower);
      keep_lanes_apart(loop.upper);
      loop.extent.reset();
      loop.body = raised->stmt;
    }
    std::vector<Expr> around = raised->guards;
    if (!is_never_empty(lower, upper)) around.push_back(lower < upper);
    around.push_back(runs);
    StmtPtr result = make_stmt(std::move(loop));
    for (auto condition = around.rbegin(); condition != around.rend(); ++condition)
      result = make_stmt(If{*condition, result, nullptr});
    return result;
  }

  static bool is_never_empty(const Expr& lower, const Expr& upper) {
    const auto steps = constant_difference(upper, lower);
    return steps && *steps > 0;
  }

  // Vector and unrolled loops keep their extents. So do blocks and threads: all of them run.
  static bool is_cut(const For& loop) {
    return traits(loop.processor).stays_loop && !is_of_launch(loop.processor);
  }

  // The loop whose bounds are sought: its variable, and the buffers that it writes.
  struct Sought {
    const std::string& variable;
    const std::set<std::string>& written;
  };

  // A body is "if (guards) if (conditions with these bounds) stmt"; the guards read no data.
  struct Raised {
    std::vector<Expr> guards;
    std::vector<Expr> conditions;
    std::vector<HalfOpenBounds> bounds;
    StmtPtr stmt;
  };

  static bool uses_any(const std::vector<Expr>& list, const std::string& variable) {
    return std::any_of(list.begin(), list.end(), [&](const Expr& e) { return uses(e, variable); });
  }

  // Nothing if no condition on data bounds the loop.
  static std::optional<Raised> raise(const StmtPtr& body, const Sought& loop) {
    if (const auto* branch = std::get_if<If>(body.get())) return raise_if(*branch, loop);
    if (const auto* inside = std::get_if<For>(body.get())) return raise_loop(*inside, loop);
    if (const auto* block = std::get_if<Block>(body.get())) return raise_block(*block, loop);
    return std::nullopt;
  }

  static std::optional<Raised> raise_if(const If& branch, const Sought& loop) {
    if (branch.otherwise) return std::nullopt;
    Raised found;
    Expr rest;
    std::vector<Expr> conjuncts;
    std::set<const ExprNode*> seen;
    gather_conjuncts(branch.condition, conjuncts, seen);
    for (const Expr& condition : conjuncts) {
      const auto bounds = depends_on_data(condition, loop.written)
                              ? bounds_from(condition, loop.variable)
                              : std::nullopt;
      if (!bounds) {
        rest = both(rest, condition);
        continue;
      }
      found.conditions.push_back(condition);
      found.bounds.push_back(*bounds);
    }
    if (found.bounds.empty()) return raise_guarded(branch, loop);
    found.stmt =
        rest.defined() ? make_stmt(If{rest, branch.then, nullptr, branch.masks}) : branch.then;
    return found;
  }

  // if (guard) if (condition) S
  static std::optional<Raised> raise_guarded(const If& branch, const Sought& loop) {
    if (reads_data(branch.condition)) return std::nullopt;
    auto found = raise(branch.then, loop);
    if (found) found->guards.insert(found->guards.begin(), branch.condition);
    return found;
  }

  // for (j = l; j < u; ++j) if (condition) S  ~>  if (l < u) if (condition) for (j ..) S
  static std::optional<Raised> raise_loop(For inside, const Sought& loop) {
    if (is_of_launch(inside.processor) || reads_data(inside.lower) || reads_data(inside.upper))
      return std::nullopt;
    auto found = raise(inside.body, loop);
    if (!found || uses_any(found->guards, inside.variable) ||
        uses_any(found->conditions, inside.variable))
      return std::nullopt;
    if (!is_never_empty(inside.lower, inside.upper))
      found->guards.insert(found->guards.begin(), inside.lower < inside.upper);
    inside.body = found->stmt;
    found->stmt = make_stmt(std::move(inside));
    return found;
  }

  // { if (g) if (condition) S; if (h) if (condition) T }
  //     ~>  if (g || h) if (condition) { if (g) S; if (h) T }
  static std::optional<Raised> raise_block(const Block& block, const Sought& loop) {
    std::optional<Raised> all;
    Block inside;
    Expr any;
    bool always = false;
    for (const StmtPtr& part : block.body) {
      auto found = raise(part, loop);
      if (!found || (all && texts(all->conditions) != texts(found->conditions)))
        return std::nullopt;
      Expr guard;
      for (const Expr& condition : found->guards) guard = both(guard, condition);
      inside.body.push_back(guard.defined() ? make_stmt(If{guard, found->stmt, nullptr})
                                            : found->stmt);
      always = always || !guard.defined();
      if (!always) any = any.defined() ? any || guard : guard;
      all = std::move(found);
    }
    if (!all) return std::nullopt;
    all->guards = always ? std::vector<Expr>{} : std::vector{any};
    all->stmt = make_stmt(std::move(inside));
    return all;
  }

  static std::vector<std::string> texts(const std::vector<Expr>& list) {
    std::vector<std::string> result;
    for (const Expr& e : list) result.push_back(to_text(e));
    return result;
  }

  static bool reads_data(const Expr& e) {
    bool read = false;
    visit(e, [&](const Expr& part) { read = read || part.op() == Op::load; });
    return read;
  }

  // Does the condition read data, but none that the loop writes?
  static bool depends_on_data(const Expr& condition, const std::set<std::string>& written) {
    bool read = false, constant = true;
    visit(condition, [&](const Expr& e) {
      if (e.op() != Op::load) return;
      read = true;
      constant = constant && !written.count(e.name());
    });
    return read && constant;
  }

  void keep_lanes_apart(const Expr& bound) {
    for (For* lanes : lanes_)
      if (uses(bound, lanes->variable)) lanes->lockstep = false;
  }

  std::vector<For*> lanes_;  // the vector loops around
};

}  // namespace

Kernel tighten(const Kernel& kernel) {
  return with_bodies(kernel, [](const StmtPtr& body) { return Tighten().stmt(body); });
}

}  // namespace strata
