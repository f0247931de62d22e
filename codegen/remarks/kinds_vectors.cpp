// Remarks on vectors.
#include <algorithm>
#include <sstream>

#include "codegen/remarks/kinds.h"
#include "codegen/tree/index_math.h"
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

// The loops that may become vectors, from the inside out; first those with dense accesses.
std::vector<Candidate> ways_to_vectors(const Look& at) {
  const std::string lanes = std::to_string(at.tree.machine.lanes(at.site.execute->value.type()));
  std::vector<Candidate> dense, others;
  for (std::size_t n = at.site.loops.size(); n-- > 0;) {
    const For& loop = *at.site.loops[n].loop;
    if (!may_be_lanes(at.site, n)) continue;
    Candidate way = on_loop("vectorize", at.author, loop.name, lanes);
    if (is_dense(*at.site.execute, loop.variable)) {
      dense.push_back(way);
      continue;
    }
    way.also = ", and store the arrays so that loop " + loop.name + " runs along their last index";
    others.push_back(way);
  }
  dense.insert(dense.end(), others.begin(), others.end());
  return dense;
}

// A loop around that the author made a vector, and that has no lanes in the code.
const For* lanes_lost(const RemarkSite& site) {
  for (const SiteLoop& around : site.loops)
    if (has_lanes(around.loop->processor) && !is_vector(*around.loop)) return around.loop;
  return nullptr;
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

// How many elements the last index of a buffer has, if that is constant.
std::optional<std::int64_t> last_extent(const Look& at, const std::string& buffer) {
  for (const SiteAllocation& around : at.site.allocations)
    if (around.allocate->buffer == buffer) return as_constant(around.allocate->extents.back());
  for (const ArgumentBuffer& b : at.tree.kernel.buffers)
    if (b.name == buffer) return as_constant(simplified(b.uppers.back() - b.lowers.back()));
  return std::nullopt;
}

bool is_few(std::int64_t apart) { return apart >= 2 && apart <= 4; }

// Are the lanes bytes that are 2 to 4 elements apart: along the last index, or along the one before
// it, where the last one has few elements?
bool is_interleaved(const Look& at, const Expr& load, const std::string& variable) {
  const std::vector<Expr>& indices = load.args();
  if (bytes(load.type()) != 1 || indices.empty()) return false;
  std::vector<std::int64_t> steps;
  for (const Expr& index : indices) {
    const auto step = coefficient(index, variable);
    if (!step) return false;
    steps.push_back(std::abs(*step));
  }
  const std::size_t last = steps.size() - 1;
  const auto others =
      std::count_if(steps.begin(), steps.end(), [](auto step) { return step != 0; });
  if (others != 1) return false;
  if (steps[last] != 0) return is_few(steps[last]);
  const auto extent = last_extent(at, load.name());
  return last > 0 && steps[last - 1] == 1 && extent && is_few(*extent);
}

// The bits of the integers that an expression was made of, by casts alone.
int bits_before_casts(const Expr& e) {
  if (is_float(e.type())) return 64;
  if (e.op() == Op::cast) return std::min(bits(e.type()), bits_before_casts(e.args()[0]));
  return e.op() == Op::load && e.type() != boolean ? bits(e.type()) : 64;
}

bool is_product_of_bytes(const Expr& e) {
  return e.op() == Op::mul && !is_float(e.type()) && bits(e.type()) >= 16 &&
         bits_before_casts(e.args()[0]) <= 8 && bits_before_casts(e.args()[1]) <= 8;
}

// Do the vectors of the target have functions for this operation (docs/semantics.md)?
bool is_vector_function(const Tree& tree, const Expr& e) {
  return e.op() != Op::call && is_float(e.type()) && tree.kernel.floats == Floats::fast &&
         tree.machine.target.starts_with("x86-64");
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
  if (const For* lost = lanes_lost(at.site)) {
    if (!lost->extent || *lost->extent < 2) return std::nullopt;  // a tail, or nothing to share
    return Finding{
        lost->name,
        "loop " + lost->name +
            " is a vector loop, but its iterations run one by one: "
            "inside is a parallel or another vector loop, memory from the heap, a loop that "
            "starts elsewhere for another lane, or a call that takes arrays",
        "vectorize a loop further in, or take what cannot be lanes out of it"};
  }
  return Finding{at.site.loops[*inner].loop->name,
                 "no loop around " + at.author +
                     " is a vector, so each instruction computes one "
                     "number",
                 "no loop can be a vector as it is: reorder the loops (interchange, skew), so that "
                 "one inside carries no dependence; split a sum with rfactor",
                 ways_to_vectors(at)};
}

std::optional<Finding> find_scalar_tail(const Look& at) {
  const For* tail = lanes_lost(at.site);
  if (!tail || tail->extent || at.site.execute->atomic) return std::nullopt;
  const std::string sizes = sizes_text(at.tree);
  return Finding{tail->name,
                 "the iterations of " + tail->name +
                     " that do not fill a vector run one by one, and are a good part of the work" +
                     (sizes.empty() ? "" : " " + sizes),
                 "make sizes multiples of the vector (pad the arrays, set_size), or vectorize a "
                 "longer loop",
                 {on_loop("mask", at.author, tail->name)}};
}

std::optional<Finding> find_gather(const Look& at) {
  const SiteLoop* lanes = at.site.lanes();
  if (!lanes) return std::nullopt;
  const std::string& variable = lanes->loop->variable;
  const std::string count = number_text(lanes->extent);
  for (const Expr& e : loads_of(*at.site.execute))
    if (!is_dense(e.args(), variable) && !is_interleaved(at, e, variable))
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

std::optional<Finding> find_interleaved_bytes(const Look& at) {
  const SiteLoop* lanes = at.site.lanes();
  if (!lanes) return std::nullopt;
  for (const Expr& e : loads_of(*at.site.execute))
    if (is_interleaved(at, e, lanes->loop->variable))
      return Finding{lanes->loop->name,
                     "a vector of " + number_text(lanes->extent) + " bytes of " + e.name() +
                         " is put together byte by byte, out of interleaved data",
                     "let the lanes run over neighbours (collapse the loop with that over the last "
                     "index, then vectorize), or copy a row to planes first (cache_at, store_in)"};
  return std::nullopt;
}

std::optional<Finding> find_products_of_bytes(const Look& at) {
  const SiteLoop* lanes = at.site.lanes();
  const Type type = at.site.execute->value.type();
  if (!lanes || is_float(type) || bits(type) < 32) return std::nullopt;
  bool found = false;
  visit_values(*at.site.execute, [&](const Expr& e) { found = found || is_product_of_bytes(e); });
  if (!found) return std::nullopt;
  return Finding{lanes->loop->name,
                 "products of 8-bit numbers are computed in " + std::to_string(bits(type)) +
                     " bits, " + std::to_string(at.tree.machine.lanes(type)) +
                     " in a vector; no instruction is used that adds several of them at once",
                 "where the time goes here, let a C function that has dot-product instructions "
                 "compute them: call(..) with whole arrays as arguments"};
}

std::optional<Finding> find_scalar_call(const Look& at) {
  const SiteLoop* lanes = at.site.lanes();
  if (!lanes) return std::nullopt;
  std::string name;
  visit_values(*at.site.execute, [&](const Expr& e) {
    if (name.empty() && is_c_function(e.op()) && !is_vector_function(at.tree, e) &&
        depends_on(e, lanes->loop->variable))
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
