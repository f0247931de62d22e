#include "codegen/passes/unswitch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "codegen/tree/exactness.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/tree_names.h"

namespace strata {

namespace {

bool is_ordinary(const For& loop) {
  return traits(loop.processor).stays_loop && in_order(loop.processor);
}

template <typename Visitor>
void for_each_loop(const StmtPtr& s, const Visitor& visitor) {
  if (const auto* loop = std::get_if<For>(s.get())) visitor(*loop);
  for_each_inside(*s, [&](const StmtPtr& inside) { for_each_loop(inside, visitor); });
}

// Does each iteration of the loop over "variable" store to the same places?
bool accumulates(const StmtPtr& s, const std::string& variable) {
  bool result = true;
  if (const auto* execute = std::get_if<Execute>(s.get()))
    for (const Expr& index : execute->indices)
      result = result && !free_variables(index).count(variable);
  for_each_inside(*s,
                  [&](const StmtPtr& inside) { result = result && accumulates(inside, variable); });
  return result;
}

// The conditions under which the iterations of an unrolled loop run, each implied by the next.
using Guard = std::vector<Expr>;

Expr at_value(const Expr& e, const std::string& variable, const Expr& value) {
  return simplified(
      substitute(e, [&](const std::string& name) { return name == variable ? value : Expr(); }));
}

// Does "later" imply "earlier", the same comparison of indices for another iteration?
bool implies(const Expr& later, const Expr& earlier) {
  const Op op = earlier.op();
  if (later.op() != op || later.args().size() != 2 || earlier.args().size() != 2) return false;
  if (op == Op::logical_and)
    return implies(later.args()[0], earlier.args()[0]) &&
           implies(later.args()[1], earlier.args()[1]);
  if (same(later, earlier)) return true;
  const bool above = op == Op::gt || op == Op::ge, below = op == Op::lt || op == Op::le;
  if ((!above && !below) || later.args()[0].type() != i64) return false;
  const auto left = constant_difference(later.args()[0], earlier.args()[0]);
  const auto right = constant_difference(later.args()[1], earlier.args()[1]);
  return left && right && (above ? *left <= *right : *left >= *right);
}

std::optional<Guard> guard_of(const For& loop) {
  const auto* branch = std::get_if<If>(loop.body.get());
  if (!is_copied(loop.processor) || !loop.extent || *loop.extent < 2 ||
      *loop.extent > most_versions || !branch || branch->otherwise || branch->masks ||
      !Exactness().is_index(branch->condition))
    return std::nullopt;
  Guard guard;
  for (std::int64_t n = 0; n < *loop.extent; ++n)
    guard.push_back(at_value(branch->condition, loop.variable, loop.lower + n));
  for (std::size_t n = 1; n < guard.size(); ++n)
    if (!implies(guard[n], guard[n - 1])) return std::nullopt;
  return guard;
}

bool is_same(const Guard& a, const Guard& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Expr& x, const Expr& y) { return same(x, y); });
}

// Does anything run outside of the loops with this guard? It would also run where the guard holds
// for no iteration.
bool runs_outside(const StmtPtr& s, const Guard& guard) {
  if (std::holds_alternative<Execute>(*s)) return true;
  if (const auto* loop = std::get_if<For>(s.get())) {
    const auto own = guard_of(*loop);
    if (own && is_same(*own, guard)) return false;
  }
  bool found = false;
  for_each_inside(*s, [&](const StmtPtr& part) { found = found || runs_outside(part, guard); });
  return found;
}

class Unswitch {
 public:
  explicit Unswitch(const Kernel& kernel) : taken_(kernel) {}

  StmtPtr stmt(const StmtPtr& s) {
    const auto* loop = std::get_if<For>(s.get());
    if (loop && !traits(loop->processor).stays_loop) return s;
    if (loop && is_ordinary(*loop))
      if (const auto guard = decided_guard(*loop)) return versions(s, *guard);
    return with_insides(*s, [this](const StmtPtr& inside) { return stmt(inside); });
  }

 private:
  // The guard to decide outside of "outer", and of the loops directly inside it.
  static std::optional<Guard> decided_guard(const For& outer) {
    const For* innermost = &outer;
    while (const auto* inside = std::get_if<For>(innermost->body.get())) {
      if (!is_ordinary(*inside)) break;
      innermost = inside;
    }
    std::set<std::string> bound{outer.variable};
    bool is_innermost = true;
    for_each_loop(outer.body, [&](const For& loop) { bound.insert(loop.variable); });
    for_each_loop(innermost->body, [&](const For& loop) {
      is_innermost = is_innermost && !traits(loop.processor).stays_loop;
    });
    if (!is_innermost || !accumulates(innermost->body, innermost->variable)) return std::nullopt;
    const auto guard = guard_inside(innermost->body, bound);
    return guard && !runs_outside(innermost->body, *guard) ? guard : std::nullopt;
  }

