// Rule "interchange": vectors of an update whose operands become final one after the other in the
// last loop that it shares, as the best of all ways to divide an interval:
//
//   for r: for c: { for k: X(r, c) = max(X(r, c), X(r, k) + Y(k, c));  X(r, c) is final }
//
// Each value is used as soon as it is final, by all that need it, and these run along memory:
//
//   for r: for k: { X(r, k) is final;
//                   for vectors of c: X(r, c) = max(X(r, c), X(r, k) + Y(k, c)) }
//
//     { U[.., c, k] -> [.., k, n, c] }        others stay:  { S[.., c] -> [.., c, m] },  m < n
#include <isl/map.h>

#include <algorithm>
#include <utility>

#include "automatic/rules/rules.h"

namespace strata::automatic {

namespace {

// An update with one own loop, along whose last shared loop it writes and reads without gaps.
bool is_update_along_shared(const Member& m) {
  const std::size_t c = m.shared - 1;
  return m.shares_loops() && m.definition->iterators.size() == m.shared + 1 && !m.is_sum() &&
         m.has_known_reads() && !m.reads_of(m.array()).empty() &&
         m.statement.write().is_contiguous(c) && !m.gathers_along(c);
}

// The update is the first of the place, and the others run once in each step.
bool fits(const Place& place) {
  const Member& update = *place.front();
  return place.size() > 1 && is_update_along_shared(update) &&
         std::all_of(place.begin() + 1, place.end(), [&](const Member* m) {
           return m->shared == update.shared && m->definition->iterators.size() == m->shared;
         });
}

// The iterators of the update in their new order.
std::vector<std::string> turned(const Member& update, std::vector<std::string> iterators) {
  std::swap(iterators[update.shared - 1], iterators[update.shared]);
  return iterators;
}

// Are the instances along c independent, for each k?
bool has_vectors(const Member& update) {
  const isl::map times = times_at(update, turned(update, numbered_iterators(update)));
  return !is_carried_inside(update, times, update.shared);
}

// The times of the update, behind all others in a step:
//     { U[r, c, k] -> [root, r, 0, k, n, c, 0] }
IslNotation times(const Member& update, std::size_t order) {
  std::string text = "{ " + update.name + "[", separator;
  for (const std::string& iterator : update.definition->iterators)
    text += std::exchange(separator, ", ") + iterator;
  text += "] -> [" + std::to_string(update.statement.path.front());
  const auto loops = turned(update, update.definition->iterators);
  for (std::size_t l = 0; l < loops.size(); ++l)
    text += ", " + loops[l] + ", " + std::to_string(l + 1 == update.shared ? order : 0);
  return IslNotation{text + "] }"};
}

void write(Draft& draft, const Place& place, int lanes) {
  const Member& update = *place.front();
  draft.give("set_schedule", {update.name, times(update, place.size())});
  draft.vectors(update.name, draft.loops(update.name).back(), lanes);
}

}  // namespace

std::vector<Place> interchange_places(const Setting& setting, const std::vector<const Member*>&) {
  std::vector<Place> places = by_nest(setting.facts.sharing_loops());
  std::erase_if(places, [](const Place& place) { return !fits(place); });
  return places;
}

std::vector<Candidate> interchange_candidates(const Setting& setting, const Place& place) {
  const int lanes = setting.machine.lanes(place.front()->definition->type);
  if (lanes < 2 || !has_vectors(*place.front())) return {};
  std::vector<Candidate> made;
  for (const int vectors : {1, 2, 4})
    made.push_back(
        {"vectors of " + std::to_string(vectors * lanes),
         [place, lanes, vectors](Draft& draft) { write(draft, place, vectors * lanes); }});
  return made;
}

}  // namespace strata::automatic
