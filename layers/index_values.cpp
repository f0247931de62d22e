#include "layers/index_values.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

namespace strata {

namespace {

// An int64 expression with the value of another, affine over the iterators and the unknowns.
struct Part {
  Expr e;
  bool below = false, above = false;  // may it be anything on that side?
};

bool is_wide(const Part& part) { return part.below || part.above; }

bool is_positive_constant(const Expr& e) {
  return e.op() == Op::constant && is_integer(e.type()) && e.node().integer > 0;
}

class Opening {
 public:
  explicit Opening(const Scope& scope)
      : scope_(scope), tuple_(isl_space_get_tuple_name(scope.space.get(), isl_dim_set)) {}

  Part opened(const Expr& e) {
    if (e.op() == Op::constant && is_integer(e.type()) && e.type() != Type::uint64)
      return {constant(i64, e.node().integer)};
    if (e.type() == i64 && affine(e, scope_)) return {e};
    switch (e.op()) {
      case Op::named:
        return opened(e.args()[0]);
      case Op::cast:
        return widened(e);
      case Op::select:
        return selected(e);
      case Op::min:
      case Op::max:
        return extreme(e);
      case Op::mod:
      case Op::div:
        return divided(e);
      default:
        return arithmetic(e);
    }
  }

  // { S[i] -> [e(i, u)] : the unknowns are in their ranges }
  isl::map values(const Part& part) const {
    const Scope all = with_unknowns();
    isl::set ranges = all.space.universe_set();
    for (const Expr& range : ranges_) ranges = ranges.intersect(*affine_condition(range, all));
    isl_map* map = affine(part.e, all)->as_map().intersect_domain(ranges).release();
    map = isl_map_project_out(map, isl_dim_in, unsigned(scope_.iterators.size()),
                              unsigned(unknowns_.size()));
    return isl::manage(isl_map_set_tuple_name(map, isl_dim_in,
                                              tuple_.c_str()));
  }

 private:
  Expr unknown() {
    unknowns_.push_back("#" + std::to_string(unknowns_.size()));
    return variable(unknowns_.back());
  }

  // Any integer of the type.
  Part any(Type type) {
    const Expr u = unknown();
    if (type == boolean) {
      ranges_.push_back(u >= 0 && u <= 1);
    } else if (is_integer(type) && bits(type) < 64) {
      const std::int64_t count = std::int64_t{1} << bits(type);
      const std::int64_t least = is_signed_integer(type) ? -count / 2 : 0;
      ranges_.push_back(u >= least && u < least + count);
    } else {
      return {u, true, true};
    }
    return {u};
  }

  Part widened(const Expr& e) {
    const Expr& inner = e.args()[0];
    if (inner.type() == boolean) return any(boolean);
    const bool exact = is_integer(inner.type()) && holds_every_value(e.type(), inner.type());
    return exact ? opened(inner) : any(e.type());
  }

  Part selected(const Expr& e) {
    const Part a = opened(e.args()[1]), b = opened(e.args()[2]);
    const bool known = affine_condition(e.args()[0], scope_).has_value();
    const Expr condition = known ? e.args()[0] : unknown() == 0;
    return {select(condition, a.e, b.e), a.below || b.below, a.above || b.above};
  }

  Part extreme(const Expr& e) {
    const Part a = opened(e.args()[0]), b = opened(e.args()[1]);
    const Expr both = make(e.op(), {a.e, b.e});
    if (e.op() == Op::min) return {both, a.below || b.below, a.above && b.above};
    return {both, a.below && b.below, a.above || b.above};
  }

  Part divided(const Expr& e) {
    const Expr& by = e.args()[1];
    if (is_positive_constant(by)) {
      const Part a = opened(e.args()[0]);
      const Expr result = make(e.op(), {a.e, constant(i64, by.node().integer)});
      return e.op() == Op::mod ? Part{result} : Part{result, a.below, a.above};
    }
    const bool remainder = e.op() == Op::mod && by.type() == i64 && affine(by, scope_);
    if (!remainder) return any(e.type());
    const Expr u = unknown();  // it has the sign of the divisor, and is smaller
    ranges_.push_back((by > 0 && u >= 0 && u < by) || (by < 0 && u > by && u <= 0) ||
                      (by == 0 && u == 0));
    return {u};
  }

  // Narrow types wrap, and so does what may be anything.
  Part arithmetic(const Expr& e) {
    const bool followed = e.op() == Op::add || e.op() == Op::sub || e.op() == Op::mul ||
                          e.op() == Op::negate || e.op() == Op::abs;
    if (!followed || e.type() != i64) return any(e.type());
    const std::size_t before = unknowns_.size(), ranges = ranges_.size();
    std::vector<Expr> args;
    bool wide = false;
    for (const Expr& arg : e.args()) {
      const Part part = opened(arg);
      wide = wide || is_wide(part);
      args.push_back(part.e);
    }
    const Expr result = make(e.op(), args);
    if (!wide && affine(result, with_unknowns())) return {result};
    unknowns_.resize(before);
    ranges_.resize(ranges);
    return any(e.type());
  }

  Scope with_unknowns() const {
    std::vector<std::string> names = scope_.iterators;
    names.insert(names.end(), unknowns_.begin(), unknowns_.end());
    return scope_of(scope_.space.ctx(), tuple_, names);
  }

  const Scope& scope_;
  const std::string tuple_;  // "S"
  std::vector<std::string> unknowns_;
  std::vector<Expr> ranges_;
};

}  // namespace

IndexValues index_values(const Expr& index, const Scope& scope) {
  if (const auto exact = affine(index, scope)) return {exact->as_map(), false};
  Opening opening(scope);
  const Part part = opening.opened(index);
  return {opening.values(part), true};
}

}  // namespace strata
