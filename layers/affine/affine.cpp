#include "layers/affine/affine.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>

#include "core/expr/expr_memo.h"
#include "layers/affine/exact.h"

namespace strata {

namespace {

using Aff = std::optional<isl::pw_aff>;
using Set = std::optional<isl::set>;

// An expression that reads data is not affine; this test is cheaper than translating the rest.
bool reads_data(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& x) {
    found |= x.op() == Op::access || x.op() == Op::load || x.op() == Op::array ||
             x.op() == Op::call || x.op() == Op::reduce;
  });
  return found;
}

// The number of pieces plus the number of their quotients.
int weight(const isl::set& set) {
  int sum = 0;
  set.foreach_basic_set([&](const isl::basic_set& piece) {
    sum += 1 + int(isl_basic_set_dim(piece.get(), isl_dim_div));
  });
  return sum;
}

int weight(const isl::pw_aff& function) {
  int sum = 0;
  function.foreach_piece([&](const isl::set& where, const isl::multi_aff& value) {
    const isl::aff formula = value.at(0);
    const int quotients = int(isl_aff_dim(formula.get(), isl_dim_div));
    sum += weight(where) + quotients;
  });
  return sum;
}

template <typename Translated>
std::optional<Translated> if_small(const std::optional<Translated>& made) {
  return made && weight(*made) <= most_pieces_of_value ? made : std::nullopt;
}

}  // namespace

class Translation::Translator {
 public:
  explicit Translator(IteratorScope scope) : scope_(std::move(scope)) {}

  Aff affine(const Expr& e) {
    return functions_(e, [&] { return if_small(fresh_affine(e)); });
  }

  Set condition(const Expr& e) {
    return conditions_(e, [&] { return if_small(fresh_condition(e)); });
  }

 private:
  Aff fresh_affine(const Expr& e) {
    switch (e.op()) {
      case Op::constant: return is_integer(e.type()) ? Aff(constant(e)) : std::nullopt;
      case Op::variable: return iterator(e.name());
      case Op::parameter: return parameter(e.name());
      case Op::named: return affine(e.args()[0]);
      case Op::select: return selection(e);
      default: return e.type() == i64 ? operation(e) : narrow(e);
    }
  }

  Set fresh_condition(const Expr& e) {
    switch (e.op()) {
      case Op::constant: return e.node().integer ? universe() : universe().subtract(universe());
      case Op::named: return condition(e.args()[0]);
      case Op::logical_not:
        if (auto inner = condition(e.args()[0])) return universe().subtract(*inner);
        return std::nullopt;
      case Op::logical_and:
      case Op::logical_or: return connective(e);
      default: return comparison(e);
    }
  }

  isl::set universe() const { return scope_.space.universe_set(); }

  isl::pw_aff constant(const Expr& e) const {
    auto zero = isl::manage(isl_aff_zero_on_domain_space(scope_.space.copy()));
    isl_ctx* ctx = scope_.space.ctx().get();
    isl_val* value = is_unsigned_integer(e.type())
                         ? isl_val_int_from_ui(ctx, std::uint64_t(e.node().integer))
                         : isl_val_int_from_si(ctx, e.node().integer);
    return isl::pw_aff(zero).add_constant(isl::manage(value));
  }

  Aff iterator(const std::string& name) const {
    auto found = std::find(scope_.iterators.begin(), scope_.iterators.end(), name);
    if (found == scope_.iterators.end()) return std::nullopt;
    auto position = unsigned(found - scope_.iterators.begin());
    return isl::manage(isl_pw_aff_var_on_domain(isl_local_space_from_space(scope_.space.copy()),
                                                isl_dim_set, position));
  }

  isl::pw_aff parameter(const std::string& name) const {
    // isl::id(ctx, name) would parse the name, and isl's keywords are not names.
    const isl::id id = isl::manage(isl_id_alloc(scope_.space.ctx().get(), name.c_str(), nullptr));
    return isl::pw_aff::param_on_domain(universe(), id);
  }

