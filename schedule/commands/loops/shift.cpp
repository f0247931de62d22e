#include "schedule/commands/loops/shift.h"

#include "layers/affine/affine.h"
#include "layers/define/build.h"
#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// { [t] -> [t + amount] }
BandMap moved(const Program& program, const Expr& amount, const Command& command) {
  require_parameters_known(*program.algorithm, amount, "the amount",
                           {command.text(), command.given.where});
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
                        {loop, amount},
                        given,
                        "moving " + to_string(loop.branch()) + " along " + loop.loop +
                            " would read a value before it is computed"};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_known_tiles(result, path, 1, "shifted", command);
  const BandMap change = moved(result, amount, command);

  for (const Placed& placed : branches_named(result, loop.branch(), command))
    if (is_inside(placed.path, path))
      rewrite_time(node_at(result.mapping, placed.path).branch(), int(path.size()) - 1, 1, change);

  return verified(program, std::move(result), command);
}

}  // namespace strata
