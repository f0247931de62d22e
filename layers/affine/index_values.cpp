#include "layers/affine/index_values.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <map>
#include <set>

#include "core/expr/expr_memo.h"
#include "core/expr/interval.h"

namespace strata {

namespace {

// An int64 expression equal to another expression, affine over the iterators and the unknowns.
struct Part {
  Expr e;
  Interval range;
};

class Relaxation {
 public:
  explicit Relaxation(const IteratorScope& scope)
      : scope_(scope),
        tuple_(isl_space_get_tuple_name(scope.space.get(), isl_dim_set)),
        known_(scope),
        relaxed_(scope) {}

  const Part& relaxed(const Expr& e) {
    return parts_(e, [&] { return relax(e); });
  }

  // { S[i] -> [e(i, u)] : the unknowns are in their ranges }
  isl::map values(const Part& part) const {
    const std::vector<std::string> used = unknowns_in(part.e);
    const IteratorScope all = with_unknowns(used);
    isl::set ranges = all.space.universe_set();
    for (const std::string& name : used)
      if (const auto range = ranges_.find(name); range != ranges_.end())
        if (const auto within = condition_over_integers(range->second, all))
          ranges = ranges.intersect(*within);
    isl_map* map = affine_over_integers(part.e, all)->as_map().intersect_domain(ranges).release();
    map = isl_map_project_out(map, isl_dim_in, unsigned(scope_.iterators.size()),
                              unsigned(used.size()));
    return isl::manage(isl_map_set_tuple_name(map, isl_dim_in, tuple_.c_str()));
  }

 private:
  Part relax(const Expr& e) {
    if (e.op() == Op::constant && is_integer(e.type()) && e.type() != Type::uint64)
      return {constant(i64, e.node().integer), {e.node().integer, e.node().integer}};
    if (e.type() == i64 && known_.affine(e)) return {e, index_range};
    switch (e.op()) {
      case Op::named: return relaxed(e.args()[0]);
      case Op::cast: return widened(e);
      case Op::select: return selected(e);
      case Op::min:
      case Op::max: return extreme(e);
      case Op::mod:
      case Op::div: return divided(e);
      default: return arithmetic(e);
    }
  }

  Expr unknown() { return variable("#" + std::to_string(unknowns_++)); }

  // Any integer of the type.
  Part any(Type type) {
    const Expr u = unknown();
    if (type == boolean) return among(u, 0, 1);
    if (!is_integer(type) || bits(type) == 64) return {u, range_of(i64)};
    const std::int64_t count = std::int64_t{1} << bits(type);
    const std::int64_t least = is_signed_integer(type) ? -count / 2 : 0;
    return among(u, least, least + count - 1);
  }

  Part among(const Expr& u, std::int64_t lowest, std::int64_t highest) {
    ranges_.emplace(u.name(), u >= lowest && u <= highest);
    return {u, {lowest, highest}};
  }

  Part widened(const Expr& e) {
    const Expr& inner = e.args()[0];
    if (inner.type() == boolean) return any(boolean);
    const bool exact = is_integer(inner.type()) && holds_every_value(e.type(), inner.type());
    return exact ? relaxed(inner) : any(e.type());
  }

  Part selected(const Expr& e) {
    const Part a = relaxed(e.args()[1]), b = relaxed(e.args()[2]);
    const bool known = known_.condition(e.args()[0]).has_value();
    const Expr condition = known ? e.args()[0] : unknown() == 0;
    return followed(e, {select(condition, a.e, b.e),
                        hull({a.range.lowest, a.range.highest, b.range.lowest, b.range.highest})});
  }

  Part extreme(const Expr& e) {
    const Part a = relaxed(e.args()[0]), b = relaxed(e.args()[1]);
    return followed(e, {make(e.op(), {a.e, b.e}), *combined(e.op(), a.range, b.range)});
  }

  Part divided(const Expr& e) {
    const Expr& by = e.args()[1];
    if (is_positive_constant(by)) {
      const Part a = relaxed(e.args()[0]);
      const std::int64_t size = by.node().integer;
      const Expr result = make(e.op(), {a.e, constant(i64, size)});
      if (e.op() == Op::mod) return followed(e, {result, {0, size - 1}});
      return followed(e, {result, *combined(Op::div, a.range, {size, size})});
    }
    const bool remainder = e.op() == Op::mod && by.type() == i64 && known_.affine(by);
    if (!remainder) return any(e.type());
    const Expr u = unknown();  // it has the sign of the divisor, and a smaller absolute value
    ranges_.emplace(u.name(), (by > 0 && u >= 0 && u < by) || (by < 0 && u > by && u <= 0) ||
                                  (by == 0 && u == 0));
    return {u, index_range};
  }

  // Narrow types wrap, and so does int64 on large numbers.
  Part arithmetic(const Expr& e) {
    const bool linear = e.op() == Op::add || e.op() == Op::sub || e.op() == Op::mul ||
                        e.op() == Op::negate || e.op() == Op::abs;
    if (!linear || e.type() != i64) return any(e.type());
    std::vector<Part> parts;
    std::vector<Expr> args;
    for (const Expr& arg : e.args()) {
      parts.push_back(relaxed(arg));
      args.push_back(parts.back().e);
    }
    const Interval range = result_of(e.op(), parts);
    if (!is_inside(range, range_of(i64))) return any(e.type());
    return followed(e, {make(e.op(), args), range});
  }

  // "part", which replaces "e", if it is affine over the iterators and the unknowns; else any
  // integer.
  Part followed(const Expr& e, const Part& part) {
    if (relaxed_with_ != unknowns_) {
      std::vector<std::string> names;
      for (int n = 0; n < unknowns_; ++n) names.push_back("#" + std::to_string(n));
      relaxed_ = Translation(with_unknowns(names));
      relaxed_with_ = unknowns_;
    }
    return relaxed_.affine_over_integers(part.e) ? part : any(e.type());
  }

  static Interval result_of(Op op, const std::vector<Part>& parts) {
    const Interval& a = parts[0].range;
    if (parts.size() == 2) return *combined(op, a, parts[1].range);
    const Interval negated = *combined(Op::sub, {0, 0}, a);
    return op == Op::abs ? *combined(Op::max, a, negated) : negated;
  }

  // In the order of their creation.
  std::vector<std::string> unknowns_in(const Expr& e) const {
    const std::set<std::string> free = free_variables(e);
    std::vector<std::string> names;
    for (int n = 0; n < unknowns_; ++n)
      if (const std::string name = "#" + std::to_string(n); free.count(name)) names.push_back(name);
    return names;
  }

  IteratorScope with_unknowns(const std::vector<std::string>& unknowns) const {
    std::vector<std::string> names = scope_.iterators;
    names.insert(names.end(), unknowns.begin(), unknowns.end());
    return scope_of(scope_.space.ctx(), tuple_, names);
  }

  const IteratorScope& scope_;
  const std::string tuple_;  // "S"
  int unknowns_ = 0;         // "#0", "#1", ..: a node met twice has one unknown
  std::map<std::string, Expr> ranges_;
  Memo<Part> parts_;
  Translation known_;    // over the iterators
  Translation relaxed_;  // over the iterators and the first "relaxed_with_" unknowns
  int relaxed_with_ = 0;
};

}  // namespace

IndexValues index_values(const Expr& index, const IteratorScope& scope) {
  if (const auto exact = affine(index, scope)) return {exact->as_map(), false};
  Relaxation relaxation(scope);
  const Part part = relaxation.relaxed(index);
  return {relaxation.values(part), true};
}

}  // namespace strata