  // Arithmetic in types other than int64 may wrap. So it counts only if it is a widening cast, or
  // if its value is a constant that its type holds.
  Aff narrow(const Expr& e) {
    if (!is_integer(e.type())) return std::nullopt;
    if (auto same = widened(e)) return same;
    auto exact = e.op() == Op::cast ? affine(e.args()[0]) : operation(e);
    auto value = constant_value(exact);
    return value && in_range(e.type(), *value) ? exact : std::nullopt;
  }

  bool in_range(Type type, const isl::val& value) const {
    const bool with_sign = is_signed_integer(type);
    const auto limit = isl::val(scope_.space.ctx(), bits(type) - (with_sign ? 1 : 0)).pow2();
    return value.lt(limit) && (with_sign ? value.ge(limit.neg()) : value.is_nonneg());
  }

  // A cast that preserves every value.
  Aff widened(const Expr& e) {
    if (e.op() != Op::cast || !is_integer(e.type())) return std::nullopt;
    const Expr& inner = e.args()[0];
    return holds_every_value(e.type(), inner.type()) ? affine(inner) : std::nullopt;
  }

  Aff selection(const Expr& e) {
    auto when = condition(e.args()[0]);
    auto then = affine(e.args()[1]), otherwise = affine(e.args()[2]);
    if (!when || !then || !otherwise) return std::nullopt;
    return then->intersect_domain(*when).union_add(otherwise->subtract_domain(*when));
  }

  static std::optional<isl::val> constant_value(const Aff& a) {
    if (!a || !isl_pw_aff_is_cst(a->get())) return std::nullopt;
    auto value = a->max_val();
    return value.is_int() && a->min_val().eq(value) ? std::optional(value) : std::nullopt;
  }

  Aff operation(const Expr& e) {
    if (e.op() == Op::cast) return widened(e);
    std::vector<isl::pw_aff> args;
    for (const Expr& arg : e.args()) {
      auto translated = affine(arg);
      if (!translated) return std::nullopt;
      args.push_back(*translated);
    }
    return args.size() == 1   ? unary(e.op(), args[0])
           : args.size() == 2 ? binary(e.op(), args[0], args[1])
                              : std::nullopt;
  }

  static Aff unary(Op op, const isl::pw_aff& a) {
    if (op == Op::negate) return a.neg();
    if (op == Op::abs) return a.max(a.neg());
    return std::nullopt;
  }

  static Aff binary(Op op, const isl::pw_aff& a, const isl::pw_aff& b) {
    auto by = constant_value(b);
    switch (op) {
      case Op::add: return a.add(b);
      case Op::sub: return a.sub(b);
      case Op::min: return a.min(b);
      case Op::max: return a.max(b);
      case Op::mul: return by || constant_value(a) ? Aff(a.mul(b)) : std::nullopt;
      case Op::div: return by && !by->is_zero() ? Aff(quotient(a, *by)) : std::nullopt;
      case Op::mod:
        return by && !by->is_zero() ? Aff(a.sub(quotient(a, *by).scale(*by))) : std::nullopt;
      case Op::shift_left:
      case Op::shift_right: return shifted(op, a, by);
      default: return std::nullopt;
    }
  }

  // floor(a / by) = floor(-a / -by)
  static isl::pw_aff quotient(const isl::pw_aff& a, const isl::val& by) {
    return (by.is_neg() ? a.neg().scale_down(by.neg()) : a.scale_down(by)).floor();
  }

  static Aff shifted(Op op, const isl::pw_aff& a, const std::optional<isl::val>& by) {
    if (!by || by->is_neg() || by->gt(62)) return std::nullopt;
    const long factor = 1L << by->num_si();
    return op == Op::shift_left ? a.scale(factor) : a.scale_down(factor).floor();
  }

  Set connective(const Expr& e) {
    auto a = condition(e.args()[0]), b = condition(e.args()[1]);
    if (!a || !b) return std::nullopt;
    return e.op() == Op::logical_and ? a->intersect(*b) : a->unite(*b);
  }

