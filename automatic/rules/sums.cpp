// Rule "sums": reductions in vectors of results, or in vectors of contributions.
//
//   of results         y[j] += a[i, j] x[i]: the contributions outside, vectors of j inside
//   of contributions   y[i] += a[i, k] x[k]: lanes of k have sums of their own (rfactor), which are
//                      added at the end
//   of rows            the same for several i together, which share what is loaded of x
#include "automatic/rules/sums.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata::automatic {

namespace {

// Is each read contiguous or invariant along the loop, and at least one contiguous?
bool reads_along(const Member& m, std::size_t loop) {
  const auto all = m.reads();
  return !m.gathers_along(loop) && std::any_of(all.begin(), all.end(), [&](const Access* read) {
    return read->is_contiguous(loop);
  });
}

std::vector<std::string> names(const Member& m, std::size_t first, std::size_t last) {
  return {m.definition->iterators.begin() + std::ptrdiff_t(first),
          m.definition->iterators.begin() + std::ptrdiff_t(last)};
}

void parallel_results(Draft& draft, const Member& m) {
  for (std::size_t l = 0; l < m.results; ++l) draft.parallel.push_back({m.name, m.iterator(l)});
}

void in_results(Draft& draft, const Member& m, int lanes) {
  std::vector<std::string> order = names(m, 0, m.results - 1);
  const auto contributions = names(m, m.results, m.definition->iterators.size());
  order.insert(order.end(), contributions.begin(), contributions.end());
  order.push_back(m.iterator(m.results - 1));
  draft.order(m.name, order);
  draft.vectors(m.name, m.iterator(m.results - 1), lanes);
  for (std::size_t l = 0; l + 1 < m.results; ++l) draft.parallel.push_back({m.name, m.iterator(l)});
}

// Gives each result "vectors" vectors of partial sums.
void in_lanes(Draft& draft, const Member& m, int lanes, int vectors) {
  const std::string k = m.definition->iterators.back();
  const std::string lane = draft.fresh("lane"), part = draft.fresh(m.name + "_part");
  draft.give("split", {LoopRef{m.name, k}, lanes * vectors, k, lane});
  draft.give("rfactor", {LoopRef{m.name, lane}, part});
  if (m.results > 0) draft.give("compute_at", {part, LoopRef{m.name, m.iterator(m.results - 1)}});
  if (vectors > 1) {
    const std::string v = draft.fresh("v");
    draft.give("vectorize", {LoopRef{part, lane}, lanes, lane, v});
    draft.unroll(part, lane, "");
  } else {
    draft.give("vectorize", {LoopRef{part, lane}});
  }
  parallel_results(draft, m);
}

// For strips of as many results as a vector has lanes: each of "rows" results has "vectors" vectors
// of partial sums, and all of them use what is loaded for the contributions. A vector of results
// adds up the partial sums of a strip.
void in_strips(Draft& draft, const Member& m, int lanes, int rows, int vectors) {
  const std::string i = m.iterator(m.results - 1), k = m.definition->iterators.back();
  const std::string strip = draft.fresh(i + "0"), row = draft.fresh(i + "1");
  const std::string lane = draft.fresh("lane"), part = draft.fresh(m.name + "_part");
  draft.give("split", {LoopRef{m.name, i}, lanes, strip, row});
  draft.give("split", {LoopRef{m.name, k}, lanes * vectors, k, lane});
  draft.give("rfactor", {LoopRef{m.name, lane}, part});
  draft.give("compute_at", {part, LoopRef{m.name, strip}});
  const std::string some = draft.fresh(i + "2"), v = draft.fresh("v");
  draft.give("split", {LoopRef{part, row}, rows, some, row});
  draft.order(part, {k, row});
  draft.give("vectorize", {LoopRef{part, lane}, lanes, lane, v});
  draft.give("separate", {LoopRef{part, v}});
  draft.unroll(part, lane, "separate");
  draft.unroll(part, row, "separate");
  draft.order(m.name, {lane, row});
  draft.give("vectorize", {LoopRef{m.name, row}});
  draft.give("mask", {LoopRef{m.name, row}});
  for (std::size_t l = 0; l + 1 < m.results; ++l) draft.parallel.push_back({m.name, m.iterator(l)});
  draft.parallel.push_back({m.name, strip});
}

// Do neighbouring results share what they read along the contributions, as rows of a matrix share
// the vector?
bool shares_contributions(const Member& m) {
  const std::size_t row = m.results - 1, last = m.definition->iterators.size() - 1;
  const auto all = m.reads();
  const auto is_shared = [&](const Access* read) {
    return read->is_contiguous(last) && read->is_invariant(row);
  };
  return std::any_of(all.begin(), all.end(), is_shared) &&
         m.definition->iterators.size() == m.results + 1;
}

}  // namespace

