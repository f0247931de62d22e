// The head of a loop, and how it changes when loops are split, fused and copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/tile_size.h"
#include "layers/processor.h"
#include "layers/tail_strategy.h"
#include "layers/transfer.h"

namespace strata {

// Each iteration of a loop prefetches what the instances of "definition" read of "array" (an array
// of values or an input) in the iteration "distance" steps later. A hint: not part of the
// program's meaning.
struct Prefetch {
  std::string definition;
  std::string array;
  std::int64_t distance = 1;

  bool operator==(const Prefetch&) const = default;
};

// The name of a loop, and its *tags*, which say how its iterations run. The loops of the generated
// tree (codegen/tree/loop_tree.h) keep them.
struct LoopTags {
  std::string name;
  Processor processor = Processor::sequential;
  TailStrategy tail = TailStrategy::automatic;
  // Of a block loop: how many blocks are wanted on one multiprocessor; 0: no wish. A hint.
  std::int64_t min_blocks = 0;

  bool operator==(const LoopTags&) const = default;
};

// The blocks that a multiprocessor can have at a time: 16, 24 or 32 (CUDA C++ Programming Guide).
inline constexpr std::int64_t most_min_blocks = 32;

// A loop without its body: its tags, and its *belongings*, which are the private buffers, the
// prefetches, the copies and the barrier of each iteration. A new mark is a field here and a line
// in the functions below.
struct LoopHead : LoopTags {
  // The parameter T of a loop over tiles of a parametric size: the times of the branches inside
  // have the tiled value x at this level, and the loop's iterator is floor(x / T).
  std::optional<std::string> tile_size = {};
  // Of a node loop: the partition that says which rank runs an iteration (docs/distributed.md).
  std::string partition = {};
  // The buffers that are private to each iteration: no two iterations share places of them.
  // Buffers that no loop lists live as long as the kernel runs.
  std::vector<std::string> allocations = {};
  std::vector<Prefetch> prefetches = {};  // at the start of each iteration, in order
  // All threads of a block wait for each other at the end of each iteration (R213).
  bool barrier = false;
  std::vector<GivenCopy> copies = {};  // of each iteration, between host and device

  bool operator==(const LoopHead&) const = default;
};

// The same loop without belongings.
LoopHead name_and_tags(const LoopHead& head);

// Sets the processor, and resets the tags that do not fit it.
void set_processor(LoopHead& head, Processor processor);
// The same loop, sequential.
LoopHead made_sequential(const LoopHead& head);
// A tag that does not fit the loop's processor (R208): the reason, and how to mend it.
struct Misfit {
  std::string reason, mend;
};
std::optional<Misfit> find_misfit(const LoopTags& tags);
// The tags that are not the default, except for the processor, for readers of a loop tree: "guard".
std::vector<std::string> tag_notes(const LoopTags& tags);

// The loop that initializes the results of a reduction under the loop "head": sequential if "head"
// is parallel, else with its processor (the threads of a GPU clear their own results); without
// belongings.
LoopHead initializing(const LoopHead& head);

// Strip-mining: the loop over the strips, and the loop inside a strip. Belongings are left out
// (move_belongings).
LoopHead over_strips(const LoopHead& whole, const std::string& name, const TileSize& size);
LoopHead in_strip(const LoopHead& whole, const std::string& name);

// True if both order their iterations in the same way (layers/flow/order.h).
bool same_order(const LoopHead& a, const LoopHead& b);

// Why two loops cannot be fused: what each of them is ("parallel", "sequential"), and how to mend
// it.
struct TagDifference {
  std::string a, b, mend;
};
std::optional<TagDifference> find_difference(const LoopHead& a, const LoopHead& b);

// Gives "into" the belongings of "from", a loop that is merged into it.
void merge(LoopHead& into, const LoopHead& from);
// Add the belongings that "head" does not have yet.
void add_allocations(LoopHead& head, const std::vector<std::string>& more);
void add_prefetches(LoopHead& head, const std::vector<Prefetch>& more);
void add_copies(LoopHead& head, const std::vector<GivenCopy>& more);

// Gives "to", a band of loops that replaces the band "from", the belongings of the latter:
//  - Buffers of the innermost loop go to the innermost loop; others go to the loop in the same
//    position or, if the number of loops changes, to the outermost loop, whose iterations contain
//    the most.
//  - Prefetches and a barrier stay with the loop of the same name, if the number of loops stays;
//    else they go to the loop in the same position counted from the innermost, inside the tiles.
//  - Copies go to the loop in the same position or, if the number of loops changes, to the
//    outermost loop.
void move_belongings(std::vector<LoopHead>& to, const std::vector<LoopHead>& from);

}  // namespace strata
