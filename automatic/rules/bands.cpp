// Rule "bands": tiles time loops, by isl's scheduler.
//
//   domain D, validity V = { P[y] -> S[x] : S[x] reads P[y] }
//
// isl finds maps D -> Z^n with a permutable band: no member carries a dependence backwards
// (Bondhugula et al., A practical automatic polyhedral parallelizer and locality optimizer, PLDI
// 2008). The rule tiles the first two or three members. Tiles that do not depend on each other run
// in wavefronts, and the loops inside run along memory.
//
// Dependences are not coalesced: with coalesced ones, the scheduler takes 20 times as long for a
// stencil with many reads.
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>

#include <algorithm>
#include <map>
#include <memory>

#include "automatic/rules/rules.h"
#include "core/sets/small_integer.h"

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;

// One member of a band: coefficients of the iterators, and a constant.
struct Row {
  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;

  // The iterator, if the member is just one iterator.
  std::optional<std::size_t> iterator() const {
    std::optional<std::size_t> only;
    for (std::size_t l = 0; l < coefficients.size(); ++l)
      if (coefficients[l] != 0) {
        if (only) return std::nullopt;
        only = l;
      }
    return only;
  }
  bool uses(std::size_t l) const { return coefficients[l] != 0; }
  std::string text(const Strings& iterators) const {
    std::string text;
    for (std::size_t l = 0; l < coefficients.size(); ++l) {
      if (coefficients[l] == 0) continue;
      const std::string times = coefficients[l] == 1 ? "" : std::to_string(coefficients[l]);
      text += (text.empty() ? "" : " + ") + times + iterators[l];
    }
    if (text.empty()) return std::to_string(constant);
    return constant ? text + " + " + std::to_string(constant) : text;
  }
};

using BandRows = std::vector<Row>;  // of one computation
struct Band {
  std::vector<BandRows> rows;  // by member of the place
  std::size_t depth() const { return rows.front().size(); }
};

std::optional<Row> row_of(const isl::aff& aff) {
  Row row;
  for (int p = 0; p < isl_aff_dim(aff.get(), isl_dim_param); ++p)
    if (!isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_param, p)).is_zero())
      return std::nullopt;
  if (isl_aff_dim(aff.get(), isl_dim_div) > 0) return std::nullopt;
  for (int l = 0; l < isl_aff_dim(aff.get(), isl_dim_in); ++l) {
    const auto c =
        small_integer(isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_in, l)));
    if (!c) return std::nullopt;
    row.coefficients.push_back(*c);
  }
  const auto constant = small_integer(isl::manage(isl_aff_get_constant_val(aff.get())));
  if (!constant) return std::nullopt;
  row.constant = *constant;
  return row;
}

// The rows of one computation in { S[i] -> [band] }.
std::optional<BandRows> rows_of(const isl::map& map) {
  std::optional<BandRows> rows;
  bool fits = true;
  map.as_pw_multi_aff().foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    if (rows || !fits) return void(fits = false);
    rows.emplace();
    for (int d = 0; d < int(isl_multi_aff_dim(piece.get(), isl_dim_out)); ++d) {
      const auto row = row_of(piece.at(d));
      fits = fits && row;
      if (row) rows->push_back(*row);
    }
  });
  return fits ? rows : std::nullopt;
}

isl::schedule_constraints constraints_of(const Place& place) {
  isl::union_set domain;
  isl::union_map validity;
  std::set<std::string> names;
  for (const Member* m : place) names.insert(m->name);
  for (const Member* m : place) {
    const isl::union_set own = m->definition->domain.to_union_set();
    domain = domain.is_null() ? own : domain.unite(own);
    for (const Read& read : m->definition->reads) {
      if (!names.count(read.producer)) continue;
      isl_map_foreach_basic_map(
          read.relation.reverse().get(),
          [](isl_basic_map* one, void* all) {
            auto& validity = *static_cast<isl::union_map*>(all);
            const isl::union_map pairs = isl::manage(isl_union_map_from_basic_map(one));
            validity = validity.is_null() ? pairs : validity.unite(pairs);
            return isl_stat_ok;
          },
          &validity);
    }
  }
  auto constraints = isl::schedule_constraints::on_domain(domain);
  if (!validity.is_null()) constraints = constraints.set_validity(validity).set_proximity(validity);
  return constraints;
}

