#include "schedule/commands/loops/interchange.h"

#include <numeric>
#include <utility>

#include "schedule/edit/band.h"
#include "schedule/edit/verified.h"

namespace strata {

Program interchange(const Program& program, const LoopRef& a, const LoopRef& b, Given given) {
  const Command command{
      "interchange",
      {a, b},
      given,
      "exchanging " + a.loop + " and " + b.loop + " would read a value before it is computed"};
  Program result = program;
  auto paths = chain_named(result, {a, b}, command);
  if (paths[0].size() > paths[1].size()) std::swap(paths[0], paths[1]);
  std::vector<int> from(paths[1].size() - paths[0].size() + 1);
  std::iota(from.begin(), from.end(), 0);
  std::swap(from.front(), from.back());
  permute_band(result.session->isl(), result.mapping, paths[0], from);
  return verified(program, std::move(result), command);
}

}  // namespace strata
