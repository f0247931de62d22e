// Remarks on what loops do besides the values: conditions, threads, checks.
#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/remarks/kinds.h"

namespace strata {

namespace {

// Is the loop unrolled, so that each iteration is code of its own?
bool has_copies(const For& loop) { return !is_loop(loop) && !is_vector(loop); }

constexpr std::int64_t most_copies_tried = 16, most_iterations_tried = 256;

// The values of all iterators, of the middle iterations; in loops with copies, those of copy number
// "copy".
Values iteration_of(const Look& at, std::int64_t copy) {
  Values values = at.tree.sizes;
  for (const SiteLoop& around : at.site.loops) {
    const std::int64_t lower = estimated(around.loop->lower, values).value_or(0);
    const auto extent = std::max<std::int64_t>(std::int64_t(around.extent), 1);
    values[around.loop->variable] =
        has_copies(*around.loop) ? lower + copy % extent : middle(lower, lower + extent);
  }
  return values;
}

// Do the copies around decide the condition: it has one value in all iterations of a loop, but not
// the same in all copies? Nothing if that cannot be computed.
std::optional<bool> is_decided(const Look& at, const Expr& condition, const SiteLoop& loop) {
  std::set<std::int64_t> found;
  for (std::int64_t copy = 0; copy < most_copies_tried; ++copy) {
    Values values = iteration_of(at, copy);
    const std::int64_t lower = estimated(loop.loop->lower, values).value_or(0);
    std::set<std::int64_t> here;
    for (std::int64_t n = 0; n < std::min(std::int64_t(loop.extent), most_iterations_tried); ++n) {
      values[loop.loop->variable] = lower + n;
      const auto value = estimated(condition, values);
      if (!value) return std::nullopt;
      here.insert(*value);
    }
    if (here.size() > 1) return false;
    found.insert(here.begin(), here.end());
  }
  return found.size() > 1;
}

// The innermost of the loops from position "first" on with which a condition changes.
const For* varying_in(const Expr& e, const Look& at, std::size_t first) {
  const auto& loops = at.site.loops;
  const bool in_copies = std::any_of(loops.begin(), loops.end(), [&](const SiteLoop& around) {
    return has_copies(*around.loop) && depends_on(e, around.loop->variable);
  });
  for (std::size_t n = loops.size(); n-- > first;) {
    if (loops[n].extent <= 1 || has_copies(*loops[n].loop)) continue;
    if (!depends_on(e, loops[n].loop->variable)) continue;
    if (!in_copies || !is_decided(at, e, loops[n]).value_or(false)) return loops[n].loop;
  }
  return nullptr;
}

Finding condition_found(const Look& at, std::size_t inner, const Expr& condition,
                        const For& varies) {
  const RemarkSite& site = at.site;
  const bool data = depends_on_data(condition);
  Finding found{
      site.loops[inner].loop->name,
      "each iteration tests " + text_at(site, condition) +
          (data ? ", which depends on data" : ", which changes with loop " + varies.name),
      data ? "if most instances do nothing, list those that do something; if most do, compute all "
             "and select the result"
           : "cut loop " + varies.name +
                 ", or a loop around it, where the condition changes, so "
                 "that its iterations agree (split, separate, peel)"};
  if (data) return found;
  for (std::size_t n = site.loops.size(); n-- > inner;)
    if (depends_on(condition, site.loops[n].loop->variable))
      found.candidates.push_back(on_loop("separate", at.author, site.loops[n].loop->name));
  for (const std::string count : {"1", "-1"})
    found.candidates.push_back(on_loop("peel", at.author, varies.name, count));
  return found;
}

// A select in a value whose condition is made of indices alone.
std::optional<Finding> find_choice(const Look& at, std::size_t inner) {
  std::optional<Finding> found;
  visit_values(*at.site.execute, [&](const Expr& e) {
    if (found || e.op() != Op::select || depends_on_data(e.args()[0])) return;
    const For* varies = varying_in(e.args()[0], at, inner);
    if (varies) found = condition_found(at, inner, e.args()[0], *varies);
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
    const For* varies = varying_in(condition, at, *inner);
    if (varies) return condition_found(at, *inner, condition, *varies);
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
                       (sizes.empty() ? "" : ", " + sizes) + "; a loop of less than " +
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