  Set comparison(const Expr& e) {
    if (e.args().size() != 2) return std::nullopt;
    auto a = affine(e.args()[0]), b = affine(e.args()[1]);
    if (!a || !b) return std::nullopt;
    switch (e.op()) {
      case Op::eq: return a->eq_set(*b);
      case Op::ne: return a->ne_set(*b);
      case Op::lt: return a->lt_set(*b);
      case Op::le: return a->le_set(*b);
      case Op::gt: return a->gt_set(*b);
      case Op::ge: return a->ge_set(*b);
      default: return std::nullopt;
    }
  }

  const IteratorScope scope_;
  Memo<Aff> functions_;
  Memo<Set> conditions_;
};

IteratorScope scope_of(isl::ctx ctx, const std::string& name,
                       const std::vector<std::string>& iterators) {
  isl_space* space = isl_space_set_alloc(ctx.get(), 0, unsigned(iterators.size()));
  space = isl_space_set_tuple_name(space, isl_dim_set, name.c_str());
  for (unsigned d = 0; d < iterators.size(); ++d)
    if (!iterators[d].empty())
      space = isl_space_set_dim_name(space, isl_dim_set, d, iterators[d].c_str());
  return {isl::manage(space), iterators};
}

Translation::Translation(const IteratorScope& scope)
    : translator_(std::make_unique<Translator>(scope)) {}
Translation::~Translation() = default;
Translation& Translation::operator=(Translation&&) = default;

std::optional<isl::pw_aff> Translation::affine(const Expr& e) {
  return is_exact(e) ? affine_over_integers(e) : std::nullopt;
}

std::optional<isl::set> Translation::condition(const Expr& e) {
  return is_exact(e) ? condition_over_integers(e) : std::nullopt;
}

std::optional<isl::pw_aff> Translation::affine_over_integers(const Expr& e) {
  return reads_data(e) ? std::nullopt : translator_->affine(e);
}

std::optional<isl::set> Translation::condition_over_integers(const Expr& e) {
  return reads_data(e) ? std::nullopt : translator_->condition(e);
}

std::optional<isl::pw_aff> affine_over_integers(const Expr& e, const IteratorScope& scope) {
  return Translation(scope).affine_over_integers(e);
}

std::optional<isl::set> condition_over_integers(const Expr& condition, const IteratorScope& scope) {
  return Translation(scope).condition_over_integers(condition);
}

std::optional<isl::pw_aff> affine(const Expr& e, const IteratorScope& scope) {
  return Translation(scope).affine(e);
}

std::optional<isl::set> affine_condition(const Expr& condition, const IteratorScope& scope) {
  return Translation(scope).condition(condition);
}

std::string why_not_affine(const Expr& e) {
  return is_exact(e) ? "" : " (its arithmetic wraps for sizes below 2^31)";
}

std::optional<isl::set> box(const std::string& name, const std::vector<Var>& iterators,
                            isl::ctx ctx, std::string* culprit) {
  std::vector<std::string> names;
  for (const Var& v : iterators) names.push_back(v.name());
  const IteratorScope all = scope_of(ctx, name, names);
  isl::set domain = all.space.universe_set();
  for (std::size_t d = 0; d < iterators.size(); ++d) {
    if (!iterators[d].has_range()) continue;
    // A bound may use only earlier iterators.
    IteratorScope outer = all;
    for (std::size_t later = d; later < names.size(); ++later) outer.iterators[later] = "";
    auto lower = affine(iterators[d].lower(), outer), upper = affine(iterators[d].upper(), outer);
    if (!lower || !upper) {
      *culprit = names[d];
      return std::nullopt;
    }
    auto here = *affine(iterators[d], all);
    domain = domain.intersect(here.ge_set(*lower)).intersect(here.lt_set(*upper));
  }
  return domain;
}

}  // namespace strata
