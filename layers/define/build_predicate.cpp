#include <algorithm>
#include <functional>

#include "core/expr/expr_memo.h"
#include "layers/define/build_parts.h"
#include "layers/define/derive.h"

namespace strata {

namespace {

const Definition& require_unscheduled(const Program& program, const std::string& definition,
                                      const Request& request) {
  const Definition* found = program.algorithm->find(definition);
  if (!found)
    throw request.refused(Code::E0101_unknown_computation, "there is no computation " + definition,
                          "name a computation of this function");
  if (program.scheduled)
    throw request.refused(Code::E0106_bad_argument,
                          "a command was given before the condition of " + definition,
                          "give the condition of a computation before the first command");
  return *found;
}

void require_condition(const Expr& condition, const Request& request) {
  if (const ExprNode* mistake = find_invalid(condition))
    throw request.refused(mistake->code, mistake->name);
  if (condition.type() != boolean)
    throw request.refused(Code::E0110_types_do_not_mix,
                          "the condition is " + to_string(condition.type()) + ", not boolean",
                          "write a comparison");
}

}  // namespace

SplitCondition split_condition(const Expr& condition, const IteratorScope& scope) {
  Memo<SplitCondition> known;
  const std::function<SplitCondition(const Expr&)> split = [&](const Expr& e) {
    return known(e, [&]() -> SplitCondition {
      if (const auto holds = affine_condition(e, scope)) return {*holds, e, Expr()};
      if (e.op() == Op::named) return split(e.args()[0]);
      if (e.op() != Op::logical_and) return {scope.space.universe_set(), Expr(), e};
      const SplitCondition a = split(e.args()[0]), b = split(e.args()[1]);
      return {a.affine.intersect(b.affine), both(a.exact, b.exact), both(a.rest, b.rest)};
    });
  };
  return split(condition);
}

void note_exact(ExactRange& needed, const Definition& d, const std::vector<ExactUse>& uses,
                const isl::set& where, const isl::set& made, const Request& request) {
  const auto range = exact_range(uses, where, d.iterators);
  if (!range)
    throw request.refused(Code::E0111_not_affine,
                          "the arithmetic of a bound, an index or a condition of " + d.name +
                              " wraps for all parameter values",
                          "use smaller constants");
  note(needed, *range, made);
}

void assume_exact(Algorithm& algorithm, const ExactRange& needed) {
  auto& known = algorithm.assumed;
  for (const Expr& condition : assumptions_of(needed))
    if (std::none_of(known.begin(), known.end(),
                     [&](const Expr& other) { return same(other, condition); }))
      known.push_back(condition);
}

Program with_predicate(const Program& program, const std::string& definition, const Expr& condition,
                       const Request& request) {
  Definition d = require_unscheduled(program, definition, request);
  require_condition(condition, request);
  require_parameters_known(*program.algorithm, condition, "the condition", request);
  const SplitCondition split =
      split_condition(condition, scope_of(program.session->isl(), d.name, d.iterators));
  if (split.rest.defined() && d.name == d.array && !d.reduction)
    throw request.refused(Code::E0106_bad_argument,
                          d.name +
                              " would have no value where the condition, which is not "
                              "affine" +
                              why_not_affine(split.rest) + ", is false",
                          "define " + d.name +
                              " everywhere and update it where the condition "
                              "holds, or write a select");
  const isl::set before = d.inferred ? *d.given_ranges : isl::set(d.domain);
  ExactRange needed;
  if (split.exact.defined())
    note_exact(needed, d, {{split.exact}}, before, before.intersect(split.affine), request);
  d.domain = InstanceSet::from(isl::set(d.domain).intersect(split.affine));
  if (d.given_ranges) d.given_ranges = d.given_ranges->intersect(split.affine);
  d.predicate = both(d.predicate, split.rest);
  Program after = program;
  Algorithm algorithm = *program.algorithm;
  assume_exact(algorithm, needed);
  set_instances(algorithm.reference, {{d.name, d.domain}});
  set_instances(after.mapping, {{d.name, d.domain}});
  algorithm.edit(definition) = d;
  return completed(std::move(after), std::move(algorithm), request);
}

}  // namespace strata
