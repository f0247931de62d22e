// What happens to the marks of loops that are split, fused and copied.
#include "layers/loop_head.h"

#include <catch2/catch.hpp>

namespace strata::test::loop_head_test {

namespace {

LoopHead head(const std::string& name, Processor processor,
              TailStrategy tail = TailStrategy::automatic) {
  return {{name, processor, tail}};
}

const Processor every[] = {Processor::sequential, Processor::parallel, Processor::vector,
                           Processor::unrolled,   Processor::block,    Processor::thread,
                           Processor::node};
const TailStrategy tails[] = {TailStrategy::automatic, TailStrategy::separate, TailStrategy::guard,
                              TailStrategy::mask};

}  // namespace

TEST_CASE("R208: mask goes with lanes, guard with all else", "[loop_head]") {
  for (const Processor p : every) {
    const bool lanes = p == Processor::vector;
    CHECK_FALSE(find_misfit(head("i", p)));
    CHECK_FALSE(find_misfit(head("i", p, TailStrategy::separate)));
    CHECK(find_misfit(head("i", p, TailStrategy::mask)).has_value() == !lanes);
    CHECK(find_misfit(head("i", p, TailStrategy::guard)).has_value() == lanes);
  }
}

TEST_CASE("another processor resets the tags that do not go with it, and no others",
          "[loop_head]") {
  for (const Processor from : every)
    for (const Processor to : every)
      for (const TailStrategy tail : tails) {
        const LoopHead before = head("i", from, tail), wanted = head("i", to, tail);
        LoopHead after = before;
        set_processor(after, to);
        CHECK(after == (find_misfit(wanted) ? head("i", to) : wanted));
      }
}

TEST_CASE("a wish for blocks stays with blocks", "[loop_head][gpu]") {
  LoopHead blocks = head("i", Processor::block);
  blocks.min_blocks = 2;
  CHECK_FALSE(find_misfit(blocks));
  CHECK(tag_notes(blocks) == std::vector<std::string>{"min_blocks 2"});
  CHECK(over_strips(blocks, "i0", 4).min_blocks == 2);
  CHECK(in_strip(blocks, "i1").min_blocks == 0);
  LoopHead other = head("j", Processor::block);
  merge(other, blocks);
  CHECK(other.min_blocks == 2);
  blocks.processor = Processor::thread;
  CHECK(find_misfit(blocks));
  set_processor(blocks, Processor::thread);
  CHECK(blocks == head("i", Processor::thread));
}

TEST_CASE("the loop over strips runs on the threads of the whole, the one inside on its lanes",
          "[loop_head]") {
  const LoopHead rows = head("i", Processor::parallel), lanes = head("i", Processor::vector);
  CHECK(over_strips(rows, "i0", 4) == head("i0", Processor::parallel));
  CHECK(in_strip(rows, "i1") == head("i1", Processor::sequential));
  CHECK(over_strips(lanes, "i0", 4) == head("i0", Processor::sequential));
  CHECK(in_strip(lanes, "i1") == head("i1", Processor::vector));
  LoopHead tiles = head("i0", Processor::parallel);
  tiles.tile_size = "T";
  CHECK(over_strips(rows, "i0", TileSize(Param("T"))) == tiles);
}

TEST_CASE("loops are fused if they have one processor and one size of tiles", "[loop_head]") {
  for (const Processor a : every)
    for (const Processor b : every)
      CHECK(find_difference(head("i", a), head("j", b)).has_value() == (a != b));
  LoopHead tiles = head("i", Processor::sequential);
  tiles.tile_size = "T";
  CHECK_FALSE(find_difference(tiles, tiles));
  CHECK(find_difference(tiles, head("i", Processor::sequential)));
}

TEST_CASE("a loop that becomes one with another leaves it what its iterations have",
          "[loop_head]") {
  LoopHead a = head("i", Processor::parallel), b = head("j", Processor::parallel);
  a.allocations = {"x", "y"};
  b.allocations = {"y", "z"};
  b.prefetches = {{"S", "in", 2}};
  b.barrier = true;
  LoopHead merged = a;
  merge(merged, b);
  CHECK(merged.name == "i");
  CHECK(merged.allocations == std::vector<std::string>{"x", "y", "z"});
  CHECK(merged.prefetches == b.prefetches);
  CHECK(merged.barrier);
  CHECK(name_and_tags(merged) == name_and_tags(a));
}

TEST_CASE("initial values run in order on the threads' loops, and in the same lanes",
          "[loop_head]") {
  for (const Processor p : every)
    CHECK(initializing(head("i", p)).processor ==
          (p == Processor::parallel ? Processor::sequential : p));
}

}  // namespace strata::test::loop_head_test
