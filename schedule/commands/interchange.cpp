#include "schedule/commands/interchange.h"

#include <algorithm>

#include "schedule/edit/band.h"
#include "schedule/edit/judged.h"

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
  const int count = int(paths[1].size() - paths[0].size()) + 1;

  auto loops = loops_of_band(result.mapping, paths[0], count);
  std::swap(loops.front(), loops.back());
  const auto t = band_iterators(result.session->isl(), count);
  std::vector<isl::aff> exchanged;
  for (int n = 0; n < count; ++n) exchanged.push_back(t.at(n));
  std::swap(exchanged.front(), exchanged.back());
  rewrite_band(result.mapping, paths[0], count, loops, band_map(t, exchanged));

  return judged(program, std::move(result), command);
}

}  // namespace strata
