#include "codegen/memory/boxes.h"

#include <isl/aff.h>
#include <isl/set.h>

#include <algorithm>
#include <optional>

#include "codegen/loops/constant_extents.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/memory/touched.h"
#include "codegen/tree/index_math.h"
#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"

namespace strata {

namespace {

// E0112 where dimension d of the touched places has no bounds.
void check_bounded(const isl::set& places, int d, const std::string& name, const Request& request) {
  if (!isl_set_dim_is_bounded(places.get(), isl_dim_set, unsigned(d)))
    throw request.refused(
        Code::E0112_unbounded_domain,
        "dimension " + std::to_string(d) + " of buffer " + name + " is accessed without bound",
        "give every iterator a lower and an upper bound");
}

struct ExactBounds {
  isl::pw_aff lower, upper;
};

// Both bounds, where something is touched: { [] -> bound : touched }.
std::vector<ExactBounds> bounds(const isl::set& places) {
  std::vector<ExactBounds> result;
  for (int d = 0; d < int(places.tuple_dim()); ++d)
    result.push_back({isl::manage(isl_set_dim_min(places.copy(), d)),
                      isl::manage(isl_set_dim_max(places.copy(), d)).add_constant(1)});
  return result;
}

// Are both bounds defined for all parameters in "context"?
bool is_total(const ExactBounds& bounds, const isl::set& context) {
  return context.is_subset(bounds.lower.domain().intersect(bounds.upper.domain()));
}

// Is { : every lower < upper } inside "touched"?
bool empty_outside(const std::vector<ExactBounds>& bounds, const isl::set& touched,
                   const isl::set& context) {
  isl::set some = context;
  for (const ExactBounds& b : bounds) some = some.intersect(b.lower.lt_set(b.upper));
  return some.is_subset(touched);
}

// Where nothing is touched any bounds will do, if one dimension has upper <= lower. So the formulas
// that hold where something is touched are used everywhere (0 : N, not 0 : N if M > 0); if they are
// not empty wherever nothing is touched, one dimension is set to zero there.
std::vector<ExactBounds> total_bounds(const isl::set& places, const isl::set& context) {
  const isl::set touched = places.params();
  const std::vector<ExactBounds> exact = bounds(places);
  std::vector<ExactBounds> result;
  std::vector<std::size_t> partial;
  for (const ExactBounds& b : exact) {
    result.push_back({coalesced(b.lower.gist(touched)), coalesced(b.upper.gist(touched))});
    if (!is_total(result.back(), context)) partial.push_back(result.size() - 1);
  }
  const bool one_place = exact.empty();  // a scalar: it exists, touched or not
  if (!one_place && partial.empty() && !empty_outside(result, touched, context))
    partial.push_back(0);
  for (const std::size_t d : partial)
    result[d] = {or_zero(exact[d].lower, context), or_zero(exact[d].upper, context)};
  return result;
}

// The number of places between bounds that hold for all values of the parameters, if there are any.
std::optional<isl::val> constant_extent(const isl::set& places, int d) {
  const isl::val least = places.dim_min_val(d), most = places.dim_max_val(d);
  if (!least.is_int() || !most.is_int()) return std::nullopt;
  return most.sub(least).add(1);
}

// And these bounds.
ExactBounds constant_bounds(const isl::set& places, int d) {
  const isl::set always = isl::set::universe(places.params().space());
  const isl::pw_aff zero = always.pw_aff_on_domain(0);
  return {zero.add_constant(places.dim_min_val(d)),
          zero.add_constant(places.dim_max_val(d).add(1))};
}

bool is_bounded(const isl::set& places) {
  for (unsigned d = 0; d < places.tuple_dim(); ++d)
    if (!isl_set_dim_is_bounded(places.get(), isl_dim_set, d)) return false;
  return true;
}

// The most elements that a box has, for any parameters.
std::optional<std::int64_t> most_elements(const std::vector<ExactBounds>& box,
                                          const isl::set& context) {
  std::int64_t all = 1;
  for (const ExactBounds& b : box) {
    const isl::val most = b.upper.sub(b.lower).intersect_params(context).floor().max_val();
    const bool known = most.is_int() && most.le(isl::val(most.ctx(), 1L << 31));
    if (!known || __builtin_mul_overflow(all, std::max(most.num_si(), 1L), &all))
      return std::nullopt;
  }
  return all;
}

// Computes the box of one buffer after another.
class Bounding {
 public:
  Bounding(const Program& program, const TimeSpace& space, const Request& request)
      : program_(program), context_(space.context), request_(request) {}