// The outermost band of all computations of the place, if it is permutable.
std::optional<Band> band_of(const Place& place) {
  using Scheduler = Metered<::isl_schedule_constraints_compute_schedule>;
  const isl::schedule schedule = isl::manage(Scheduler::call(constraints_of(place).release()));
  isl_schedule_node* root = isl_schedule_get_root(schedule.get());
  const auto node = std::unique_ptr<isl_schedule_node, isl_schedule_node* (*)(isl_schedule_node*)>(
      isl_schedule_node_child(root, 0), isl_schedule_node_free);
  if (isl_schedule_node_get_type(node.get()) != isl_schedule_node_band ||
      !isl_schedule_node_band_get_permutable(node.get()))
    return std::nullopt;
  const isl::union_map maps = isl::manage(isl_union_map_from_multi_union_pw_aff(
      isl_schedule_node_band_get_partial_schedule(node.get())));
  Band band;
  for (const Member* m : place) {
    std::optional<BandRows> found;
    maps.foreach_map([&](const isl::map& map) {
      if (map.domain_tuple_id().name() == m->name) found = rows_of(map);
    });
    if (!found) return std::nullopt;
    band.rows.push_back(*found);
  }
  return band.depth() >= 2 ? std::optional(band) : std::nullopt;
}

// The iterator number l of n.
Row unit_row(std::size_t n, std::size_t l) {
  Row row{std::vector<std::int64_t>(n, 0), 0};
  row.coefficients[l] = 1;
  return row;
}

// Members that are not tiled need no skew. Each becomes the one iterator that no member before it
// uses.
BandRows with_plain_tail(BandRows rows, std::size_t tiled) {
  for (std::size_t q = tiled; q < rows.size(); ++q) {
    std::vector<std::size_t> new_ones;
    for (std::size_t l = 0; l < rows[q].coefficients.size(); ++l) {
      const auto used = [&](const Row& row) { return row.uses(l); };
      if (rows[q].uses(l) && std::none_of(rows.begin(), rows.begin() + std::ptrdiff_t(q), used))
        new_ones.push_back(l);
    }
    if (new_ones.size() == 1) rows[q] = unit_row(rows[q].coefficients.size(), new_ones.front());
  }
  return rows;
}

// { S[i] -> [rows] }
isl::map times_of(const Member& m, const BandRows& rows) {
  const Strings iterators = numbered_iterators(m);
  Strings range;
  for (const Row& row : rows) range.push_back(row.text(iterators));
  return times_at(m, range);
}

// Adds iterators as rows until no two instances run at the same time: first those that no row uses,
// then the others, each in their order.
BandRows with_free_iterators(const Member& m, BandRows rows) {
  const std::size_t depth = m.definition->iterators.size();
  for (const bool used : {false, true})
    for (std::size_t l = 0; l < depth && !times_of(m, rows).is_injective(); ++l)
      if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.uses(l); }) ==
          used)
        rows.push_back(unit_row(depth, l));
  return rows;
}

// The rows of each computation of the place, if the first "tiled" members of the band are tiled.
struct TiledBand {
  std::size_t tiled;
  std::vector<BandRows> rows;
  std::vector<bool> has_vectors;  // is the last row vectorized?

  bool has_some_vectors() const {
    return std::find(has_vectors.begin(), has_vectors.end(), true) != has_vectors.end();
  }
};

TiledBand tiled_band(const Place& place, const Band& band, std::size_t tiled) {
  TiledBand all{tiled, {}, {}};
  for (std::size_t n = 0; n < place.size(); ++n) {
    all.rows.push_back(with_free_iterators(*place[n], with_plain_tail(band.rows[n], tiled)));
    const Member& m = *place[n];
    const BandRows& rows = all.rows.back();
    const bool keeps_last = rows.size() > tiled || rows.back().iterator();
    all.has_vectors.push_back(keeps_last &&
                              m.statement.write().is_contiguous(m.statement.loops.size() - 1) &&
                              !is_carried_inside(m, times_of(m, rows), rows.size() - 1));
  }
  return all;
}

