// Rule "stencil": a pipeline of computations. Each runs in tiles of the last one, in windows that
// slide along the rows of the last one, or is inlined.
//
//   tiles     for tiles of the last: for what the tile reads: producers; for the tile: the last
//   windows   for strips of rows: for rows: the rows of producers that are new; the row of the last
//   inlined   the last alone, from what its producers are made of
#include <algorithm>
#include <map>
#include <set>

#include "automatic/rules/rules.h"

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;

const Member& last_of(const Place& place) { return *place.back(); }

// Does only the place read its members, apart from the last one, which is the only sink?
bool is_pipeline(const Place& place) {
  std::set<std::string> names;
  for (const Member* m : place) names.insert(m->name);
  for (const Member* m : place) {
    if (m->is_sum() || !m->is_pure || !m->has_known_reads()) return false;
    if (m->statement.loops.size() < 2) return false;
    if (m == place.back()) continue;
    if (m->is_output) return false;
    for (const std::string& reader : m->readers)
      if (!names.count(reader)) return false;
  }
  return place.size() > 1 && last_of(place).definition->iterators.size() >= 2;
}

// The most rows that a computation reads of one producer.
int taps(const Place& place) {
  std::size_t most = 1;
  for (const Member* m : place) {
    std::map<std::string, std::set<Point>> rows;
    for (const Access* read : m->reads())
      if (!read->at.empty()) rows[read->array].insert(Point(read->at.begin(), read->at.end() - 1));
    for (const auto& [array, of_array] : rows) most = std::max(most, of_array.size());
  }
  return int(most);
}

int lanes_of(const Setting& setting, const Place& place) {
  int least = 64;
  for (const Member* m : place) least = std::min(least, setting.machine.lanes(m->definition->type));
  return std::max(least, 1);
}

// A loop, counted from the innermost one, of a computation that runs inside another one's loops.
std::string own_loop(const Draft& draft, const Member& m, std::size_t from_end) {
  const Strings all = draft.loops(m.name);
  return all[all.size() - from_end];
}

enum class At { tile, strip, row };

struct Tiling {
  int rows, columns;
  At at;
};

std::string text_of(const Tiling& t) {
  const std::string size = std::to_string(t.rows) + " x " + std::to_string(t.columns);
  const char* const at[] = {"in each", "in each row of tiles", "in each row"};
  return "tiles of " + size + ", the others " + at[int(t.at)];
}

void in_tiles(Draft& draft, const Place& place, const Tiling& t, int lanes) {
  const Member& last = last_of(place);
  const std::size_t count = last.definition->iterators.size();
  const std::string row = last.iterator(count - 2), column = last.iterator(count - 1);
  const std::string r0 = draft.fresh(row + "0"), c0 = draft.fresh(column + "0");
  const std::string r1 = draft.fresh(row + "1"), c1 = draft.fresh(column + "1");
  draft.give("tile", {LoopRef{last.name, row}, LoopRef{last.name, column}, t.rows, t.columns, r0,
                      c0, r1, c1});
  const std::string at = t.at == At::tile ? c0 : t.at == At::strip ? r0 : r1;
  for (std::size_t n = place.size() - 1; n-- > 0;)
    draft.give("compute_at", {place[n]->name, LoopRef{last.name, at}});
  const bool in_registers = t.columns == lanes && t.rows <= 16 && t.at == At::tile;
  for (std::size_t n = 0; n + 1 < place.size(); ++n) {
    const Member& m = *place[n];
    const std::string along = own_loop(draft, m, 1);
    if (in_registers) {
      draft.unroll(m.name, own_loop(draft, m, 2), "");
      draft.give("vectorize", {LoopRef{m.name, along}});
    } else {
      draft.vectors(m.name, along, lanes);
    }
  }
  if (in_registers) {
    draft.unroll(last.name, r1, "");
    draft.give("vectorize", {LoopRef{last.name, c1}});
  } else {
    draft.vectors(last.name, c1, lanes);
  }
  for (std::size_t l = 0; l + 2 < count; ++l)
    draft.parallel.push_back({last.name, last.iterator(l)});
  draft.parallel.push_back({last.name, r0});
}

void in_windows(Draft& draft, const Place& place, int rows, int lanes) {
  const Member& last = last_of(place);
  const std::size_t count = last.definition->iterators.size();
  const std::string row = last.iterator(count - 2);
  const std::string r0 = draft.fresh(row + "0"), r1 = draft.fresh(row + "1");
  draft.give("split", {LoopRef{last.name, row}, rows, r0, r1});
  draft.give("guard", {LoopRef{last.name, r1}});
  for (std::size_t n = place.size() - 1; n-- > 0;) {
    draft.give("compute_at", {place[n]->name, LoopRef{last.name, r1}});
    draft.give("store_at", {place[n]->name, LoopRef{last.name, r0}});
  }
  for (const Member* m : place) draft.vectors(m->name, own_loop(draft, *m, 1), lanes);
  draft.parallel.push_back({last.name, r0});
}

void inlined(Draft& draft, const Place& place, int lanes) {
  const Member& last = last_of(place);
  for (std::size_t n = 0; n + 1 < place.size(); ++n) draft.give("inline", {place[n]->name});
  draft.vectors(last.name, last.definition->iterators.back(), lanes);
  for (std::size_t l = 0; l + 1 < last.results; ++l)
    draft.parallel.push_back({last.name, last.iterator(l)});
}

}  // namespace

std::vector<Place> stencil_places(const Setting&, const std::vector<const Member*>& free) {
  std::vector<Place> places;
  for (auto& set : connected(free))
    if (is_pipeline(set)) places.push_back(std::move(set));
  return places;
}

std::vector<Candidate> stencil_candidates(const Setting& setting, const Place& place) {
  std::vector<Candidate> made;
  const int lanes = lanes_of(setting, place);
  const Member& last = last_of(place);
  if (lanes < 2 || !last.statement.write().is_contiguous(last.results - 1)) return made;
  made.push_back({"inlined", [place, lanes](Draft& d) { inlined(d, place, lanes); }});
  // For long pipelines, the rule tries fewer sizes.
  const bool is_long = place.size() > 4;
  std::set<int> rows{setting.machine.filter_rows(taps(place)), 4, 16, 64};
  if (!is_long) rows.insert({2, 8, 32});
  const std::vector<int> vectors =
      is_long ? std::vector<int>{1, 4, 16} : std::vector<int>{1, 2, 4, 16, 64};
  for (const At at : {At::tile, At::strip, At::row})
    for (const int v : vectors)
      for (const int r : rows) {
        if (at == At::row && v < 16) continue;
        const Tiling t{r, v * lanes, at};
        made.push_back({text_of(t), [place, t, lanes](Draft& d) { in_tiles(d, place, t, lanes); }});
      }
  rows.insert(128);
  for (const int r : rows)
    made.push_back({"windows in strips of " + std::to_string(r) + " rows",
                    [place, r, lanes](Draft& d) { in_windows(d, place, r, lanes); }});
  return made;
}

}  // namespace strata::automatic
