#include "schedule/commands/compute_at.h"

#include <fmt/format.h>

#include <isl/map.h>

#include <algorithm>
#include <optional>
#include <set>

#include "layers/order.h"
#include "schedule/nest.h"

namespace strata {

namespace {

// What of P one place must compute: { pre -> P[y] }.
struct Site {
  Path loop;
  std::optional<isl::map> needed = {};
};

// { C[x] -> P[y] : C[x] reads P[y] }; a reader of a reduction's result reads all contributions,
// and a result has its initial value even where it has none.
isl::map reads_of(const Definition& reader, const Definition& producer) {
  const auto pairs = isl::manage(isl_map_from_domain_and_range(
      isl::set(reader.domain).release(), isl::set(producer.domain).release()));
  isl::map all = isl::map::empty(pairs.space());
  for (const Read& read : reader.reads) {
    if (read.producer == producer.name) all = all.unite(read.relation);
    if (producer.reduction && read.producer == producer.reduction->initial)
      all = all.unite(isl::map(read.relation).apply_range(result_of(producer).reverse()));
  }
  return all;
}

// needed . (R_PP)^*
isl::map with_own_reads(const isl::map& needed, const Definition& producer) {
  const isl::map own = reads_of(producer, producer);
  if (own.is_empty()) return needed.coalesce();
  const auto closure = isl::manage(isl_map_transitive_closure(own.copy(), nullptr));
  return needed.unite(needed.apply_range(closure).intersect_range(producer.domain)).coalesce();
}

// E0107 where a branch of a reader stands in none of the loops.
void require_inside(const Placed& reader, const Definition& producer,
                    const std::vector<LoopRef>& loops, const std::vector<Site>& sites,
                    const Command& command) {
  for (const Site& site : sites)
    if (is_inside(reader.path, site.loop)) return;
  const std::string& name = reader.branch->definition;
  throw command.refused(
      Code::E0107_wrong_owners,
      fmt::format("{} reads {} too, and stands outside of the loop{} named", name, producer.name,
                  loops.size() > 1 ? "s" : ""),
      fmt::format("name a loop of {} as well, or bring it into the loop {} with fuse or after",
                  name, to_string(loops.front())));
}

void add_needed(std::vector<Site>& sites, const Algorithm& algorithm, const Mapping& mapping,
                const Definition& producer, const std::vector<LoopRef>& loops,
                const Command& command) {
  for (const Placed& reader : branches(mapping)) {
    const isl::map reads = reads_of(*algorithm.find(reader.branch->definition), producer)
                               .intersect_params(algorithm.context);
    if (reads.is_empty()) continue;
    require_inside(reader, producer, loops, sites, command);
    for (Site& site : sites) {
      if (!is_inside(reader.path, site.loop)) continue;
      const isl::map prefix = leading_time(reader, unsigned(site.loop.size()));
      const isl::map needed = prefix.reverse().apply_range(reads);
      site.needed = site.needed ? site.needed->unite(needed) : needed;
    }
  }
}

// Where P is to go, once it is out of the way.
std::vector<Site> sites_named(const Program& without, const Definition& producer,
                              const std::vector<LoopRef>& loops, const Command& command) {
  std::vector<Site> sites;
  for (const LoopRef& loop : loops) {
    if (loop.definition == producer.name)
      throw command.refused(Code::E0106_bad_argument,
                            producer.name + " cannot be computed inside its own loops",
                            "name a loop of a computation that reads it");
    const Path path = loop_named(without, loop, command);
    for (const Site& other : sites)
      if (other.loop == path || is_inside(path, other.loop) || is_inside(other.loop, path))
        throw command.refused(Code::E0106_bad_argument,
                              fmt::format("{} stands in another loop named", to_string(loop)),
                              "name the outermost of them only");
    sites.push_back({path});
  }
  add_needed(sites, *without.algorithm, without.mapping, producer, loops, command);
  for (std::size_t n = 0; n < sites.size(); ++n)
    if (!sites[n].needed)
      throw command.refused(
          Code::E0106_bad_argument,
          fmt::format("nothing inside {} reads {}", to_string(loops[n]), producer.name),
          "name a loop of a computation that reads it");
  return sites;
}

// E0106 where P is computed inside loops of its readers already: which of the loops around it are
// its own is forgotten then.
void require_not_placed(const Program& program, const Placed& old, const Definition& producer,
                        const Command& command) {
  const auto allocating =
      allocating_loops(program.mapping, buffer_of(program.layout, producer.array));
  const bool placed = std::any_of(allocating.begin(), allocating.end(),
                                  [&](const Path& loop) { return is_inside(old.path, loop); });
  if (!placed && executions(*old.branch).is_single_valued()) return;
  throw command.refused(
      Code::E0106_bad_argument,
      producer.name + " is computed or stored inside a loop of its readers already",
      "give compute_at once, before allocate_at, with all its loops: compute_at({{by, j}, {cz, "
      "i}})");
}

// E0107 unless P has its loops alone: those that it shares stay behind with their other owners.
void require_alone(const Program& program, const Placed& placed, const Command& command) {
  for (std::size_t level = 0; level < placed.loops.size(); ++level) {
    const Path loop(placed.path.begin(), placed.path.begin() + long(level) + 1);
    for (const Placed& other : branches(program.mapping))
      if (is_inside(other.path, loop) && other.branch != placed.branch &&
          !other.branch->time.is_single_valued())
        throw command.refused(
            Code::E0107_wrong_owners,
            fmt::format("{} is computed inside loop {} of {}", other.branch->definition,
                        placed.loops[level]->name, placed.branch->definition),
            fmt::format("place {} first", placed.branch->definition));
  }
}

// P's loops without what they hold, named apart from those around "site".
std::vector<Loop> own_loops(const Placed& old, const Mapping& mapping, const Path& site) {
  std::set<std::string> taken;
  for (std::size_t depth = 1; depth <= site.size(); ++depth)
    taken.insert(node_at(mapping, Path(site.begin(), site.begin() + long(depth))).loop().name);
  std::vector<Loop> loops;
  for (const Loop* loop : old.loops) {
    loops.push_back({free_name(loop->name, taken), loop->processor, {}});
    taken.insert(loops.back().name);
  }
  return loops;
}

// P's branch under the loops of "site", whose iterators are the first of its times.
Branch placed_branch(const Branch& old, const isl::map& needed, const Definition& producer) {
  const isl::map chosen = with_own_reads(needed, producer);
  Branch branch = old;
  branch.time = TimeMap::from(isl::manage(isl_map_remove_redundancies(
      isl_map_flat_range_product(chosen.reverse().release(), isl::map(old.time).release()))));
  branch.instances =
      InstanceSet::from(isl::set(old.instances).intersect(chosen.range()).coalesce());
  return branch;
}

// Puts "node" just before the first reader of P in the loop.
void insert_before_readers(Loop& loop, Node node, const Algorithm& algorithm,
                           const Definition& producer) {
  const auto reads = [&](const Node& part) {
    const auto names = owners(part);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !reads_of(*algorithm.find(name), producer).is_empty();
    });
  };
  loop.body.insert(std::find_if(loop.body.begin(), loop.body.end(), reads), std::move(node));
}

