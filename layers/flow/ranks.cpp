#include "layers/flow/ranks.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

#include "core/sets/coalesce.h"
#include "layers/affine/affine.h"

namespace strata {

namespace {

isl::id id_of(isl::ctx ctx, const std::string& name) {
  return isl::manage(isl_id_alloc(ctx.get(), name.c_str(), nullptr));
}

// { [i, ..] -> name }, where "name" is a parameter and the domain has "dimensions" dimensions.
isl::pw_aff named(isl::ctx ctx, const std::string& name, unsigned dimensions) {
  isl_space* space = isl_space_set_alloc(ctx.get(), 1, dimensions);
  space = isl_space_set_dim_id(space, isl_dim_param, 0, id_of(ctx, name).release());
  return isl::manage(
      isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id_of(ctx, name).release())));
}

// { [i] -> i }
isl::pw_aff itself(isl::ctx ctx) {
  return isl::pw_aff(isl::manage(isl_set_universe(isl_space_set_alloc(ctx.get(), 0, 1)))
                         .space()
                         .identity_multi_aff_on_domain()
                         .at(0));
}

}  // namespace

std::optional<std::size_t> node_level(const Placed& placed) {
  for (std::size_t n = 0; n < placed.loops.size(); ++n)
    if (is_of_ranks(placed.loops[n]->processor)) return n;
  return std::nullopt;
}

std::set<std::string> partitions_in(const Mapping& mapping) {
  std::set<std::string> all;
  for (const Placed& placed : branches(mapping))
    if (const auto level = node_level(placed)) all.insert(placed.loops[*level]->partition);
  return all;
}

isl::set iterations_of(const RankPartition& partition, isl::ctx ctx) {
  const isl::set box = *box_of(ctx, "", {partition.size});
  return isl::manage(isl_set_reset_tuple_id(box.copy()));
}

BlockNames own_block(const std::string& partition) {
  return {partition + ".first", partition + ".last"};
}

BlockNames other_block(const std::string& partition) {
  return {partition + ".other_first", partition + ".other_last"};
}

isl::set in_block(isl::ctx ctx, const BlockNames& block) {
  const isl::pw_aff i = itself(ctx);
  return i.ge_set(named(ctx, block.first, 1)).intersect(i.lt_set(named(ctx, block.last, 1)));
}

isl::set not_after(isl::ctx ctx, const std::string& a, const std::string& b) {
  return named(ctx, a, 0).le_set(named(ctx, b, 0)).params();
}

isl::set facts_of(const BlockNames& block, const RankPartition& partition, isl::ctx ctx) {
  const isl::pw_aff first = named(ctx, block.first, 0), last = named(ctx, block.last, 0);
  const isl::pw_aff size = *affine(partition.size, scope_of(ctx, "", {}));
  return first.ge_set(first.sub(first))
      .intersect(first.le_set(last))
      .intersect(isl::manage(
          isl_pw_aff_le_set(last.copy(), isl_pw_aff_reset_tuple_id(size.copy(), isl_dim_in))))
      .params();
}

Algorithm with_block_bounds(const Algorithm& algorithm, const std::set<std::string>& partitions) {
  Algorithm result = algorithm;
  isl::set context = result.context;
  for (const RankPartition& p : result.partitions) {
    if (!partitions.count(p.name)) continue;
    const BlockNames block = own_block(p.name);
    result.parameters.push_back(block.first);
    result.parameters.push_back(block.last);
    context = context.intersect(facts_of(block, p, context.ctx()));
  }
  result.context = Context::from(context);
  return result;
}

namespace {

// The instances that "branch" runs while the iterator at "level" is in "block".
isl::set running_in(const Branch& branch, std::size_t level, const isl::set& block) {
  const isl::map there = one_level(branch.time, unsigned(level)).intersect_range(block);
  return isl::set(branch.instances).intersect(there.domain());
}

void restrict_branches(std::vector<Node>& nodes, std::vector<const Loop*>& around) {
  for (Node& node : nodes) {
    if (node.is_loop()) {
      around.push_back(&node.loop());
      restrict_branches(node.loop().body, around);
      around.pop_back();
      continue;
    }
    Branch& branch = node.branch();
    const auto level = node_level({{}, around, &branch});
    if (!level) continue;
    const isl::ctx ctx = isl::set(branch.instances).ctx();
    const isl::set block = in_block(ctx, own_block(around[*level]->partition));
    branch.instances = InstanceSet::from(coalesced(running_in(branch, *level, block)));
  }
}

}  // namespace

Mapping of_one_rank(Mapping mapping) {
  std::vector<const Loop*> around;
  restrict_branches(mapping.roots, around);
  return mapping;
}

}  // namespace strata
