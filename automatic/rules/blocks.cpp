// Rule "blocks": updates of a time loop in blocks of steps, as LAPACK's getrf and potrf.
//
//   for k: A[k, ..];  U: X(i, j) = X(i, j) - f(k, i, j)          in each step at the same elements
//
// Where do the operands of a block of s steps come from? With  [x] = (floor(k / s), element of x)
//     needed  { [x] : an instance reads U[x] in its own block, other than U at the same element }
//     panel   { [x] : an instance of A does, or one of U whose [y] is in the panel }
// the values outside of "needed", the rest, are read after the block: tiles of them may stay in
// registers for all its steps.
//
//     for blocks of k:
//       for k in the block: A;  a copy of the factors, if U gathers them;  U of the panel
//       for columns of tiles: for k: for i: vectors of j: U of what else is needed, "rows"
//       for tiles of i, j: for k: for the tile's rows and vectors, unrolled: U of the rest
#include <fmt/ranges.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "automatic/rules/rules.h"
#include "core/sets/coalesce.h"

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;

isl::set none_of(const isl::set& like) {
  return isl::manage(isl_set_empty(isl_set_get_space(like.get())));
}

// Sets of instances, in the domain of the update.
struct Pieces {
  isl::set panel, rows, rest;  // rows may be empty
};

// Divides the instances of the update U.
class Division {
 public:
  Division(const Place& place, const Member& update, int steps)
      : place_(place), update_(update), steps_(steps), elements_(update.definition->defines) {
    keys_ = block_of(update).range_product(elements_).intersect_domain(domain());
  }

  std::optional<Pieces> pieces() const {
    isl::set panel = none_of(keys_.range());
    for (const Member* m : place_)
      if (m != &update_) panel = panel.unite(read_by(*m, block_of(*m)));
    constexpr int most_rounds = 4;
    bool grows = true;
    for (int n = 0; grows && n < most_rounds; ++n) {
      const isl::map in_panel = keys_.intersect_range(panel).range_factor_domain();
      const isl::set more = read_by(update_, in_panel);
      grows = !more.is_subset(panel);
      panel = coalesced(panel.unite(more));
    }
    if (grows) return std::nullopt;
    const isl::set needed = coalesced(panel.unite(read_by(update_, block_of(update_))));
    const isl::set of_panel = instances(panel), of_needed = instances(needed);
    Pieces found{relative(of_panel), relative(of_needed.subtract(of_panel)),
                 relative(domain().subtract(of_needed))};
    return fits(found) ? std::optional(found) : std::nullopt;
  }

 private:
  isl::set domain() const { return isl::set(update_.definition->domain); }
  // Where the domain of U is known.
  isl::set relative(const isl::set& instances) const { return coalesced(instances).gist(domain()); }
  // Is each piece bounded by its block alone? The last of all steps does not make a rest.
  static bool fits(const Pieces& found) {
    const auto is_of_block = [](const isl::set& piece) {
      const auto parameters = unsigned(isl_set_dim(piece.get(), isl_dim_param));
      return isl_set_involves_dims(piece.get(), isl_dim_param, 0, parameters) == isl_bool_false;
    };
    return !found.panel.is_empty() && disjuncts(found.rest).size() == 1 &&
           is_of_block(found.panel) && is_of_block(found.rows) && is_of_block(found.rest);
  }

  isl::set instances(const isl::set& keys) const {
    return coalesced(keys_.intersect_range(keys).domain());
  }
  // { S[k, ..] -> [b] : s b <= k < s b + s }, without quotients
  isl::map block_of(const Member& m) const {
    return isl::map(m.definition->domain.ctx(),
                    fmt::format("{{ {0}[{1}] -> [b] : {2} b <= i0 < {2} b + {2} }}", m.name,
                                fmt::join(numbered_iterators(m), ", "), steps_));
  }

  // Only what bounds elements in terms of b. What is left out is the same in all blocks: the last
  // column of a matrix, which nothing needs, stays with the columns beside it.
  static isl::set relative_to_block(const isl::set& keys) {
    return coalesced(
        isl::manage(isl_set_drop_constraints_not_involving_dims(keys.copy(), isl_dim_set, 0, 1)));
  }

  // The elements whose values of U instances read in their own block, { C[y] -> [b] }.
  isl::set read_by(const Member& reader, const isl::map& in_block) const {
    isl::set keys = none_of(keys_.range());
    for (const Read& read : reader.definition->reads) {
      if (read.producer != update_.name) continue;
      isl::map pairs(read.relation);
      if (&reader == &update_) pairs = pairs.subtract(elements_.apply_range(elements_.reverse()));
      const isl::map in_own_block = in_block.range_product(pairs.apply_range(elements_));
      keys = keys.unite(pairs.apply_range(keys_).intersect(in_own_block).range());
    }
    return relative_to_block(coalesced(keys));
  }

