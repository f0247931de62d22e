#include "layers/verify/verify_mapping.h"

#include <isl/map.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/sets/meter.h"
#include "layers/flow/initial_values.h"
#include "layers/verify/verify_algorithm.h"
#include "layers/verify/verify_coherence.h"
#include "layers/verify/verify_launches.h"
#include "layers/verify/verify_products.h"
#include "layers/verify/verify_ranks.h"
#include "layers/witness.h"

namespace strata {

namespace {

Error malformed_schedule(const Request& request, const std::string& what) {
  return request.refused(Code::E0208_malformed_schedule, what);
}

void require_filled(const std::vector<Node>& nodes, const Request& request) {
  for (const Node& node : nodes) {
    if (!node.is_loop()) continue;
    if (node.loop().body.empty())
      throw malformed_schedule(request, "the loop " + node.loop().name + " is empty");
    require_filled(node.loop().body, request);
  }
}

void verify_branches(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping)) {
    const Branch& branch = *placed.branch;
    const Definition* d = program.algorithm->find(branch.definition);
    if (!d || d->is_initial)
      throw malformed_schedule(request, "the schedule runs " + branch.definition +
                                            ", which is not a scheduled computation");
    const isl::map time = branch.time;
    if (time.domain_tuple_id().name() != d->name)
      throw malformed_schedule(request,
                               "a branch of " + d->name + " maps instances of another computation");
    if (time.domain_tuple_dim() != isl::set(d->domain).tuple_dim())
      throw malformed_schedule(request,
                               "a branch of " + d->name + " maps instances of a different rank");
    if (time.range_tuple_dim() != placed.loops.size())
      throw malformed_schedule(request, d->name + " has " + std::to_string(placed.loops.size()) +
                                            " loops around it but " +
                                            std::to_string(time.range_tuple_dim()) +
                                            " time dimensions");
  }
}

void verify_loops(const Program& program, const Request& request) {
  require_filled(program.mapping.roots, request);
  for (const Placed& placed : branches(program.mapping)) {
    std::set<std::string> names;
    for (const Loop* loop : placed.loops) {
      if (!is_identifier(loop->name))
        throw malformed_schedule(request, "\"" + loop->name + "\" cannot name a loop");
      if (!names.insert(loop->name).second)
        throw malformed_schedule(
            request, "two loops around " + placed.branch->definition + " are called " + loop->name);
    }
  }
}

void verify_allocations(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping)) {
    std::map<std::string, std::string> loops;  // by the buffer that they allocate
    for (const Loop* loop : placed.loops)
      for (const std::string& buffer : loop->allocations)
        if (const auto [outer, is_new] = loops.emplace(buffer, loop->name); !is_new)
          throw request.refused(Code::E0106_bad_argument,
                                placed.branch->definition + " would be in two loops, " +
                                    outer->second + " and " + loop->name +
                                    ", that both allocate the buffer " + buffer,
                                "let one loop allocate it, by allocate_at");
  }
}

void verify_tile(const Loop& loop, const Program& program, const Request& request) {
  const auto& known = program.algorithm->parameters;
  if (std::find(known.begin(), known.end(), *loop.tile_size) == known.end())
    throw malformed_schedule(request, *loop.tile_size + ", the size of the tiles of loop " +
                                          loop.name + ", is not a parameter");
  if (traits(loop.processor).constant_extent)
    throw request.refused(Code::E0106_bad_argument,
                          "loop " + loop.name + " steps over tiles whose size is " +
                              *loop.tile_size + ", a parameter, and cannot be " +
                              to_string(loop.processor),
                          "tag a loop inside a tile, or give tile a constant size");
}

void verify_tiles(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping)) {
    for (const Loop* loop : placed.loops)
      if (loop->tile_size) verify_tile(*loop, program, request);
  }
}

// Why no iteration of loop "level" around the branch can prefetch for it, and how to fix that.
struct Obstacle {
  std::string reason, mend;
};

