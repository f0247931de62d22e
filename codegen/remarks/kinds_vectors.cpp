// Remarks on vectors.
#include <algorithm>
#include <sstream>

#include "codegen/remarks/kinds.h"
#include "core/expr/linear_terms.h"

namespace strata {

namespace {

std::string number_text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

// The coefficient of a variable in an index; nothing if the index is not linear in it.
std::optional<std::int64_t> coefficient(const Expr& index, const std::string& variable) {
  std::uint64_t sum = 0;
  for (const LinearTerm& term : linear_terms(index, 1, terms_of_sum)) {
    if (term.e.op() == Op::variable && term.e.name() == variable)
      sum += term.factor;
    else if (depends_on(term.e, variable))
      return std::nullopt;
  }
  return std::int64_t(sum);
}

// Are the elements at these indices one, or beside each other, in consecutive iterations?
bool is_dense(const std::vector<Expr>& indices, const std::string& variable) {
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const auto step = coefficient(indices[d], variable);
    const bool last = d + 1 == indices.size();
    if (!step || (*step != 0 && !(last && std::abs(*step) == 1))) return false;
  }
  return true;
}

bool is_dense(const Execute& execute, const std::string& variable) {
  const std::vector<Expr> loads = loads_of(execute);
  return is_dense(execute.indices, variable) &&
         std::all_of(loads.begin(), loads.end(),
                     [&](const Expr& e) { return is_dense(e.args(), variable); });
}

// Can this loop be tried as lanes? Lanes with inner loops of their own would run one by one.
bool may_be_lanes(const RemarkSite& site, std::size_t n) {
  return site.loops[n].extent > 1 && !is_concurrent(site.loops[n].loop->processor) &&
         !bounds_change(site, n, site.loops.size() - 1);
}

// What to do about a statement without vectors: the innermost loop that can be made a vector now,
// with dense accesses if there is one.
std::string way_to_vectors(const Look& at) {
  const std::string lanes = std::to_string(at.tree.machine.lanes(at.site.execute->value.type()));
  std::string any;
  for (std::size_t n = at.site.loops.size(); n-- > 0;) {
    const For& loop = *at.site.loops[n].loop;
    const std::string operands = "(" + at.author + "." + loop.name + ", " + lanes + ")";
    if (!may_be_lanes(at.site, n) || !at.is_legal("vectorize" + operands)) continue;
    const std::string command = at.author + ".vectorize(" + loop.name + ", " + lanes + ")";
    if (is_dense(*at.site.execute, loop.variable))
      return "give " + command + ", which is legal now";
    if (any.empty())
      any = "give " + command + ", which is legal now, and store the arrays so that loop " +
            loop.name + " runs along their last index";
  }
  if (!any.empty()) return any;
  return "no loop can be a vector as it is: reorder the loops (interchange, skew), so that one "
         "inside carries no dependence; split a sum with rfactor";
}

// "in[idx[j]]", and why it is not dense.
std::string why_not_dense(const RemarkSite& site, const std::vector<Expr>& indices,
                          const std::string& variable) {
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const auto step = coefficient(indices[d], variable);
    if (!step && depends_on_data(indices[d])) return "its place depends on data";
    if (!step) return "its index " + text_at(site, indices[d]) + " is not linear in the lane";
    if (d + 1 < indices.size() && *step != 0)
      return "the lanes run along index " + std::to_string(d) + " of " +
             std::to_string(indices.size()) + ", and only the last one is dense";
    if (std::abs(*step) > 1) return "the lanes are " + std::to_string(*step) + " elements apart";
  }
  return "";
}

std::string advice_on_gather(const std::vector<Expr>& indices, const std::string& variable) {
  for (const Expr& index : indices) {
    const auto step = coefficient(index, variable);
    if (!step && depends_on_data(index))
      return "sort the data or the loops so that the places are consecutive, or vectorize another "
             "loop";
    if (!step)
      return "split off the border, where the index is cut (peel, separate), or vectorize another "
             "loop";
  }
  return "vectorize the loop that runs along the last index, or store the array in that order "
         "(store_in, or a copy with cache_at)";
}

}  // namespace

std::optional<Finding> find_no_vector(const Look& at) {
  const auto inner = at.site.inner_loop();
  if (at.site.lanes() || !inner || at.site.execute->atomic) return std::nullopt;
  const double least = double(at.tree.machine.lanes(at.site.execute->value.type()));
  double longest = 0;
  for (const SiteLoop& around : at.site.loops) longest = std::max(longest, around.extent);
  if (longest < least || takes_arrays(at.site.execute->value)) return std::nullopt;
  return Finding{at.site.loops[*inner].loop->name,
                 "no loop around " + at.author +
                     " is a vector, so each instruction computes one "
                     "number",
                 way_to_vectors(at)};
}

std::optional<Finding> find_gather(const Look& at) {
  const SiteLoop* lanes = at.site.lanes();
  if (!lanes) return std::nullopt;
  const std::string& variable = lanes->loop->variable;
  const std::string count = number_text(lanes->extent);
  for (const Expr& e : loads_of(*at.site.execute))
    if (!is_dense(e.args(), variable))
      return Finding{lanes->loop->name,
                     "a vector of " + count + " elements of " + e.name() +
                         " is gathered one by one: " + why_not_dense(at.site, e.args(), variable),
                     advice_on_gather(e.args(), variable)};
  const std::vector<Expr>& place = at.site.execute->indices;
  if (is_dense(place, variable)) return std::nullopt;
  return Finding{lanes->loop->name,
                 "a vector of " + count + " elements is scattered to " + at.site.execute->buffer +
                     " one by one: " + why_not_dense(at.site, place, variable),
                 advice_on_gather(place, variable)};
}

std::optional<Finding> find_scalar_call(const Look& at) {
  const SiteLoop* lanes = at.site.lanes();
  if (!lanes) return std::nullopt;
  std::string name;
  visit_values(*at.site.execute, [&](const Expr& e) {
    if (name.empty() && is_c_function(e.op()) && depends_on(e, lanes->loop->variable))
      name = e.op() == Op::call ? e.name() : to_string(e.op());
  });
  if (name.empty()) return std::nullopt;
  return Finding{lanes->loop->name,
                 name + " is a function of scalars: it is called for each of the " +
                     number_text(lanes->extent) + " lanes",
                 "compute it where fewer instances need it (compute_at, or a table that is read), "
                 "or replace it by arithmetic of the accuracy that is needed"};
}

}  // namespace strata