  const Place& place_;
  const Member& update_;
  const int steps_;
  const isl::map elements_;
  isl::map keys_;  // { U[x] -> [[b] -> X[e]] }
};

// Is it read at the element that the instance redefines?
bool is_own_element(const Member& update, const Access& read) {
  const Access& write = update.statement.write();
  return read.array == write.array && read.at == write.at && read.along == write.along;
}

// The sizes of a candidate: the steps of a block and a register tile.
struct Sizes {
  int steps, rows, columns;

  std::string text() const {
    return fmt::format("{} steps, tiles of {} x {}", steps, rows, columns);
  }
};

class Blocks {
 public:
  Blocks(Draft& draft, const Setting& setting, const Place& place, const Member& update,
         const Pieces& pieces, const Sizes& sizes)
      : draft_(draft),
        setting_(setting),
        place_(place),
        update_(update),
        pieces_(pieces),
        sizes_(sizes) {}

  void write() {
    if (const auto dimension = copied_dimension()) copy_factors(*dimension);
    set_schedules();
    vectors("panel");
    if (!pieces_.rows.is_empty()) vectors("rows");
    tiles();
  }

 private:
  // The dimension of X along which a copy of a step's factors lies, if U gathers one of them: all
  // that it reads at other elements is in one row or column.
  std::optional<std::size_t> copied_dimension() const {
    if (!update_.gathers_along(2)) return std::nullopt;
    std::vector<std::size_t> moving;
    for (const Access* read : update_.reads_of(update_.array())) {
      if (is_own_element(update_, *read)) continue;
      for (std::size_t d = 0; d < read->at.size(); ++d)
        if (read->along[1][d] != 0 || read->along[2][d] != 0) moving.push_back(d);
    }
    const auto is_first = [&](std::size_t d) { return d == moving.front(); };
    return !moving.empty() && std::all_of(moving.begin(), moving.end(), is_first)
               ? std::optional(moving.front())
               : std::nullopt;
  }

  // { copy[k, .., y, ..] -> copy[floor(y / columns), k mod s, y mod columns] }
  void copy_factors(std::size_t dimension) {
    for (const std::string& name : update_.definition->iterators)
      copied_.push_back(draft_.fresh(name));
    copy_ = draft_.fresh("factor");
    const Strings& its = update_.definition->iterators;
    draft_.give("cache_at", {LoopRef{update_.name, its[0]}, update_.array(), copy_, copied_});
    const Expr k = variable(copied_[0]), y = variable(copied_[1 + dimension]);
    draft_.give("store_in",
                {copy_, copy_, y / sizes_.columns, k % sizes_.steps, y % sizes_.columns});
    draft_.give("allocate_at", {copy_, OutsideLoops{}});
  }

  void set_schedules() {
    int order = 0;
    const auto in_step = [&](const std::string& name, const Strings& iterators) {
      const std::string time = times(name, iterators, "", 0, step(iterators, order++));
      draft_.give("set_schedule", {name, IslNotation{"{ " + time + " }"}});
    };
    for (const Member* m : place_)
      if (m != &update_) in_step(m->name, m->definition->iterators);
    if (!copy_.empty()) in_step(copy_, copied_);
    const Strings& its = update_.definition->iterators;
    Strings all{piece("panel", 0, step(its, order), pieces_.panel)};
    if (!pieces_.rows.is_empty()) {
      const std::string columns = fmt::format("floor({}/{})", its[2], sizes_.columns);
      all.push_back(piece("rows", 1, {columns, "0", in_block(its), "0", its[1], "0", its[2], "0"},
                          pieces_.rows));
    }
    all.push_back(piece("rest", 2, {in_block(its), "0", its[1], "0", its[2], "0"}, pieces_.rest));
    draft_.give("set_schedule",
                {update_.name, IslNotation{fmt::format("{{ {} }}", fmt::join(all, "; "))}});
  }

  // k mod s, n, i, 0, ..: the step, and the order in it.
  Strings step(const Strings& iterators, int order) const {
    Strings time{in_block(iterators), std::to_string(order)};
    for (std::size_t l = 1; l < iterators.size(); ++l) {
      time.push_back(iterators[l]);
      time.push_back("0");
    }
    return time;
  }

  // A loop from 0 on, so that places of the copy need no remainders.
  std::string in_block(const Strings& iterators) const {
    return fmt::format("{} mod {}", iterators.front(), sizes_.steps);
  }

  // "S[k, ..] -> piece[root, floor(k / s), part, time]"
  std::string times(const std::string& name, const Strings& iterators, const std::string& piece,
                    int part, const Strings& time) const {
    return fmt::format("{}[{}] -> {}[{}, floor({}/{}), {}, {}]", name, fmt::join(iterators, ", "),
                       piece, update_.statement.path.front(), iterators.front(), sizes_.steps, part,
                       fmt::join(time, ", "));
  }