std::optional<Obstacle> find_obstacle(const Program& program, const Placed& placed,
                                      std::size_t level, const Prefetch& prefetch) {
  const Loop& loop = *placed.loops[level];
  const std::string given = "prefetch at a loop around it, after the loops are tagged";
  if (loop.tile_size)
    return Obstacle{"loop " + loop.name + " steps over tiles whose size is " + *loop.tile_size +
                        ", a parameter, and the reads of a later tile are not affine",
                    "prefetch at a loop inside a tile, or give tile a constant size"};
  if (is_copied(loop.processor))
    return Obstacle{"loop " + loop.name + " is " + to_string(loop.processor) +
                        ", so no iterations of it remain in the code",
                    given};
  for (std::size_t n = 0; n <= level; ++n)
    if (has_lanes(placed.loops[n]->processor))
      return Obstacle{"the lanes of loop " + placed.loops[n]->name + " run together", given};
  for (const Loop* around : placed.loops)
    if (is_of_launch(around->processor))
      return Obstacle{"loop " + around->name +
                          " is run by a GPU, whose threads hide the time of a "
                          "load without prefetches",
                      "leave out prefetch, or copy the data to shared memory with cache_at"};
  const std::string buffer = buffer_of(program.layout, prefetch.array);
  for (std::size_t n = level; n < placed.loops.size(); ++n) {
    const auto& own = placed.loops[n]->allocations;
    if (std::find(own.begin(), own.end(), buffer) != own.end())
      return Obstacle{"each iteration of loop " + placed.loops[n]->name + " allocates its own " +
                          buffer + ", so data for a later one cannot be loaded",
                      "leave out prefetch, or prefetch the data that the buffer is computed from"};
  }
  const LayoutBuffer* known = program.layout.find(buffer);
  if (known && known->memory == Memory::stack)
    return Obstacle{buffer + " is on the stack, which is in cache already",
                    "leave out prefetch, or put the buffer in the heap with set_memory"};
  return std::nullopt;
}

void verify_prefetch(const Program& program, const Loop& loop, const Prefetch& prefetch,
                     const Request& request) {
  const std::string what = "loop " + loop.name + " cannot prefetch " + prefetch.array + " for " +
                           prefetch.definition + ": ";
  bool found_branch = false;
  for (const Placed& placed : branches_of(program.mapping, prefetch.definition)) {
    const auto found = std::find(placed.loops.begin(), placed.loops.end(), &loop);
    if (found == placed.loops.end()) continue;
    found_branch = true;
    const auto level = std::size_t(found - placed.loops.begin());
    if (const auto hindrance = find_obstacle(program, placed, level, prefetch))
      throw request.refused(Code::E0106_bad_argument, what + hindrance->reason, hindrance->mend);
  }
  if (!found_branch) throw malformed_schedule(request, what + "the loop contains no branch of it");
}

void verify_prefetches(const Program& program, const Request& request) {
  std::set<const Loop*> seen;
  for (const Placed& placed : branches(program.mapping))
    for (const Loop* loop : placed.loops)
      if (!loop->prefetches.empty() && seen.insert(loop).second)
        for (const Prefetch& prefetch : loop->prefetches)
          verify_prefetch(program, *loop, prefetch, request);
}

void verify_tags(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping))
    for (const Loop* loop : placed.loops)
      if (const auto misfit = find_misfit(*loop))
        throw request.refused(
            Code::E0106_bad_argument,
            "loop " + loop->name + " is " + to_string(loop->processor) + ", and " + misfit->reason,
            misfit->mend);
}

void verify_pieces(const Program& program, const Request& request) {
  std::map<std::string, std::vector<std::string>> pieces;
  for (const Placed& placed : branches(program.mapping))
    pieces[placed.branch->definition].push_back(placed.branch->piece);
  for (const auto& [definition, names] : pieces) {
    if (names.size() == 1 && !names.front().empty())
      throw malformed_schedule(
          request,
          definition + " is scheduled in one place, which is called piece " + names.front());
    std::set<std::string> seen;
    for (const std::string& name : names) {
      if (names.size() == 1) continue;
      if (!is_identifier(name))
        throw malformed_schedule(request, "\"" + name + "\" cannot name a piece of " + definition);
      if (!seen.insert(name).second)
        throw malformed_schedule(request, "two pieces of " + definition + " are called " + name);
    }
  }
}

