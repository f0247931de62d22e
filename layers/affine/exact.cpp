#include "layers/affine/exact.h"

#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace strata {

namespace {

constexpr Wide ordinary_size = Wide{1} << 31;

Interval up_to(Wide size) { return {-size, size}; }

bool is_operation(const Expr& e) {
  return !e.args().empty() && is_integer(e.type()) && e.op() != Op::cast && e.op() != Op::named &&
         e.op() != Op::load && e.op() != Op::access && e.op() != Op::call;
}

// Determines for which parameters the arithmetic of some uses is exact.
class Question {
 public:
  Question(const std::vector<ExactUse>& uses, const isl::set& where,
           const std::vector<std::string>& iterators)
      : uses_(uses), where_(where), iterators_(iterators) {
    for (const ExactUse& use : uses) visit(use.e, [&](const Expr& e) { note(e); });
  }

  bool is_trivial() const { return !has_operations_; }

  bool holds(int k) const {
    const isl::set here = within(k);
    std::map<std::string, Interval> ranges;
    for (std::size_t d = 0; d < iterators_.size(); ++d)
      if (used_.count(iterators_[d])) ranges[iterators_[d]] = range(here, int(d));
    Wrapping ordinary;
    return std::none_of(uses_.begin(), uses_.end(), [&](const ExactUse& use) {
      const Interval allowed = use.is_index ? index_range : range_of(i64);
      return Wrapping(ordinary, up_to(Wide{1} << k), ranges, allowed).wraps_somewhere_in(use.e);
    });
  }

  ExactRange range_with(int k) const {
    ExactRange range;
    for (const std::string& name : parameters_) range[name] = k;
    for (unsigned d = 0; d < unsigned(isl_set_dim(where_.get(), isl_dim_param)); ++d)
      if (isl_set_involves_dims(where_.get(), isl_dim_param, d, 1))
        range[isl_set_get_dim_name(where_.get(), isl_dim_param, d)] = k;
    return range;
  }

 private:
  void note(const Expr& e) {
    has_operations_ |= is_operation(e);
    if (e.op() == Op::variable) used_.insert(e.name());
    if (e.op() == Op::parameter) parameters_.insert(e.name());
  }

  isl::set within(int k) const {
    isl_set* set = where_.copy();
    const isl::val end = isl::val(where_.ctx(), k).pow2();
    for (unsigned d = 0; d < unsigned(isl_set_dim(where_.get(), isl_dim_param)); ++d) {
      set = isl_set_lower_bound_val(set, isl_dim_param, d, end.neg().release());
      set = isl_set_upper_bound_val(set, isl_dim_param, d, end.copy());
    }
    return isl::manage(set);
  }

  static Interval range(const isl::set& here, int d) {
    const isl::val least = here.dim_min_val(d), most = here.dim_max_val(d);
    if (least.is_nan() || most.is_nan()) return {0, 0};  // there is no instance
    if (least.is_neginfty() || most.is_infty()) return up_to(ordinary_size);
    return {number(least), number(most)};
  }

  // Values beyond 2^62 are replaced by one outside of int64.
  static Wide number(const isl::val& value) {
    const isl::val end = isl::val(value.ctx(), 62).pow2();
    if (value.gt(end)) return Wide{1} << 64;
    if (value.lt(end.neg())) return -(Wide{1} << 64);
    return value.num_si();
  }

  const std::vector<ExactUse>& uses_;
  const isl::set& where_;
  const std::vector<std::string>& iterators_;
  std::set<std::string> used_, parameters_;
  bool has_operations_ = false;
};

}  // namespace

Wrapping::Wrapping() : others_(up_to(ordinary_size)) {}

Wrapping::Wrapping(Wrapping& ordinary, const Interval& parameters,
                   const std::map<std::string, Interval>& iterators, const Interval& allowed)
    : ordinary_(&ordinary), others_(parameters), iterators_(iterators), allowed_(allowed) {}

Known Wrapping::taken(const Expr& e, const std::vector<Known>& parts) {
  if (!is_integer(e.type())) return std::nullopt;
  if (ordinary_ && ordinary_->wraps(e)) return std::nullopt;
  const auto iterator = iterators_.find(e.name());
  const Known result = e.op() == Op::parameter        ? others_
                       : e.op() != Op::variable       ? exact(e, parts)
                       : iterator == iterators_.end() ? others_
                                                      : iterator->second;
  const bool bounded = ordinary_ && e.type() == i64;
  if (!ordinary_ && std::any_of(e.args().begin(), e.args().end(), [&](const Expr& arg) {
        return wrapping_.count(arg.identity()) != 0;
      }))
    wrapping_.insert(e.identity());
  if (!result || is_inside(*result, bounded ? allowed_ : range_of(e.type()))) return result;
  const bool operation = !e.args().empty() && e.op() != Op::cast;
  if (operation && (bounded || !ordinary_)) wrapping_.insert(e.identity());
  return e.args().empty() ? result : std::nullopt;
}

bool Wrapping::wraps(const Expr& operation) {
  of(operation);
  return wrapping_.count(operation.identity()) != 0;
}

bool Wrapping::wraps_somewhere_in(const Expr& e) {
  of(e);
  return !wrapping_.empty();
}

Expr Wrapping::written_out(const Expr& e, const std::vector<Expr>& args) {
  if (args.empty()) return e;
  if (e.type() != i64 || !wraps(e)) return with_args(e, args);
  std::vector<Expr> words;
  for (const Expr& arg : args)
    words.push_back(arg.op() == Op::constant ? constant(u64, arg.node().integer) : cast(u64, arg));
  const Expr zero = constant(u64, 0);
  switch (e.op()) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::shift_left: return cast(i64, make(e.op(), words));
    case Op::negate: return cast(i64, zero - words[0]);
    case Op::abs: return cast(i64, select(args[0] < 0, zero - words[0], words[0]));
    default:  // of the others only least / -1 wraps
      return with_args(e, args);
  }
}

bool is_exact(const Expr& e) { return !Wrapping().wraps_somewhere_in(e); }

std::optional<ExactRange> exact_range(const std::vector<ExactUse>& uses, const isl::set& where,
                                      const std::vector<std::string>& iterators) {
  const Question question(uses, where, iterators);
  if (question.is_trivial()) return ExactRange{};
  if (question.holds(widest_exact)) return question.range_with(widest_exact);
  if (!question.holds(0)) return std::nullopt;
  int yes = 0, no = widest_exact;
  while (no - yes > 1) {
    const int middle = (yes + no) / 2;
    (question.holds(middle) ? yes : no) = middle;
  }
  return question.range_with(yes);
}

void note(ExactRange& needed, const ExactRange& range, const isl::set& made) {
  for (const auto& [name, k] : range) {
    const int d = isl_set_find_dim_by_name(made.get(), isl_dim_param, name.c_str());
    const bool checked = d >= 0 && isl_set_involves_dims(made.get(), isl_dim_param, unsigned(d), 1);
    if (checked && k == widest_exact) continue;
    const auto known = needed.emplace(name, k).first;
    known->second = std::min(known->second, k);
  }
}

std::vector<Expr> assumptions_of(const ExactRange& range) {
  std::vector<Expr> assumptions;
  for (const auto& [name, k] : range) {
    const Expr p = parameter(name);
    const std::int64_t end = std::int64_t{1} << k;
    assumptions.push_back(p >= constant(i64, -end) && p <= constant(i64, end));
  }
  return assumptions;
}

}  // namespace strata