// As many points of a diagonal at a time hide the latency of a chain of operations.
constexpr int rows_of_diagonal = 8;

struct TimeTiles {
  std::size_t tiled;  // members of the band
  int steps, size;    // sizes of a tile: in the first member, in the others
  bool masked;
  int diagonal = 0;  // the last but one member in diagonals of 8 of its iterations: times this

  std::string text() const {
    return "time tiles of " + std::to_string(steps) + " x " + std::to_string(size) +
           (tiled > 2 ? " x " + std::to_string(size) : "") + (masked ? ", masked" : "") +
           (diagonal ? ", diagonals of " + std::to_string(rows_of_diagonal) + " rows" : "");
  }
};

// The least n at which the points of a diagonal do not need each other, if "rows" end with x, y:
//     { .., x, y -> .., y + n x, x }
// 0 if there is none.
int diagonal_of(const Member& m, const BandRows& rows) {
  const std::size_t last = rows.size() - 1;
  for (const int n : {1, 2, 3}) {
    BandRows turned = rows;
    for (std::size_t l = 0; l < rows[last].coefficients.size(); ++l)
      turned[last - 1].coefficients[l] =
          rows[last].coefficients[l] + n * rows[last - 1].coefficients[l];
    turned[last] = rows[last - 1];
    if (!is_carried_inside(m, times_of(m, turned), last)) return n;
  }
  return 0;
}

class Bands {
 public:
  Bands(Draft& draft, const Setting& setting, const Place& place, const TiledBand& band,
        const TimeTiles& tiles)
      : draft_(draft), setting_(setting), place_(place), band_(band), tiles_(tiles) {}

  void write() {
    set_schedules();
    const std::string first = place_.front()->name;
    const Strings loops = draft_.loops(first);
    std::vector<CommandOperand> operands;
    Strings outer, inner;
    for (std::size_t q = 0; q < tiles_.tiled; ++q) {
      operands.emplace_back(LoopRef{first, loops[q]});
      outer.push_back(draft_.fresh(loops[q] + "0"));
      inner.push_back(draft_.fresh(loops[q] + "1"));
    }
    for (std::size_t q = 0; q < tiles_.tiled; ++q)
      operands.push_back(q == 0 ? tiles_.steps : tiles_.size);
    operands.insert(operands.end(), outer.begin(), outer.end());
    operands.insert(operands.end(), inner.begin(), inner.end());
    draft_.give("tile", std::move(operands));
    draft_.give("skew", {LoopRef{first, outer[0]}, LoopRef{first, outer[1]}, 1, 1,
                         draft_.fresh("wave"), outer[1]});
    draft_.parallel.push_back({first, outer[1]});
    vectors();
    if (tiles_.diagonal) diagonals(first);
  }

 private:
  // { S[i] -> [root, band_0, 0, band_1, 0, .., n] }, where n orders computations at equal times.
  void set_schedules() {
    for (std::size_t n = 0; n < place_.size(); ++n) {
      const Member& m = *place_[n];
      const Strings& its = m.definition->iterators;
      const BandRows& rows = band_.rows[n];
      std::string text = "{ " + m.name + "[";
      for (std::size_t l = 0; l < its.size(); ++l) text += (l ? ", " : "") + its[l];
      text += "] -> [" + std::to_string(m.statement.path.front());
      for (std::size_t q = 0; q < rows.size(); ++q) {
        const bool orders = q + 1 == tiles_.tiled;
        text += ", " + rows[q].text(its) + ", " + std::to_string(orders ? n : 0);
      }
      draft_.give("set_schedule", {m.name, IslNotation{text + "] }"}});
    }
  }

