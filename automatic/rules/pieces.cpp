// Rule "pieces": vectors of an update in place whose last loop x carries values of one iteration
// only, as shortest paths do, where element k of a row is read by those after it:
//
//   for k: for i: for j: X(i, j) = min(X(i, j), X(i, k) + X(k, j))
//
// The instances whose values others read in the same run of the loop lie in
//     carried  { S[.., x] : x = e(..) }
// so blocks of w iterations before and after the one with e(..) have independent instances:
//     before   floor(x / w) < floor(e / w)        vectors
//     around   floor(x / w) = floor(e / w)        one after the other
//     behind   floor(x / w) > floor(e / w)        vectors
// (Griebl, Feautrier, Lengauer, Index set splitting, IJPP 2000.)
#include <fmt/ranges.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "automatic/rules/rules.h"
#include "core/sets/coalesce.h"

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;

struct PieceOfRun {
  std::string name;
  isl::set instances;
  bool has_vectors;
};

// Pairs of instances in the same run of the last loop, in blocks of it in this order:
//     { S[.., x] -> S[.., y] : floor(x / block) < floor(y / block) }
isl::map in_one_run(const Member& m, const std::string& order, int block) {
  Strings from = numbered_iterators(m), to = from;
  to.back() = "y";
  return isl::map(
      m.definition->domain.ctx(),
      fmt::format("{{ {0}[{1}] -> {0}[{2}] : floor({3}/{4}) {5} floor(y/{4}) }}", m.name,
                  fmt::join(from, ", "), fmt::join(to, ", "), from.back(), block, order));
}

isl::set instances_of(const Member& m) { return isl::set(m.definition->domain); }

// The instances whose values others read in the same run of the last loop.
isl::set carried(const Member& m) {
  isl::set found = isl::manage(isl_set_empty(isl_set_get_space(instances_of(m).get())));
  const isl::map apart = in_one_run(m, "!=", 1);
  for (const Read& read : m.definition->reads)
    if (read.producer == m.name)
      found = found.unite(isl::map(read.relation).intersect(apart).range());
  return coalesced(found);
}

// All instances that the equations of "carried" allow. Empty unless these allow just one iteration
// of each run.
isl::set one_of_run(const Member& m, const isl::set& carried) {
  const isl::set hull = isl::manage(isl_set_from_basic_set(isl_set_affine_hull(carried.copy())));
  const isl::map any = in_one_run(m, "<", 1).unite(in_one_run(m, ">=", 1));
  const isl::map chosen = any.intersect_range(hull).intersect_domain(instances_of(m));
  const bool is_whole = instances_of(m).is_subset(chosen.domain());
  return is_whole && chosen.is_single_valued() ? hull : hull.subtract(hull);
}

// The pieces that have instances.
std::vector<PieceOfRun> pieces_of(const Member& m, const isl::set& hull, int block) {
  std::vector<PieceOfRun> pieces;
  const auto add = [&](const std::string& name, const std::string& order) {
    const isl::set found = coalesced(
        in_one_run(m, order, block).intersect_range(hull).domain().intersect(instances_of(m)));
    if (!found.is_empty()) pieces.push_back({name, found.gist(instances_of(m)), order != "="});
  };
  add("before", "<");
  add("around", "=");
  add("behind", ">");
  return pieces;
}

class VectorsInPieces {
 public:
  VectorsInPieces(Draft& draft, const Member& m, int lanes) : draft_(draft), m_(m), lanes_(lanes) {}

  void write(const std::vector<PieceOfRun>& pieces) {
    Strings all;
    for (const PieceOfRun& piece : pieces) all.push_back(times(piece, int(all.size())));
    draft_.give("set_schedule",
                {m_.name, IslNotation{fmt::format("{{ {} }}", fmt::join(all, "; "))}});
    for (const PieceOfRun& piece : pieces) {
      if (!piece.has_vectors) continue;
      const std::string last = draft_.loops(BranchRef{m_.name, piece.name}).back();
      draft_.give("vectorize", {LoopRef{m_.name, last, piece.name}, lanes_});
    }
  }

 private:
  // "S[k, i, j] -> piece[root, k, 0, i, order, j, 0] : condition"
  std::string times(const PieceOfRun& piece, int order) const {
    const Strings& its = m_.definition->iterators;
    Strings time{std::to_string(m_.statement.path.front())};
    for (std::size_t l = 0; l < its.size(); ++l) {
      time.push_back(its[l]);
      time.push_back(std::to_string(l + 2 == its.size() ? order : 0));
    }
    return fmt::format("{}[{}] -> {}[{}]{}", m_.name, fmt::join(its, ", "), piece.name,
                       fmt::join(time, ", "), condition_text(m_, piece.instances));
  }

  Draft& draft_;
  const Member& m_;
  const int lanes_;
};

// An update in place, in loops of its own, the last of which runs along memory.
bool is_update_along_memory(const Member& m) {
  const std::size_t depth = m.definition->iterators.size();
  return !m.is_sum() && !m.shares_loops() && depth >= 2 && m.has_known_reads() &&
         !m.reads_of(m.array()).empty() && m.statement.write().is_contiguous(depth - 1) &&
         !m.gathers_along(depth - 1);
}

}  // namespace

std::vector<Place> pieces_places(const Setting&, const std::vector<const Member*>& free) {
  std::vector<Place> places;
  for (const Member* m : free)
    if (is_update_along_memory(*m)) places.push_back({m});
  return places;
}

std::vector<Candidate> pieces_candidates(const Setting& setting, const Place& place) {
  const Member& m = *place.front();
  const int lanes = setting.machine.lanes(m.definition->type);
  std::vector<Candidate> made;
  const isl::set hull = one_of_run(m, carried(m));
  if (lanes < 2 || hull.is_empty()) return made;
  for (const auto& [vectors, length] : {std::pair(1, 1), {2, 1}, {2, 2}, {4, 4}}) {
    const int block = vectors * lanes;
    const std::vector<PieceOfRun> pieces = pieces_of(m, hull, block);
    const auto has_vectors = [](const PieceOfRun& piece) { return piece.has_vectors; };
    if (std::none_of(pieces.begin(), pieces.end(), has_vectors)) continue;
    made.push_back({fmt::format("blocks of {}, vectors of {}", block, length * lanes),
                    [&m, pieces, length = length * lanes](Draft& draft) {
                      VectorsInPieces(draft, m, length).write(pieces);
                    }});
  }
  return made;
}

}  // namespace strata::automatic
