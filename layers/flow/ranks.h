// Which rank runs what: node loops and partitions (docs/distributed.md).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "layers/program.h"

namespace strata {

// The number of loops around the outermost node loop of a branch, if it has one.
std::optional<std::size_t> node_level(const Placed& placed);
// The partitions by which loops are distributed.
std::set<std::string> partitions_in(const Mapping& mapping);
inline bool has_ranks(const Mapping& mapping) { return !partitions_in(mapping).empty(); }

// { [i] : 0 <= i < size }
isl::set iterations_of(const RankPartition& partition, isl::ctx ctx);

// The names of the parameters that bound a block first <= i < last of a partition: own_block is the
// block of the rank itself, other_block that of another rank with which it exchanges messages.
struct BlockNames {
  std::string first, last;
};
BlockNames own_block(const std::string& partition);
BlockNames other_block(const std::string& partition);
// { : a <= b } for two parameters
isl::set not_after(isl::ctx ctx, const std::string& a, const std::string& b);
// { [i] : first <= i < last }
isl::set in_block(isl::ctx ctx, const BlockNames& block);

// What is known about a block: { : 0 <= first <= last <= size }.
isl::set facts_of(const BlockNames& block, const RankPartition& partition, isl::ctx ctx);

// The program of one rank. The bounds of its blocks of these partitions become parameters, and a
// node loop runs only the iterations in its block.
Algorithm with_block_bounds(const Algorithm& algorithm, const std::set<std::string>& partitions);
Mapping of_one_rank(Mapping mapping);

}  // namespace strata
