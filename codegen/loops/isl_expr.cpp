#include "codegen/loops/isl_expr.h"

#include <isl/ast.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

#include "codegen/tree/index_math.h"
#include "core/error.h"
#include "core/sets/coalesce.h"

namespace strata {

namespace {

[[noreturn]] void fail(const std::string& explanation) {
  throw Request{}.refused(Code::E0502_code_generation_failed, explanation);
}

std::int64_t integer(const isl::val& value) {
  const isl::val limit =
      isl::manage(isl_val_2exp(isl::manage(isl_val_int_from_si(value.ctx().get(), 63)).release()));
  if (!value.is_int() || value.ge(limit) || value.lt(limit.neg()))
    fail("a constant of the loops does not fit in 64 bits");
  return value.num_si();
}

Op operation(isl_ast_expr_op_type type) {
  switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then: return Op::logical_and;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else: return Op::logical_or;
    case isl_ast_expr_op_max: return Op::max;
    case isl_ast_expr_op_min: return Op::min;
    case isl_ast_expr_op_minus: return Op::negate;
    case isl_ast_expr_op_add: return Op::add;
    case isl_ast_expr_op_sub: return Op::sub;
    case isl_ast_expr_op_mul: return Op::mul;
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_fdiv_q:
    case isl_ast_expr_op_pdiv_q: return Op::div;
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r: return Op::mod;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select: return Op::select;
    case isl_ast_expr_op_eq: return Op::eq;
    case isl_ast_expr_op_le: return Op::le;
    case isl_ast_expr_op_lt: return Op::lt;
    case isl_ast_expr_op_ge: return Op::ge;
    case isl_ast_expr_op_gt: return Op::gt;
    default: return Op::invalid;
  }
}

Expr applied(Op op, const std::vector<Expr>& args) {
  if (op == Op::select) return select(args[0], args[1], args[2]);
  if (op == Op::negate) return make(op, args);
  Expr result = args[0];
  for (std::size_t i = 1; i < args.size(); ++i) result = make(op, {result, args[i]});
  return result;
}

// isl writes booleans as the numbers 0 and 1.
Expr condition(const Expr& e) {
  return e.type() == boolean ? e : make(Op::ne, {e, constant(i64, 0)});
}

Expr convert(const isl::ast_expr& e, const Names& names) {
  isl_ast_expr* raw = e.get();
  if (isl_ast_expr_get_type(raw) == isl_ast_expr_int)
    return constant(i64, integer(isl::manage(isl_ast_expr_get_val(raw))));
  if (isl_ast_expr_get_type(raw) == isl_ast_expr_id)
    return names(isl::manage(isl_ast_expr_get_id(raw)).name());
  const Op op = operation(isl_ast_expr_get_op_type(raw));
  if (op == Op::invalid) fail("isl gave an expression that is not an index: " + e.to_C_str());
  std::vector<Expr> args;
  for (int i = 0; i < isl_ast_expr_get_op_n_arg(raw); ++i)
    args.push_back(convert(isl::manage(isl_ast_expr_get_op_arg(raw, i)), names));
  const bool connective = op == Op::logical_and || op == Op::logical_or;
  const std::size_t truths = connective ? args.size() : op == Op::select ? 1 : 0;
  std::transform(args.begin(), args.begin() + std::ptrdiff_t(truths), args.begin(), condition);
  return applied(op, args);
}

// The tuple of these names.
isl::multi_id tuple(const isl::space& space, const std::vector<std::string>& names) {
  isl::id_list ids(space.ctx(), 0);
  for (const std::string& name : names) ids = ids.add(make_id(space.ctx(), name));
  return isl::multi_id(space, ids);
}

}  // namespace

isl::id make_id(isl::ctx ctx, const std::string& name) {
  return isl::manage(isl_id_alloc(ctx.get(), name.c_str(), nullptr));
}

isl::multi_id tuple_of_one(isl::ctx ctx, const std::string& name) {
  return isl::multi_id(isl::space::unit(ctx).add_unnamed_tuple(1),
                       isl::id_list(make_id(ctx, name)));
}

isl::pw_aff parameter_named(const isl::set& set, const std::string& name) {
  const isl::id id = make_id(set.ctx(), name);
  isl_space* space = isl_space_add_param_id(set.space().params().release(), id.copy());
  return isl::pw_aff(isl::manage(isl_aff_param_on_domain_space_id(space, id.copy())));
}

std::string tuple_name(const isl::set& set) { return isl_set_get_tuple_name(set.get()); }

std::string range_tuple_name(const isl::map& map) {
  return isl_map_get_tuple_name(map.get(), isl_dim_out);
}

Expr to_expr(const isl::ast_expr& e, const Names& names) { return simplified(convert(e, names)); }

std::vector<Expr> functions(const isl::map& relation, const isl::set& domain,
                            const std::vector<std::string>& iterators) {
  const isl::map asked = coalesced(relation.intersect_domain(domain));
  if (asked.is_empty()) return std::vector<Expr>(relation.range_tuple_dim(), constant(i64, 0));
  const isl::pw_multi_aff f = asked.as_pw_multi_aff();
  const auto open = f.gist(domain).bind_domain(tuple(domain.space(), iterators));
  const auto build = isl::ast_build(domain.ctx());
  const Names names = [&](const std::string& name) {
    const bool own = std::find(iterators.begin(), iterators.end(), name) != iterators.end();
    return own ? variable(name) : parameter(name);
  };
  std::vector<Expr> result;
  for (int d = 0; d < int(relation.range_tuple_dim()); ++d)
    result.push_back(to_expr(build.expr_from(open.at(d)), names));
  return result;
}

isl::pw_aff or_zero(const isl::pw_aff& f, const isl::set& context) {
  const isl::set rest = context.subtract(f.domain());
  return rest.is_empty() ? f : coalesced(f.union_add(rest.pw_aff_on_domain(0)));
}

Expr parametric(const isl::pw_aff& f, const isl::set& context) {
  const auto build = isl::ast_build::from_context(context);
  return to_expr(build.expr_from(coalesced(f)),
                 [](const std::string& name) { return parameter(name); });
}

}  // namespace strata
