#include "schedule/commands/loops/reorder.h"

#include <algorithm>
#include <numeric>

#include "schedule/edit/band.h"
#include "schedule/edit/verified.h"

namespace strata {

Program reorder(const Program& program, const std::vector<LoopRef>& loops, Given given) {
  const Command command{"reorder",
                        {loops.begin(), loops.end()},
                        given,
                        "running the loops in this order would read a value before it is computed"};
  Program result = program;
  const auto paths = chain_named(result, loops, command);
  const auto shorter = [](const Path& a, const Path& b) { return a.size() < b.size(); };
  const auto [outermost, innermost] = std::minmax_element(paths.begin(), paths.end(), shorter);
  std::vector<int> named;
  for (const Path& path : paths) named.push_back(int(path.size() - outermost->size()));
  std::vector<int> places = named;
  std::sort(places.begin(), places.end());

  std::vector<int> from(innermost->size() - outermost->size() + 1);
  std::iota(from.begin(), from.end(), 0);
  for (std::size_t k = 0; k < named.size(); ++k) from[std::size_t(places[k])] = named[k];
  permute_band(result.session->isl(), result.mapping, *outermost, from);
  return verified(program, std::move(result), command);
}

}  // namespace strata
