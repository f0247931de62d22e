// Remarks on what loops do besides the values: conditions, threads, checks.
#include <cmath>

#include "codegen/remarks/kinds.h"

namespace strata {

namespace {

// The innermost of the loops from position "first" on that an expression depends on.
const For* varying_in(const Expr& e, const RemarkSite& site, std::size_t first) {
  for (std::size_t n = site.loops.size(); n-- > first;)
    if (site.loops[n].extent > 1 && depends_on(e, site.loops[n].loop->variable))
      return site.loops[n].loop;
  return nullptr;
}

Finding condition_found(const RemarkSite& site, std::size_t inner, const Expr& condition,
                        const For& varies) {
  const bool data = depends_on_data(condition);
  return {site.loops[inner].loop->name,
          "each iteration tests " + text_at(site, condition) +
              (data ? ", which depends on data" : ", which changes with loop " + varies.name),
          data ? "if most instances do nothing, list those that do something; if most do, compute "
                 "all and select the result"
               : "cut loop " + varies.name + " so that its iterations agree: separate(" +
                     varies.name + ") for full tiles, peel for the first or last ones"};
}

// A select in a value whose condition is made of indices alone.
std::optional<Finding> find_choice(const Look& at, std::size_t inner) {
  std::optional<Finding> found;
  visit_values(*at.site.execute, [&](const Expr& e) {
    if (found || e.op() != Op::select || depends_on_data(e.args()[0])) return;
    const For* varies = varying_in(e.args()[0], at.site, inner);
    if (varies) found = condition_found(at.site, inner, e.args()[0], *varies);
  });
  return found;
}

const Expr* find_check(const Execute& execute) {
  const Expr* found = nullptr;
  const auto look = [&](const Expr& e) {
    if (e.op() == Op::checked) found = &e;
  };
  visit_values(execute, look);
  for (const Expr& index : execute.indices) visit(index, look);
  return found;
}

}  // namespace

std::optional<Finding> find_condition(const Look& at) {
  const auto inner = at.site.inner_loop();
  if (!inner) return std::nullopt;
  for (const SiteCondition& around : at.site.conditions) {
    const Expr& condition = around.condition->condition;
    if (around.depth <= *inner || around.condition->masks) continue;
    const For* varies = varying_in(condition, at.site, *inner);
    if (varies) return condition_found(at.site, *inner, condition, *varies);
  }
  return find_choice(at, *inner);
}

std::optional<Finding> find_little_work(const Look& at) {
  for (const SiteLoop& around : at.site.loops) {
    if (!is_concurrent(around.loop->processor)) continue;
    const double cycles = at.tree.parallel.at(around.loop);
    if (cycles >= at.tree.machine.parallel_start) continue;
    const std::string sizes = sizes_text(at.tree);
    return Finding{around.loop->name,
                   "all iterations of the parallel loop together take about " +
                       std::to_string(std::llround(cycles)) + " cycles" +
                       (sizes.empty() ? "" : ", " + sizes) +
                       "; a loop of less than " +
                       std::to_string(at.tree.machine.parallel_start) +
                       " runs on the thread that starts it",
                   "parallelize a loop further out"};
  }
  return std::nullopt;
}

std::optional<Finding> find_checked_index(const Look& at) {
  const Expr* check = find_check(*at.site.execute);
  if (!check) return std::nullopt;
  const auto inner = at.site.inner_loop();
  return Finding{inner ? at.site.loops[*inner].loop->name : "",
                 "the index " + text_at(at.site, check->args()[0]) + " of " + check->name() +
                     " depends on data, so the kernel checks it",
                 "if all data are in bounds, say so in the index: clamp(x, 0, N - 1), or % of a "
                 "constant extent"};
}

}  // namespace strata