  // The first guard of an innermost unrolled loop that does not use the iterators in "bound".
  static std::optional<Guard> guard_inside(const StmtPtr& s, const std::set<std::string>& bound) {
    std::optional<Guard> found;
    for_each_loop(s, [&](const For& loop) {
      bool is_innermost = true;
      for_each_loop(loop.body, [&](const For& inside) {
        is_innermost = is_innermost && !is_copied(inside.processor);
      });
      if (found || !is_innermost) return;
      const auto guard = guard_of(loop);
      const auto is_bound = [&](const Expr& condition) {
        return std::any_of(bound.begin(), bound.end(),
                           [&](const std::string& name) { return depends_on(condition, name); });
      };
      if (guard && std::none_of(guard->begin(), guard->end(), is_bound)) found = guard;
    });
    return found;
  }

  // if (guard(n - 1)) all n iterations; else if (guard(n - 2)) n - 1 of them; ..
  StmtPtr versions(const StmtPtr& loop, const Guard& guard) {
    StmtPtr result;
    for (std::size_t n = 1; n <= guard.size(); ++n) {
      names_.clear();
      const StmtPtr version = with_iterations(loop, guard, n, n < guard.size());
      result = make_stmt(If{guard[n - 1], version, result});
    }
    return result;
  }

  // "s" with the first n iterations of the loops with this guard. "copied": with other names.
  StmtPtr with_iterations(const StmtPtr& s, const Guard& guard, std::size_t n, bool copied) {
    const auto edit = [&](const StmtPtr& inside) {
      return with_iterations(inside, guard, n, copied);
    };
    if (!std::holds_alternative<For>(*s)) return with_insides(copied ? renamed(*s) : *s, edit);
    For loop = std::get<For>(*s);
    const auto own = guard_of(loop);
    if (own && is_same(*own, guard)) {
      loop.extent = std::int64_t(n);
      loop.upper = simplified(loop.lower + std::int64_t(n));
      loop.body = std::get<If>(*loop.body).then;
    }
    if (copied) {
      loop.lower = renamed(loop.lower);
      loop.upper = renamed(loop.upper);
      const std::string name = taken_.fresh(loop.name);
      names_.insert_or_assign(loop.variable, name);
      loop.variable = name;
    }
    loop.body = edit(loop.body);
    return make_stmt(std::move(loop));
  }

  Expr renamed(const Expr& e) const {
    return substitute(e, [this](const std::string& name) {
      const auto known = names_.find(name);
      return known == names_.end() ? Expr() : variable(known->second);
    });
  }
  std::vector<Expr> renamed(std::vector<Expr> list) const {
    for (Expr& e : list) e = renamed(e);
    return list;
  }

  Stmt renamed(Stmt s) const {
    if (auto* branch = std::get_if<If>(&s)) branch->condition = renamed(branch->condition);
    if (auto* execute = std::get_if<Execute>(&s)) {
      execute->instance = renamed(execute->instance);
      execute->indices = renamed(execute->indices);
      execute->kept_place = renamed(execute->kept_place);
      execute->value = renamed(execute->value);
      for (Execute::Other& other : execute->others) other.value = renamed(other.value);
    }
    if (auto* mma = std::get_if<Mma>(&s)) {
      for (std::vector<Expr>& place : mma->places) place = renamed(place);
      mma->a = renamed(mma->a);
      mma->b = renamed(mma->b);
    }
    if (auto* allocate = std::get_if<Allocate>(&s)) {
      allocate->lowers = renamed(allocate->lowers);
      allocate->extents = renamed(allocate->extents);
    }
    if (auto* box = std::get_if<PrefetchBox>(&s)) {
      box->lowers = renamed(box->lowers);
      box->extents = renamed(box->extents);
    }
    return s;
  }

  TreeNames taken_;
  std::map<std::string, std::string> names_;  // new names of variables in the version being made
};

}  // namespace

Kernel unswitch(const Kernel& kernel) {
  Kernel result = kernel;
  result.body = Unswitch(kernel).stmt(kernel.body);
  return result;
}

}  // namespace strata
