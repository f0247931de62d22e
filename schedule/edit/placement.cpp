#include "schedule/edit/placement.h"

#include <fmt/format.h>
#include <isl/map.h>

#include <algorithm>
#include <set>

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "layers/flow/order.h"
#include "schedule/edit/moving.h"
#include "schedule/edit/needed.h"

namespace strata {

namespace {

// { P[y] -> [own iterators] } for one branch.
isl::map own_time(const Branch& branch) {
  isl_map* own = isl_map_project_out(isl::map(branch.time).release(), isl_dim_out, 0,
                                     unsigned(branch.reader_loops));
  const isl::map time = isl::manage(own);
  return branch.reader_loops == 0 ? time : explicit_quotients(time.gist_domain(time.domain()));
}

bool same_own_loops(const Placed& a, const Placed& b) {
  const auto from_a = a.loops.begin() + a.branch->reader_loops;
  const auto from_b = b.loops.begin() + b.branch->reader_loops;
  return std::equal(from_a, a.loops.end(), from_b, b.loops.end(), [](auto* x, auto* y) {
    return x->name == y->name && !find_difference(*x, *y);
  });
}

Loop emptied(Loop loop) {
  loop.body.clear();
  loop.allocations.clear();
  return loop;
}

// The computations placed directly in the own loops of "outer", each with the position of its loop.
// Those placed in their loops in turn are left out.
std::vector<std::pair<const Definition*, std::size_t>> placed_inside(const Program& program,
                                                                     const Placed& outer) {
  std::vector<std::pair<const Definition*, std::size_t>> found;
  for (const Placed& other : branches(program.mapping)) {
    const int depth = other.branch->reader_loops;
    if (depth <= outer.branch->reader_loops || depth > int(outer.loops.size())) continue;
    if (!is_inside(other.path, prefix(outer.path, std::size_t(depth)))) continue;
    const Definition* definition = program.algorithm->find(other.branch->definition);
    found.emplace_back(definition, std::size_t(depth - outer.branch->reader_loops - 1));
  }
  return found;
}

// E0107 unless "reader" is in one of the sites. There are none where a computation shares the
// loops of one that moves, is read elsewhere, and nothing left reads the latter.
void require_inside(const Placed& reader, const Definition& producer, const Mapping& mapping,
                    const std::vector<Site>& sites, const Command& command) {
  for (const Site& site : sites)
    if (is_inside(reader.path, site.loop)) return;
  const std::string name = name_of(*reader.branch);
  if (sites.empty())
    throw command.refused(
        Code::E0107_wrong_owners,
        fmt::format("{} reads {}, which is also in loops of another computation that would move",
                    name, producer.name),
        fmt::format("compute {} elsewhere first", producer.name));
  throw command.refused(
      Code::E0107_wrong_owners,
      fmt::format("{} also reads {}, outside the loop{} named", name, producer.name,
                  sites.size() > 1 ? "s" : ""),
      fmt::format("name a loop of {} as well, or bring it into loop {} with fuse or after", name,
                  node_at(mapping, sites.front().loop).loop().name));
}

// P's own loops, renamed where a loop around "site" has the same name.
std::vector<Loop> own_loops(const Detached& detached, const Mapping& mapping, const Path& site) {
  std::set<std::string> names;
  for (const Loop* loop : loops_along(mapping, site)) names.insert(loop->name);
  std::vector<Loop> loops = detached.loops;
  for (Loop& loop : loops) {
    loop.name = free_name(loop.name, names);
    names.insert(loop.name);
  }
  return loops;
}

// The most cases of remainders (disjuncts times quotients) that a set of needed values may have.
constexpr int most_needed_cases = 8;

// "needed", { t -> P[y] }, or a superset if it has too many cases: computing values that nobody
// reads is cheaper than proving, at each later command, which ones are read.
isl::map computed(const isl::map& needed) {
  const RelationSize size = size_of(coalesced(needed));
  if (size.disjuncts * size.existentials <= most_needed_cases) return needed;
  return without_existentials(needed);
}

// P's branch under the loops of "site"; its times begin with their iterators.
Branch placed_branch(const Detached& detached, const Site& site) {
  const isl::map chosen =
      explicit_quotients(with_own_reads(computed(*site.needed), *detached.definition));
  const isl::map time = isl::manage(isl_map_remove_redundancies(
      isl_map_flat_range_product(chosen.reverse().release(), detached.time.copy())));
  return {detached.definition->name, TimeMap::from(time),
          InstanceSet::from(
              explicit_quotients(coalesced(detached.instances.intersect(chosen.range())))),
          int(site.loop.size())};
}

// Inserts "node" into "body" just before the first reader of P.
void insert_before_readers(std::vector<Node>& body, Node node, const Algorithm& algorithm,
                           const Definition& producer) {
  const auto reads = [&](const Node& part) {
    const auto names = owners(part);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !reads_of(*algorithm.find(name), producer).is_empty();
    });
  };
  body.insert(std::find_if(body.begin(), body.end(), reads), std::move(node));
}

bool touches(const Definition& definition, const std::string& array, const Algorithm& algorithm) {
  return definition.array == array ||
         std::any_of(definition.reads.begin(), definition.reads.end(), [&](const Read& read) {
           const Definition* source = algorithm.find(read.producer);
           return source && source->array == array;
         });
}

// Is everything that touches P's array (other definitions of it and readers) in the sites?
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

