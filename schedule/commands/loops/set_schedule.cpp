#include "schedule/commands/loops/set_schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/map.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "core/sets/relation_text.h"
#include "core/sets/small_integer.h"
#include "schedule/edit/forest.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

using Constants = std::vector<std::optional<std::int64_t>>;

// Part of the map on which the same dimensions are constant, with the same values.
struct Piece {
  isl::map map;
  Constants constants;
  std::string name;  // of the tuple that it maps to; may be empty
};

Constants constants_of(const isl::map& map) {
  const isl::set range = map.range().project_out_all_params();
  Constants constants;
  for (int n = 0; n < int(range.tuple_dim()); ++n) {
    const isl::val low = range.dim_min_val(n), high = range.dim_max_val(n);
    const bool fixed = low.is_int() && low.eq(high);
    constants.push_back(fixed ? small_integer(low) : std::nullopt);
  }
  return constants;
}

std::vector<Piece> pieces_of(const isl::union_map& whole) {
  std::map<std::pair<std::string, Constants>, isl::map> same;
  whole.foreach_map([&](isl::map map) {
    const std::string name = map.has_range_tuple_id() ? map.range_tuple_id().name() : "";
    coalesced(map).foreach_basic_map([&](isl::basic_map part) {
      if (part.is_empty()) return;
      auto& piece = same[{name, constants_of(part)}];
      piece = piece.is_null() ? isl::map(part) : piece.unite(part);
    });
  });
  std::vector<Piece> pieces;
  for (const auto& [key, map] : same) pieces.push_back({coalesced(map), key.second, key.first});
  return pieces;
}

// Is the map in 2d+1 form: are dimensions 0, 2, 4, .. constant on every piece?
bool is_aligned(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces)
    for (std::size_t n = 0; n < piece.constants.size(); n += 2)
      if (!piece.constants[n]) return false;
  return true;
}

// The name of a loop over dimension "column": the iterator that it equals, else t<level>.
std::string loop_name(const isl::map& map, int column, std::size_t level,
                      const Definition& definition) {
  for (int d = 0; d < int(definition.iterators.size()); ++d) {
    isl_map* equal = isl_map_universe(map.space().release());
    equal = isl_map_equate(equal, isl_dim_in, d, isl_dim_out, column);
    if (map.is_subset(isl::manage(equal))) return definition.iterators[d];
  }
  return fmt::format("t{}", level);
}

class Normaliser {
 public:
  // "present": the path of the definition's only branch, else empty.
  Normaliser(const Definition& definition, Path present, bool aligned)
      : definition_(definition), present_(std::move(present)), aligned_(aligned) {}

  FlatBranch operator()(const Piece& piece) const {
    FlatBranch flat{definition_.name, TimeMap::from(loops_of(piece)), {}, {{}}, {}};
    isl::set instances = piece.map.domain().intersect(definition_.domain);
    flat.instances = InstanceSet::from(explicit_quotients(instances));
    flat.piece = piece.name;
    for (int n = 0; n < int(piece.constants.size()); ++n) {
      if (!is_loop(piece, n)) {
        flat.statics.back().push_back(*piece.constants[n]);
        continue;
      }
      complete(flat.statics);
      const auto level = flat.columns.size();
      flat.columns.push_back({piece.constants[n], {{loop_name(piece.map, n, level, definition_)}}});
      flat.statics.push_back({});
    }
    complete(flat.statics);
    return flat;
  }

 private:
  bool is_loop(const Piece& piece, int column) const {
    return aligned_ ? column % 2 == 1 : !piece.constants[column];
  }

  isl::map loops_of(const Piece& piece) const {
    isl_map* map = piece.map.gist_domain(piece.map.domain()).release();
    for (int n = int(piece.constants.size()); n-- > 0;)
      if (!is_loop(piece, n)) map = isl_map_project_out(map, isl_dim_out, unsigned(n), 1);
    return explicit_quotients(isl::manage(isl_map_reset_tuple_id(map, isl_dim_out)));
  }

  // Fills in the last static if the map has none there.
  void complete(std::vector<StaticKey>& statics) const {
    if (!statics.back().empty()) return;
    const std::size_t level = statics.size() - 1;
    bool in_place = level < present_.size();
    for (std::size_t n = 0; n < level && in_place; ++n)
      in_place = statics[n] == StaticKey{present_[n]};
    statics.back().push_back(in_place ? present_[level] : 0);
  }