  std::string piece(const std::string& name, int part, const Strings& time,
                    const isl::set& instances) const {
    return times(update_.name, update_.definition->iterators, name, part, time) +
           condition_text(update_, instances);
  }

  LoopRef loop(const std::string& piece, const std::string& name) const {
    return {update_.name, name, piece};
  }

  void vectors(const std::string& piece) {
    const std::string last = draft_.loops(BranchRef{update_.name, piece}).back();
    draft_.give("vectorize", {loop(piece, last), lanes()});
  }

  void tiles() {
    const auto loops = draft_.loops(BranchRef{update_.name, "rest"});  // k0 k i j
    const std::string i0 = draft_.fresh(loops[2] + "0"), j0 = draft_.fresh(loops[3] + "0"),
                      i1 = draft_.fresh(loops[2] + "1"), j1 = draft_.fresh(loops[3] + "1"),
                      lane = draft_.fresh("lane");
    const auto rest = [&](const std::string& name) { return loop("rest", name); };
    draft_.give("tile",
                {rest(loops[2]), rest(loops[3]), sizes_.rows, sizes_.columns, i0, j0, i1, j1});
    draft_.give("reorder", {rest(i0), rest(j0), rest(loops[1])});
    draft_.give("vectorize", {rest(j1), lanes(), j1, lane});
    draft_.give("separate", {rest(lane)});
    for (const std::string& name : {j1, i1}) {
      draft_.give("unroll", {rest(name)});
      draft_.give("separate", {rest(name)});
    }
    draft_.parallel.push_back(rest(i0));
  }

  int lanes() const { return setting_.machine.lanes(update_.definition->type); }

  Draft& draft_;
  const Setting& setting_;
  const Place& place_;
  const Member& update_;
  const Pieces pieces_;
  const Sizes sizes_;
  std::string copy_;  // of factors, with these iterators
  Strings copied_;
};

// The update X(i, j) = X(i, j) - ..  in the last of three loops, of which the first is the time.
bool is_update_in_place(const Member& m) {
  if (m.is_sum() || m.definition->iterators.size() != 3 || m.shared != 1) return false;
  const Access& write = m.statement.write();
  const auto reads = m.reads_of(m.array());
  return write.is_invariant(0) && write.is_contiguous(2) && !write.is_invariant(1) &&
         std::any_of(reads.begin(), reads.end(),
                     [&](const Access* read) { return is_own_element(m, *read); });
}

const Member* update_of(const Place& place) {
  const Member* last = place.back();
  const bool fits = std::all_of(place.begin(), place.end(), [&](const Member* m) {
    return !m->is_sum() && m->has_known_reads() && m->shared == 1;
  });
  return fits && place.size() > 1 && is_update_in_place(*last) ? last : nullptr;
}

// Tiles that leave registers for a vector of each operand: with one vector in a row for columns
// that are gathered, with more for loads that few rows share. No tile belongs to two blocks.
std::vector<Sizes> sizes_of(const Machine& machine, Type type) {
  constexpr int least_steps = 32, most_steps = 128;
  std::vector<Sizes> all;
  if (machine.lanes(type) < 2) return all;
  for (int v = 1; v <= 4; ++v) {
    const int most_rows = (machine.vector_registers - 1 - v) / v, columns = v * machine.lanes(type);
    for (int rows = most_rows; rows > 0 && rows >= most_rows * 3 / 4; --rows) {
      const int unit = std::lcm(rows, columns);
      const int steps = (least_steps + unit - 1) / unit * unit;
      if (steps <= most_steps) all.push_back({steps, rows, columns});
    }
  }
  return all;
}

}  // namespace

std::vector<Place> blocks_places(const Setting& setting, const std::vector<const Member*>&) {
  std::vector<Place> places = by_nest(setting.facts.sharing_loops());
  std::erase_if(places, [](const Place& place) { return !update_of(place); });
  return places;
}

std::vector<Candidate> blocks_candidates(const Setting& setting, const Place& place) {
  const Member& update = *update_of(place);
  std::map<int, std::optional<Pieces>> known;  // by steps
  std::vector<Candidate> made;
  for (const Sizes& sizes : sizes_of(setting.machine, update.definition->type)) {
    const auto [at, is_new] = known.try_emplace(sizes.steps);
    if (is_new) at->second = Division(place, update, sizes.steps).pieces();
    const std::optional<Pieces>& pieces = at->second;
    if (!pieces) continue;
    made.push_back({sizes.text(), [&setting, place, &update, pieces, sizes](Draft& draft) {
                      Blocks(draft, setting, place, update, *pieces, sizes).write();
                    }});
  }
  return made;
}

}  // namespace strata::automatic