  Box box(const Touched& touched, const std::string& name) const {
    Box result{{}, {}, touched.initial_values_read, touched.written};
    const isl::set places = coalesced(touched.places.intersect_params(context_));
    const int dimensions = int(places.tuple_dim());
    if (places.is_empty()) {
      result.lowers.assign(std::size_t(dimensions), constant(i64, 0));
      result.uppers = result.lowers;
      return result;
    }
    for (int d = 0; d < dimensions; ++d) check_bounded(places, d, name, request_);
    const std::vector<ExactBounds> bounds = bounds_of(places, touched, name);
    if (program_.layout.find(name)->memory == Memory::constant)
      result.most_elements = most_elements(bounds, context_);
    for (const ExactBounds& b : bounds) {
      result.lowers.push_back(parametric(b.lower, context_));
      result.uppers.push_back(parametric(b.upper, context_));
    }
    return result;
  }

 private:
  std::vector<ExactBounds> bounds_of(const isl::set& places, const Touched& touched,
                                     const std::string& name) const {
    std::vector<ExactBounds> all = bounds_within_reach(places, touched);
    const LayoutBuffer& buffer = *program_.layout.find(name);
    if (buffer.role != BufferRole::temporary) return all;
    std::vector<std::optional<isl::val>> most;
    for (std::size_t d = 0; d < all.size(); ++d)
      most.push_back(constant_extent(touched.places, int(d)));
    const auto exact = [&](int d) {
      const ExactBounds& b = all[std::size_t(d)];
      return b.upper.sub(b.lower);
    };
    const std::vector<bool> constant =
        constant_extents(buffer, most, exact, program_.algorithm->parameters);
    for (std::size_t d = 0; d < all.size(); ++d)
      if (constant[d]) all[d] = constant_bounds(touched.places, int(d));
    return all;
  }

  // The exact bounds, if isl finds them within "reach". Otherwise bounds without the
  // conditions on remainders, cut to the elements that exist: a dropped condition may have kept the
  // accesses inside an argument. If these are unbounded, the exact bounds whatever they cost.
  std::vector<ExactBounds> bounds_within_reach(const isl::set& places,
                                               const Touched& touched) const {
    constexpr unsigned long reach = 500'000;  // units of work
    const Session& session = *program_.session;
    std::vector<ExactBounds> result;
    const auto exactly = [&] { result = total_bounds(places, context_); };
    if (session.budget() > reach && session.within(reach, exactly)) return result;
    const isl::set existing = existing_places(touched, program_, request_);
    const isl::set around =
        coalesced(without_existentials(places).intersect(without_existentials(existing)));
    if (session.budget() > reach && is_bounded(around)) return total_bounds(around, context_);
    exactly();
    return result;
  }

  const Program& program_;
  const isl::set context_;
  const Request& request_;
};

}  // namespace

std::map<std::string, Box> boxes(const Program& program, const TimeSpace& space,
                                 const Request& request) {
  AllTouched all;
  for (const TimeBranch& branch : space.branches)
    if (!branch.message) add_touched(all, program, *branch.definition, branch.instances, request);
  const Bounding bounding(program, space, request);
  std::map<std::string, Box> result;
  for (const auto& [name, touched] : all) result.emplace(name, bounding.box(touched, name));
  return result;
}

}  // namespace strata
