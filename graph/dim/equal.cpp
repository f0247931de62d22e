// Questions to isl about dims.
#include "core/sets/session.h"
#include "graph/dim/dim.h"
#include "graph/dim/linear.h"
#include "layers/affine/affine.h"

namespace strata::graph {

namespace {

// Work for one question: about 20 ms.
constexpr unsigned long question_budget = 400'000;

}  // namespace

Answer equal(const Expr& a, const Expr& b, const std::vector<Expr>& facts) {
  const auto gap = difference(polynomial(a), polynomial(b));
  if (const auto value = gap ? gap->as_constant() : std::nullopt)
    return *value == 0 ? Answer::yes : Answer::no;
  thread_local const Session session(question_budget);
  Answer answer = Answer::unknown;
  session.within_budget([&] {
    const IteratorScope scope = scope_of(session.isl(), "", {});
    int symbols = 0;
    Linear linear([&](const Expr&) { return "not_affine_" + std::to_string(symbols++); });
    const Expr left = linear.dim(a), right = linear.dim(b);
    const auto same = condition_over_integers(left == right, scope);
    const auto differ = condition_over_integers(left != right, scope);
    if (!same || !differ) return;
    isl::set known = scope.space.universe_set();
    for (const Expr& fact : facts)
      if (const Expr condition = linear.condition(fact); condition.defined())
        if (const auto holds = condition_over_integers(condition, scope))
          known = known.intersect(*holds);
    if (differ->intersect(known).is_empty())
      answer = Answer::yes;
    else if (same->intersect(known).is_empty())
      answer = Answer::no;
  });
  return answer;
}

}  // namespace strata::graph
