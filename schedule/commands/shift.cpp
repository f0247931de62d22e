#include "schedule/commands/shift.h"

#include <algorithm>

#include "core/expr_text.h"
#include "layers/affine.h"
#include "schedule/band.h"
#include "schedule/parametric.h"

namespace strata {

namespace {

// A plain number without the type that C++ gave it.
std::string as_written(const Expr& amount) {
  if (!amount.defined()) return "";
  const bool number = amount.op() == Op::constant && is_integer(amount.type());
  return number ? std::to_string(amount.node().integer) : to_text(amount);
}

// The first parameter in "e" that the program does not have, or an empty name.
std::string unknown_parameter(const Program& program, const Expr& e) {
  const auto& known = program.algorithm->parameters;
  std::string unknown;
  visit(e, [&](const Expr& inner) {
    if (inner.op() == Op::parameter && unknown.empty() &&
        std::find(known.begin(), known.end(), inner.name()) == known.end())
      unknown = inner.name();
  });
  return unknown;
}

// { [t] -> [t + amount] }
BandMap moved(const Program& program, const Expr& amount, const Command& command) {
  if (!amount.defined())
    throw command.refused(Code::E0106_bad_argument,
                          "the amount is an Expr that nothing was assigned to",
                          "give it an expression");
  if (const ExprNode* mistake = find_invalid(amount))
    throw command.refused(mistake->code, mistake->name);
  const auto unknown = unknown_parameter(program, amount);
  if (!unknown.empty())
    throw command.refused(Code::E0101_unknown_computation,
                          "the program has no parameter " + unknown,
                          "declare it with param(\"" + unknown + "\") on this function");
  const auto t = band_iterators(program.session->isl(), 1);
  const auto by = affine(amount, {t.space().domain(), {}});
  if (!by)
    throw command.refused(Code::E0111_not_affine,
                          "the amount is not an affine function of the parameters",
                          "use integers, parameters, sums, and products and quotients by integers");
  return isl::map(isl::multi_pw_aff(t).set_at(0, isl::pw_aff(t.at(0)).add(*by)).as_map());
}

}  // namespace

Program shift(const Program& program, const LoopRef& loop, const Expr& amount, Given given) {
  const Command command{"shift",
                        {to_string(loop), as_written(amount)},
                        given,
                        "moving " + loop.definition + " along " + loop.loop +
                            " would run a reader before the value it reads"};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_known_tiles(result, path, 1, "shifted", command);
  const BandMap change = moved(result, amount, command);

  for (const Placed& placed : branches_of(result.mapping, loop.definition))
    if (is_inside(placed.path, path))
      rewrite_time(node_at(result.mapping, placed.path).branch(), int(path.size()) - 1, 1, change);

  return judged(program, std::move(result), command);
}

}  // namespace strata