  const Definition& definition_;
  Path present_;
  bool aligned_;
};

void require_tuple(const isl::map& map, const Definition& definition, const Command& command) {
  const isl::space wanted = isl::set(definition.domain).space();
  const bool same_tuple = map.has_domain_tuple_id() && !map.domain().is_wrapping() &&
                          map.domain_tuple_id().name() == definition.name &&
                          map.domain_tuple_dim() == definition.iterators.size();
  if (same_tuple && !map.range().is_wrapping()) return;
  throw command.refused(
      Code::E0106_bad_argument,
      fmt::format("{} does not schedule {}", isl_text(map.space()), definition.name),
      fmt::format("write {{ {}[{}] -> [..] }}", definition.name,
                  fmt::join(definition.iterators, ", ")));
}

void require_piece_names(const std::vector<Piece>& pieces, const Command& command) {
  for (const Piece& piece : pieces)
    if (!piece.name.empty()) require_identifier(piece.name, "a piece", command);
}

// Branches with the same name become name, name2, ..
void make_piece_names_unique(Mapping& mapping, const std::string& definition) {
  std::set<std::string> seen;
  for (const Placed& placed : branches_of(mapping, definition)) {
    std::string& piece = node_at(mapping, placed.path).branch().piece;
    if (!piece.empty() && !seen.insert(piece).second)
      piece = free_name(piece, pieces_of(mapping, definition));
  }
}

Program scheduled(const Program& program, const std::string& name, const isl::union_map& map,
                  const Command& command) {
  Program result = program;
  const Definition& definition = definition_named(result, name, command);
  require_parameters(map, *result.algorithm, command);
  map.foreach_map([&](isl::map one) { require_tuple(one, definition, command); });
  const auto pieces = pieces_of(map);
  if (pieces.empty())
    throw command.refused(Code::E0106_bad_argument, "the map schedules no instance",
                          "let the map cover the instances of " + definition.name);
  require_piece_names(pieces, command);

  const auto present = branches_of(result.mapping, name);
  const Normaliser normalised(definition, present.size() == 1 ? present.front().path : Path{},
                              is_aligned(pieces));
  auto flat = flattened(result.mapping);
  std::erase_if(flat, [&](const FlatBranch& branch) { return branch.definition == name; });
  const bool asynchronous = std::any_of(present.begin(), present.end(), [](const Placed& placed) {
    return placed.branch->asynchronous;
  });
  const auto mma = present.empty() ? std::nullopt : present.front().branch->mma;
  for (const Piece& piece : pieces) {
    flat.push_back(normalised(piece));
    flat.back().asynchronous = asynchronous;
    flat.back().mma = mma;
  }
  result.mapping = forest_of(flat, command);
  make_piece_names_unique(result.mapping, name);
  for (const Placed& placed : branches_of(result.mapping, name))
    for (const Loop* loop : placed.loops)
      if (loop->tile_size)
        throw command.refused(
            Code::E0106_bad_argument,
            fmt::format(
                "{} would be in loop {}, whose tile size is {}: the map does not say in which tile",
                name, loop->name, *loop->tile_size),
            "use set_schedule before the tiling");

  return verified(program, std::move(result), command);
}

Command described(const std::string& definition, const std::string& map, Given given) {
  return {"set_schedule",
          {definition, IslNotation{map}},
          given,
          "this schedule of " + definition + " would read a value before it is computed"};
}

}  // namespace

Program set_schedule(const Program& program, const std::string& definition, const std::string& map,
                     Given given) {
  const Command command = described(definition, map, given);
  isl::union_map parsed;
  try {
    parsed = isl::union_map(program.session->isl(), map);
  } catch (const isl::exception& error) {
    throw command.refused(Code::E0108_unreadable_text,
                          "the text is not a map in isl's notation: " + message_of(error),
                          fmt::format("write {{ {}[i, j] -> [0, i, 0, j, 0] }}", definition));
  }
  return scheduled(program, definition, parsed, command);
}

Program set_schedule(const Program& program, const std::string& definition,
                     const isl::union_map& map, Given given) {
  return scheduled(program, definition, map, described(definition, isl_text(map), given));
}

}  // namespace strata