// Are the values of P to lie in a buffer that is theirs alone?
bool has_own_buffer(const Layout& layout, const std::string& array) {
  const std::string buffer = buffer_of(layout, array);
  return !layout.store.count(array) ||
         std::none_of(layout.store.begin(), layout.store.end(), [&](const auto& other) {
           return other.first != array && buffer_of(layout, other.first) == buffer;
         });
}

bool touches(const Definition& definition, const std::string& array, const Algorithm& algorithm) {
  return definition.array == array ||
         std::any_of(definition.reads.begin(), definition.reads.end(), [&](const Read& read) {
           const Definition* source = algorithm.find(read.producer);
           return source && source->array == array;
         });
}

// Does all that touches P's array, other definitions and their readers too, stand in the loops?
bool array_stands_inside(const Program& without, const Definition& producer,
                         const std::vector<Site>& sites) {
  const Algorithm& algorithm = *without.algorithm;
  const auto all = branches(without.mapping);
  return std::all_of(all.begin(), all.end(), [&](const Placed& placed) {
    return !touches(*algorithm.find(placed.branch->definition), producer.array, algorithm) ||
           std::any_of(sites.begin(), sites.end(),
                       [&](const Site& site) { return is_inside(placed.path, site.loop); });
  });
}

// Is the buffer allocated by this loop or one around it?
bool is_allocated(const Mapping& mapping, const Path& loop, const std::string& buffer) {
  const auto all = allocating_loops(mapping, buffer);
  return std::any_of(all.begin(), all.end(),
                     [&](const Path& path) { return path == loop || is_inside(loop, path); });
}

std::vector<std::string> texts_of(const std::string& producer, const std::vector<LoopRef>& loops) {
  std::vector<std::string> texts{producer};
  for (const LoopRef& loop : loops) texts.push_back(to_string(loop));
  return texts;
}

}  // namespace

Program compute_at(const Program& program, const std::string& producer,
                   const std::vector<LoopRef>& loops, Given given) {
  const Command command{
      "compute_at", texts_of(producer, loops), given,
      "computing " + producer + " there would run a reader before the value it reads"};
  const Definition& definition = definition_named(program, producer, command);
  const Placed old = branch_named(program, producer, command);
  require_not_placed(program, old, definition, command);
  require_alone(program, old, command);
  Program result = program;
  remove_node(result.mapping, old.path);

  auto sites = sites_named(result, definition, loops, command);
  // From the last to the first: what is inserted moves nothing that stands before it.
  std::sort(sites.begin(), sites.end(),
            [](const Site& a, const Site& b) { return b.loop < a.loop; });
  const std::string buffer = buffer_of(program.layout, definition.array);
  const bool scratch = has_own_buffer(program.layout, definition.array) &&
                       array_stands_inside(result, definition, sites);
  for (const Site& site : sites) {
    Node node = in_loops(own_loops(old, result.mapping, site.loop),
                         placed_branch(*old.branch, *site.needed, definition));
    Loop& loop = node_at(result.mapping, site.loop).loop();
    insert_before_readers(loop, std::move(node), *program.algorithm, definition);
    if (scratch && !is_allocated(result.mapping, site.loop, buffer))
      loop.allocations.push_back(buffer);
  }
  return judged(program, std::move(result), command);
}

}  // namespace strata
