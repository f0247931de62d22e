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

#include "automatic/rules/rules.h"

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
Candidate in_results(const Member& m, std::size_t l, int lanes) {
  return {"", [&m, l, lanes](Draft& draft) {
            draft.vectors_inside(m.name, m.shared, m.iterator(l), lanes);
            if (l != m.shared) draft.parallel.push_back({m.name, m.iterator(m.shared)});
          }};
}

// What the rule writes for one member; nothing for most updates in place.
std::optional<Candidate> inside_step(const Setting& setting, const Member& m) {
  const int lanes = setting.machine.lanes(m.definition->type);
  if (lanes < 2 || m.shared == m.definition->iterators.size()) return std::nullopt;
  if (m.is_sum()) {
    auto candidates = sums_candidates(setting, {&m});
    if (!m.is_pure || candidates.empty()) return std::nullopt;
    const bool of_contributions = m.results == m.shared;  // 2 vectors hide most of the latency
    return candidates[of_contributions && candidates.size() > 1 ? 1 : 0];
  }
  const auto along = loop_along_memory(m);
  if (!along || !is_parallel_in_step(m)) return std::nullopt;
  return in_results(m, *along, lanes);
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
  std::vector<Candidate> inside;
  for (const Member* m : place)
    if (auto candidate = inside_step(setting, *m)) inside.push_back(std::move(*candidate));
  if (inside.empty()) return {};
  return {{"vectors inside", [inside, place](Draft& draft) {
             for (const Candidate& one : inside) one.write(draft);
             for (const Member* m : place) forget_shared_loops(draft, *m);
           }}};
}

}  // namespace strata::automatic
