// Rule "plain": inside, vectors of the last loop that writes without gaps; around it, the other
// loops. The model knows what its reads cost, and which of them are gathers.
#include "automatic/rules/rules.h"

namespace strata::automatic {

namespace {

void note_parallel(Draft& draft, const Member& m) {
  for (const std::string& loop : draft.loops(m.name)) {
    for (std::size_t l = 0; l < m.results; ++l)
      if (m.iterator(l) == loop) draft.parallel.push_back({m.name, loop});
  }
}

}  // namespace

std::vector<Place> plain_places(const Setting&, const std::vector<const Member*>& free) {
  std::vector<Place> places;
  for (const Member* m : free)
    if (m->is_pure && !m->definition->iterators.empty()) places.push_back({m});
  return places;
}

std::vector<Candidate> plain_candidates(const Setting& setting, const Place& place) {
  const Member& m = *place.front();
  const int lanes = setting.machine.lanes(m.definition->type);
  std::vector<Candidate> made;
  if (!m.is_sum())
    for (std::size_t l = m.results; l-- > 0;) {
      if (!m.statement.write().is_contiguous(l) || m.count(l) < lanes || lanes < 2) continue;
      made.push_back({"vectors of " + m.iterator(l), [&m, l, lanes](Draft& draft) {
                        draft.vectors_inside(m.name, 0, m.iterator(l), lanes);
                        note_parallel(draft, m);
                      }});
      break;
    }
  made.push_back({"as written", [&m](Draft& draft) { note_parallel(draft, m); }});
  return made;
}

}  // namespace strata::automatic
