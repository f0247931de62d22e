// Rule "steps": vectors inside of loops that several computations share, such as the steps of a
// solver.
//
//   for k: A[k, ..]; B[k, ..]         the loop k stays, with its order of computations
//     for k: for i: for vectors of j: A
//
// An update may run in any order inside a step if no instance of the step reads what another
// instance of the same update computes in this step:
//     { x' - x : S[x'] reads a value of S[x], x and x' in one step }  =  { 0 }
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "automatic/rules/lines.h"
#include "automatic/rules/sums.h"

namespace strata::automatic {

namespace {

// Are the instances of a step independent of each other?
bool is_parallel_in_step(const Member& m) {
  isl_map* same = isl_set_identity(isl::set(m.definition->domain).release());
  return !is_carried_inside(m, isl::manage(isl_map_reset_tuple_id(same, isl_dim_out)), m.shared);
}

// The member's own loop along which it writes, and reads, without gaps.
std::optional<std::size_t> loop_along_memory(const Member& m) {
  for (std::size_t l = m.results; l-- > m.shared;)
    if (m.statement.write().is_contiguous(l) && !m.gathers_along(l)) return l;
  return std::nullopt;
}

// Vectors of its results, its own loop l inside.
Candidate in_results(const Facts& facts, const Member& m, std::size_t l, int lanes) {
  return {"", [&facts, &m, l, lanes](Draft& draft) {
            draft.vectors_inside(m.name, m.shared, m.iterator(l), lanes);
            if (l != m.shared) draft.parallel.push_back({m.name, m.iterator(m.shared)});
            if (is_own_temporary(facts, m)) store_with(draft, facts, m, m.results - 1);
          }};
}

// Vectors of the lines of a recurrence, whose array is stored along them.
std::optional<Candidate> in_lines(const Facts& facts, const Member& m, int lanes) {
  const auto line = loop_over_lines(m);
  if (!line) return std::nullopt;
  const bool is_stored_anew = is_own_temporary(facts, m);
  if (!is_stored_anew && !m.statement.write().is_contiguous(*line)) return std::nullopt;
  return Candidate{"", [&facts, &m, line, lanes, is_stored_anew](Draft& draft) {
                     write_lines(draft, m, *line, lanes);
                     if (is_stored_anew) store_with(draft, facts, m, *line);
                   }};
}

// Sums in tiles of so many vectors of results, which stay in registers; with 0, in memory.
std::optional<Candidate> sum_inside(const Setting& setting, const Member& m, int vectors) {
  const int lanes = setting.machine.lanes(m.definition->type);
  if (vectors && m.is_pure && m.adds_in_parts() && has_vectors_of_results(m, lanes))
    return Candidate{
        "", [&m, lanes, vectors](Draft& draft) { write_sums_in_tiles(draft, m, lanes, vectors); }};
  auto candidates = sums_candidates(setting, {&m});
  if (!m.is_pure || candidates.empty()) return std::nullopt;
  const bool of_contributions = m.results == m.shared;  // 2 vectors hide most of the latency
  return candidates[of_contributions && candidates.size() > 1 ? 1 : 0];
}

// What the rule writes for one member; nothing for most updates in place.
std::optional<Candidate> inside_step(const Setting& setting, const Member& m, int vectors) {
  const int lanes = setting.machine.lanes(m.definition->type);
  if (lanes < 2 || m.shared == m.definition->iterators.size()) return std::nullopt;
  if (m.is_sum()) return sum_inside(setting, m, vectors);
  const auto along = loop_along_memory(m);
  if (!along || !is_parallel_in_step(m)) return in_lines(setting.facts, m, 2 * lanes);
  return in_results(setting.facts, m, *along, lanes);
}

std::string tiles_text(int vectors) {
  return vectors ? ", sums in tiles of " + std::to_string(vectors) + " vectors" : "";
}

// Steps run one after another, so the loops over them are not parallel.
void forget_shared_loops(Draft& draft, const Member& m) {
  const auto& its = m.definition->iterators;
  const auto end = its.begin() + std::ptrdiff_t(m.shared);
  std::erase_if(draft.parallel, [&](const LoopRef& loop) {
    return loop.definition == m.name && std::find(its.begin(), end, loop.loop) != end;
  });
}

}  // namespace

std::vector<Place> steps_places(const Setting& setting, const std::vector<const Member*>&) {
  return by_nest(setting.facts.sharing_loops());
}

std::vector<Candidate> steps_candidates(const Setting& setting, const Place& place) {
  const auto has_tiles = [&](const Member* m) {
    return m->is_pure && has_vectors_of_results(*m, setting.machine.lanes(m->definition->type));
  };
  const bool some_tiles = std::any_of(place.begin(), place.end(), has_tiles);
  std::vector<Candidate> made;
  for (const int vectors : {0, 2, 4, 8}) {
    if (vectors && !some_tiles) continue;
    std::vector<Candidate> inside;
    for (const Member* m : place)
      if (auto candidate = inside_step(setting, *m, vectors))
        inside.push_back(std::move(*candidate));
    if (inside.empty()) return {};
    made.push_back({"vectors inside" + tiles_text(vectors), [inside, place](Draft& draft) {
                      for (const Candidate& one : inside) one.write(draft);
                      for (const Member* m : place) forget_shared_loops(draft, *m);
                    }});
  }
  return made;
}

}  // namespace strata::automatic