void verify_injective(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping)) {
    // Usually times distinguish all instances, even those that do not run.
    const isl::map all = known_time(placed.branch->time, placed.loops);
    if (isl_map_plain_is_injective(all.get()) == isl_bool_true) continue;
    const isl::map time = known_time(executions(*placed.branch), placed.loops)
                              .intersect_params(program.algorithm->context);
    if (costlier(injectivity, [&] { return time.is_injective(); })) continue;
    const isl::map same = time.apply_range(time.reverse());
    const isl::map pair =
        smallest(same.subtract(same.space().domain().identity_multi_aff_on_domain().as_map()),
                 program.algorithm->parameters);
    throw request.refused(
        Code::E0203_not_injective,
        "two instances of " + placed.branch->definition + " would run at the same time",
        "let the schedule map give each instance a different time",
        Witness{parameters_text(pair.domain()),
                {{instance_text(pair.domain()), time_text(pair.domain(), theta(program.mapping))},
                 {instance_text(pair.range()), time_text(pair.range(), theta(program.mapping))}},
                "",
                {"{0} and", "{1} share it"}});
  }
}

void verify_total(const Program& program, const Request& request) {
  for (const Definition& d : program.algorithm->definitions) {
    if (!is_output(program.layout, *program.algorithm, d.array)) continue;
    const Mapping mapping = d.is_initial ? complete_mapping(program) : program.mapping;
    const isl::set left = isl::set(d.domain)
                              .intersect_params(program.algorithm->context)
                              .subtract(running(branches_of(mapping, d.name), d.domain));
    if (left.is_empty()) continue;
    const isl::set instance = smallest(left, program.algorithm->parameters);
    throw request.refused(
        Code::E0204_not_scheduled, "an instance of " + d.name + " never runs",
        "let the schedule cover the whole domain, or exclude the sizes with assume",
        Witness{
            parameters_text(instance), {{instance_text(instance), ""}}, "", {"{0} has no time"}});
  }
}

}  // namespace

const std::vector<MappingRule>& mapping_rules() {
  constexpr Code malformed = Code::E0208_malformed_schedule, argument = Code::E0106_bad_argument;
  static const std::vector<MappingRule> rules{
      {"R201", {malformed}, Holds::always, verify_branches},
      {"R202", {malformed}, Holds::always, verify_loops},
      {"R205", {argument}, Holds::always, verify_allocations},
      {"R206", {malformed, argument}, Holds::always, verify_tiles},
      {"R207", {malformed, argument}, Holds::always, verify_prefetches},
      {"R208", {argument}, Holds::always, verify_tags},
      {"R209", {malformed}, Holds::always, verify_pieces},
      {"R210", {argument}, Holds::always, verify_launch_nesting},
      {"R211", {argument}, Holds::always, verify_launch_bodies},
      {"R212", {argument}, Holds::always, verify_grids},
      {"R213", {argument}, Holds::always, verify_barriers},
      {"R214", {argument}, Holds::always, verify_async_copies},
      {"R215", {argument}, Holds::always, verify_products},
      {"R216",
       {malformed, argument, Code::E0402_not_on_ranks, Code::E0209_outside_partition},
       Holds::always,
       verify_ranks},
      {"R217", {argument}, Holds::always, verify_resident_copies},
      {"R218", {argument}, Holds::always, verify_copies_in_tiles},
      {"R203", {Code::E0203_not_injective}, Holds::always, verify_injective},
      {"R204", {Code::E0204_not_scheduled}, Holds::for_kernels, verify_total},
  };
  return rules;
}

void verify_mapping(const Program& program, const Request& request) {
  for (const MappingRule& rule : mapping_rules()) rule.verify(program, request);
}

}  // namespace strata