void write_sums_in_tiles(Draft& draft, const Member& m, int lanes, int vectors) {
  const std::size_t column = m.results - 1;
  const std::string tiles = draft.fresh(m.iterator(column) + "0");
  const std::string inside = draft.fresh(m.iterator(column) + "1");
  const std::string sums = draft.fresh(m.name + "_sums");
  const auto copied = draft.fresh_iterators(m.results);
  draft.give("split", {LoopRef{m.name, m.iterator(column)}, lanes * vectors, tiles, inside});
  auto order = names(m, m.results, m.definition->iterators.size());
  order.push_back(inside);
  draft.order(m.name, order);
  draft.give("copy_at", {LoopRef{m.name, tiles}, sums, copied});
  draft.vectors(sums, inside, lanes, "mask");
  draft.unroll(sums, inside, "guard");
  draft.vectors(m.name, copied.back(), lanes);
  for (std::size_t l = m.shared; l < column; ++l) draft.parallel.push_back({m.name, m.iterator(l)});
  draft.parallel.push_back({m.name, tiles});
}

bool has_vectors_of_results(const Member& m, int lanes) {
  return m.is_sum() && lanes > 1 && m.results > m.shared && reads_along(m, m.results - 1) &&
         m.statement.write().is_contiguous(m.results - 1) && m.count(m.results - 1) >= lanes;
}

std::vector<Place> sums_places(const Setting&, const std::vector<const Member*>& free) {
  std::vector<Place> places;
  for (const Member* m : free)
    if (m->is_sum() && m->is_pure && m->results < m->definition->iterators.size())
      places.push_back({m});
  return places;
}

std::vector<Candidate> sums_candidates(const Setting& setting, const Place& place) {
  const Member& m = *place.front();
  const int lanes = setting.machine.lanes(m.definition->type);
  std::vector<Candidate> made;
  if (lanes < 2) return made;
  const std::size_t last = m.definition->iterators.size() - 1;
  if (has_vectors_of_results(m, lanes))
    made.push_back({"vectors of results", [&m, lanes](Draft& d) { in_results(d, m, lanes); }});
  const bool in_order = setting.exact && is_float(m.definition->type);
  const bool in_parts = !in_order && reads_along(m, last) && m.adds_in_parts();
  if (in_parts)
    for (const int vectors : {1, 2, 4})
      if (m.count(last) >= lanes * vectors)
        made.push_back({std::to_string(vectors) + " vectors of contributions",
                        [&m, lanes, vectors](Draft& d) { in_lanes(d, m, lanes, vectors); }});
  if (in_parts && m.results > m.shared && shares_contributions(m))
    for (const auto& [rows, vectors] : {std::pair(4, 2), {4, 1}, {8, 1}})
      if (m.count(last) >= lanes * vectors && m.count(m.results - 1) >= lanes)
        made.push_back({fmt::format("{} rows of {} vectors of contributions", rows, vectors),
                        [&m, lanes, rows = rows, vectors = vectors](Draft& d) {
                          in_strips(d, m, lanes, rows, vectors);
                        }});
  return made;
}

}  // namespace strata::automatic
