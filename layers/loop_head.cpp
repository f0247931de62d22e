#include "layers/loop_head.h"

#include <algorithm>

namespace strata {

namespace {

template <typename T>
void add(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& one : more)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

bool has_misfit_tail(const LoopTags& tags) {
  return tags.tail == (has_lanes(tags.processor) ? TailStrategy::guard : TailStrategy::mask);
}

bool has_misfit_blocks(const LoopTags& tags) {
  return tags.min_blocks != 0 && tags.processor != Processor::block;
}

std::string stepping(const LoopHead& head) {
  return head.tile_size ? "over tiles of size " + *head.tile_size : "over iterations";
}

void move_allocations(std::vector<LoopHead>& to, const std::vector<LoopHead>& from) {
  for (std::size_t n = 0; n < from.size(); ++n) {
    const bool innermost = n + 1 == from.size();
    add_allocations(to[innermost                  ? to.size() - 1
                       : from.size() == to.size() ? n
                                                  : 0],
                    from[n].allocations);
  }
}

void move_prefetches_and_barriers(std::vector<LoopHead>& to, const std::vector<LoopHead>& from) {
  for (std::size_t n = 0; n < from.size(); ++n) {
    const auto same = std::find_if(to.begin(), to.end(),
                                   [&](const LoopHead& head) { return head.name == from[n].name; });
    const bool kept = to.size() == from.size() && same != to.end();
    const std::size_t inside = to.size() - std::min(to.size(), from.size() - n);
    LoopHead& taking = kept ? *same : to[inside];
    add_prefetches(taking, from[n].prefetches);
    taking.barrier |= from[n].barrier;
  }
}

}  // namespace

LoopHead name_and_tags(const LoopHead& head) {
  LoopHead result = head;
  result.allocations.clear();
  result.prefetches.clear();
  result.barrier = false;
  result.copies.clear();
  return result;
}

void set_processor(LoopHead& head, Processor processor) {
  head.processor = processor;
  if (has_misfit_tail(head)) head.tail = TailStrategy::automatic;
  if (!is_of_ranks(processor)) head.partition.clear();
  if (has_misfit_blocks(head)) head.min_blocks = 0;
}

LoopHead made_sequential(const LoopHead& head) {
  LoopHead result = head;
  set_processor(result, Processor::sequential);
  return result;
}

std::optional<Misfit> find_misfit(const LoopTags& tags) {
  if (has_misfit_tail(tags))
    return Misfit{"its tail strategy cannot be " + to_string(tags.tail),
                  "give mask to vector loops, and guard to others"};
  if (has_misfit_blocks(tags))
    return Misfit{"only block loops have a least number of blocks", "leave out min_blocks"};
  return std::nullopt;
}

std::vector<std::string> tag_notes(const LoopTags& tags) {
  std::vector<std::string> notes;
  if (tags.tail != TailStrategy::automatic) notes.push_back(to_string(tags.tail));
  if (tags.min_blocks) notes.push_back("min_blocks " + std::to_string(tags.min_blocks));
  return notes;
}

LoopHead initializing(const LoopHead& head) {
  const LoopHead result = name_and_tags(head);
  return head.processor == Processor::parallel ? made_sequential(result) : result;
}

LoopHead over_strips(const LoopHead& whole, const std::string& name, const TileSize& size) {
  LoopHead result{{name}};
  if (!traits(whole.processor).constant_extent) result.processor = whole.processor;
  if (result.processor == Processor::block) result.min_blocks = whole.min_blocks;
  result.partition = whole.partition;
  if (size.is_parameter()) result.tile_size = size.parameter();
  return result;
}

LoopHead in_strip(const LoopHead& whole, const std::string& name) {
  LoopHead result{{name}};
  if (traits(whole.processor).constant_extent) result.processor = whole.processor;
  return result;
}

bool same_order(const LoopHead& a, const LoopHead& b) {
  return traits(a.processor).iterations == traits(b.processor).iterations &&
         a.tile_size == b.tile_size;
}

std::optional<TagDifference> find_difference(const LoopHead& a, const LoopHead& b) {
  if (a.tile_size != b.tile_size)
    return TagDifference{stepping(a), stepping(b),
                         "tile both with the same parameter, or tile the loop after it is shared"};
  if (a.processor != b.processor)
    return TagDifference{to_string(a.processor), to_string(b.processor),
                         "give both loops the same tag first, or tag the loop after it is shared"};
  if (a.partition != b.partition)
    return TagDifference{"distributed by " + a.partition, "distributed by " + b.partition,
                         "distribute both loops by the same partition"};
  return std::nullopt;
}

void merge(LoopHead& into, const LoopHead& from) {
  into.min_blocks = std::max(into.min_blocks, from.min_blocks);
  add_allocations(into, from.allocations);
  add_prefetches(into, from.prefetches);
  into.barrier |= from.barrier;
  add_copies(into, from.copies);
}

void add_allocations(LoopHead& head, const std::vector<std::string>& more) {
  add(head.allocations, more);
}

void add_prefetches(LoopHead& head, const std::vector<Prefetch>& more) {
  add(head.prefetches, more);
}

void add_copies(LoopHead& head, const std::vector<GivenCopy>& more) { add(head.copies, more); }

void move_belongings(std::vector<LoopHead>& to, const std::vector<LoopHead>& from) {
  move_allocations(to, from);
  move_prefetches_and_barriers(to, from);
  for (std::size_t n = 0; n < from.size(); ++n)
    add_copies(to[from.size() == to.size() ? n : 0], from[n].copies);
}

}  // namespace strata