  // The last two loops x, y of the first computation, a block of x at a time, along y + n x.
  void diagonals(const std::string& first) {
    const Strings loops = draft_.loops(first);
    const std::string x = loops[loops.size() - 2], y = loops.back(), row = draft_.fresh(x + "2");
    draft_.give("split", {LoopRef{first, x}, rows_of_diagonal, x, row});
    draft_.give("skew", {LoopRef{first, row}, LoopRef{first, y}, 1, 0, tiles_.diagonal, 1, row, y});
    draft_.give("interchange", {LoopRef{first, row}, LoopRef{first, y}});
    draft_.unroll(first, row, "separate");
  }

  void vectors() {
    for (std::size_t n = 0; n < place_.size(); ++n) {
      if (!band_.has_vectors[n]) continue;
      const Member& m = *place_[n];
      const std::string last = draft_.loops(m.name).back();
      draft_.vectors(m.name, last, setting_.machine.lanes(m.definition->type),
                     tiles_.masked ? "mask" : "");
      // Rows of tiles are short. Two vectors share the end of an iteration.
      if (tiles_.masked) draft_.give("unroll", {LoopRef{m.name, last}, 2});
    }
  }

  Draft& draft_;
  const Setting& setting_;
  const Place& place_;
  const TiledBand& band_;
  const TimeTiles tiles_;
};

// Tiles in three members: small ones, if a fourth member runs along memory inside, else ones that
// hold several vectors.
bool is_size_of_cube(std::size_t depth, int steps, int size) {
  return depth > 3 ? steps <= 16 && size >= 8 && size <= 32
                   : steps >= 8 && steps <= 32 && size >= 32;
}

// The tiles that candidates try. Those with vectors are masked, too; those without run in
// diagonals, too, if there are some.
std::vector<TimeTiles> tiles_of(const Place& place, const TiledBand& band, std::size_t depth) {
  const bool has_vectors = band.has_some_vectors();
  const bool may_turn = !has_vectors && place.size() == 1 && band.rows[0].size() > 2;
  const int diagonal = may_turn ? diagonal_of(*place.front(), band.rows[0]) : 0;
  std::vector<TimeTiles> tiles;
  for (const int steps : {4, 8, 16, 32, 64})
    for (const int size : {4, 8, 16, 32, 64, 128}) {
      if (band.tiled == 3 && !is_size_of_cube(depth, steps, size)) continue;
      tiles.push_back({band.tiled, steps, size, false});
      if (has_vectors) tiles.push_back({band.tiled, steps, size, true});
      if (diagonal) tiles.push_back({band.tiled, steps, size, false, diagonal});
    }
  return tiles;
}

}  // namespace

std::vector<Place> bands_places(const Setting& setting, const std::vector<const Member*>&) {
  std::vector<const Member*> members = setting.facts.sharing_loops();
  for (const Member& m : setting.facts.members)  // an update in loops of its own
    if (!m.shares_loops() && !m.is_sum() && !m.reads_of(m.array()).empty()) members.push_back(&m);
  std::vector<Place> places;
  for (Place& place : by_nest(members)) {
    const bool fits = std::all_of(place.begin(), place.end(), [](const Member* m) {
      return !m->is_sum() && m->has_known_reads();
    });
    const bool deep = std::any_of(place.begin(), place.end(), [](const Member* m) {
      return m->definition->iterators.size() >= 2;
    });
    if (fits && deep) places.push_back(std::move(place));
  }
  return places;
}

std::vector<Candidate> bands_candidates(const Setting& setting, const Place& place) {
  const std::optional<Band> band = band_of(place);
  std::vector<Candidate> made;
  if (!band) return made;
  for (const std::size_t tiled : {3, 2}) {
    if (tiled > band->depth()) continue;
    const TiledBand rows = tiled_band(place, *band, tiled);
    for (const TimeTiles& tiles : tiles_of(place, rows, band->depth()))
      made.push_back({tiles.text(), [&setting, place, rows, tiles](Draft& draft) {
                        Bands(draft, setting, place, rows, tiles).write();
                      }});
  }
  return made;
}

}  // namespace strata::automatic