// Removes the buffer from the allocations of the loops inside this one, where rfactor may have put
// it.
void allocate_no_further_inside(Mapping& mapping, const Path& loop, const std::string& buffer) {
  for (const Path& path : allocating_loops(mapping, buffer))
    if (is_inside(path, loop)) std::erase(node_at(mapping, path).loop().allocations, buffer);
}

// For each branch of "outer", the loop at position "loop" of its own.
std::vector<Site> sites_in(const Mapping& mapping, const Definition& outer, std::size_t loop) {
  std::vector<Site> sites;
  for (const Placed& placed : branches_of(mapping, outer.name))
    sites.push_back({prefix(placed.path, std::size_t(placed.branch->reader_loops) + loop + 1)});
  return sites;
}

// Places the computations that were in P's loops into its new ones, readers before what they read.
void insert_inside_again(Program& program, const Detached& detached, const Command& command) {
  for (auto inside = detached.inside.rbegin(); inside != detached.inside.rend(); ++inside) {
    const Detached& inner = inside->detached.front();
    auto sites = sites_in(program.mapping, *detached.definition, inside->loop);
    find_needed(sites, program, *inner.definition, command);
    std::erase_if(sites, [](const Site& site) { return !site.needed; });
    insert(program, inner, sites, command);
  }
}

// E0106 if the computation's own loops depend on the loops that it was placed in.
void require_own_time(const Detached& detached, const Command& command) {
  if (detached.time.intersect_domain(detached.instances).is_single_valued()) return;
  throw command.refused(
      Code::E0106_bad_argument,
      "the loops of " + detached.definition->name + " depend on the loops that it is computed in",
      "use compute_at before the commands that change its loops together with those");
}

}  // namespace

Detached detach(Program& program, const Definition& definition, const Command& command) {
  const auto all = branches_of(program.mapping, definition.name);
  if (all.empty()) whole_named(program, definition.name, command);  // throws E0204
  const Placed& first = all.front();
  const bool was_placed = first.branch->reader_loops > 0;
  Detached detached{&definition, {}, own_time(*first.branch), first.branch->instances, {}};
  for (std::size_t n = std::size_t(first.branch->reader_loops); n < first.loops.size(); ++n)
    detached.loops.push_back(emptied(*first.loops[n]));
  for (const Placed& other : all) {
    if (!same_own_loops(first, other) || (other.branch->reader_loops == 0 && all.size() > 1))
      whole_named(program, definition.name, command);  // throws E0103
    detached.time = coalesced(detached.time.unite(own_time(*other.branch)));
    detached.instances = coalesced(detached.instances.unite(other.branch->instances));
  }
  require_own_time(detached, command);
  for (const auto& [inner, loop] : placed_inside(program, first))
    if (!branches_of(program.mapping, inner->name).empty())
      detached.inside.push_back({loop, {detach(program, *inner, command)}});
  for (auto rest = branches_of(program.mapping, definition.name); !rest.empty();
       rest = branches_of(program.mapping, definition.name))
    remove_node(program.mapping, rest.back().path);
  const std::string buffer = buffer_of(program.layout, definition.array);
  if (was_placed)
    for (const Path& loop : allocating_loops(program.mapping, buffer))
      std::erase(node_at(program.mapping, loop).loop().allocations, buffer);
  return detached;
}

void find_needed(std::vector<Site>& sites, const Program& program, const Definition& producer,
                 const Command& command) {
  for (const Placed& reader : branches(program.mapping)) {
    const isl::map reads = reads_of(*program.algorithm->find(reader.branch->definition), producer)
                               .intersect_params(program.algorithm->context);
    if (reads.is_empty()) continue;
    require_inside(reader, producer, program.mapping, sites, command);
    for (Site& site : sites) {
      if (!is_inside(reader.path, site.loop)) continue;
      const isl::map times = leading_time(reader, unsigned(site.loop.size()));
      const isl::map needed = times.reverse().apply_range(reads);
      site.needed = site.needed ? site.needed->unite(needed) : needed;
    }
  }
}

void insert(Program& program, const Detached& detached, std::vector<Site> sites,
            const Command& command) {
  const Definition& definition = *detached.definition;
  // From last to first, so that an insertion does not move the sites still to come.
  std::sort(sites.begin(), sites.end(),
            [](const Site& a, const Site& b) { return b.loop < a.loop; });
  const std::string buffer = buffer_of(program.layout, definition.array);
  const bool scratch = has_own_buffer(program.layout, definition.array) &&
                       array_stands_inside(program, definition, sites);
  for (const Site& site : sites) {
    Node node =
        in_loops(own_loops(detached, program.mapping, site.loop), placed_branch(detached, site));
    Loop& loop = node_at(program.mapping, site.loop).loop();
    insert_before_readers(loop.body, std::move(node), *program.algorithm, definition);
    if (!scratch) continue;
    allocate_no_further_inside(program.mapping, site.loop, buffer);
    if (!is_allocated(program.mapping, site.loop, buffer)) loop.allocations.push_back(buffer);
  }
  insert_inside_again(program, detached, command);
}

void insert_outside(Program& program, const Detached& detached, const Command& command) {
  const Branch branch{detached.definition->name, TimeMap::from(detached.time),
                      detached.definition->domain};
  insert_before_readers(program.mapping.roots, in_loops(detached.loops, branch), *program.algorithm,
                        *detached.definition);
  insert_inside_again(program, detached, command);
}

}  // namespace strata
