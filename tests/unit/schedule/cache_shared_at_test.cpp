#include "schedule/commands/storage/cache_shared_at.h"

#include "schedule/commands/launch/deal.h"
#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/copy_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "tests/unit/programs.h"

namespace strata::test::cache_shared_at_test {

namespace {

// P(i) = 2 i in tiles of Q(i) = P(i) + P(i + 1)
Program tiles(Program program) { return gpu_tile(program, {{"Q", "i"}}, {8}, {"b"}, {"t"}); }

}  // namespace

TEST_CASE("cache_shared_at is cache_at and deal", "[gpu][cache_shared_at]") {
  const Program plain = tiles(stencil());
  const Program program = cache_shared_at(plain, {"Q", "b"}, "P", "copy", {"x"});
  CHECK(loops_of(program, "copy") == "b:block thread_x:thread step:unrolled");
  const Program apart =
      deal(cache_at(plain, {"Q", "b"}, "P", "copy", {"x"}, Memory::shared), {{"copy", "x"}});
  CHECK(same_schedule(program, apart));
  CHECK(program.layout.find("copy")->memory == Memory::shared);
}

TEST_CASE("cache_shared_at without names computes in shared memory", "[gpu][cache_shared_at]") {
  const Program plain = tiles(stencil());
  const Program program = cache_shared_at(plain, "P", {"Q", "b"});
  CHECK(loops_of(program, "P") == "b:block thread_x:thread step:unrolled");
  CHECK(program.layout.find("P")->memory == Memory::shared);
  CHECK(allocating_loops(program.mapping, "P") == std::vector<Path>{{0}});
  const Program placed = compute_at(plain, "P", {{"Q", "b"}});
  CHECK(same_schedule(program, cache_shared_at(placed, "P", {"Q", "b"})));
}

TEST_CASE("what each thread has for itself can become the block's", "[gpu][cache_shared_at]") {
  Program program = compute_at(tiles(stencil()), "P", {{"Q", "t"}});
  program = set_memory(program, "P", Memory::local);
  program = cache_shared_at(program, "P", {"Q", "b"});
  CHECK(loops_of(program, "P") == "b:block thread_x:thread step:unrolled");
  CHECK(program.layout.find("P")->memory == Memory::shared);
}

TEST_CASE("copy_at a reader names the copy", "[gpu][cache_shared_at]") {
  const Program plain = tiles(stencil());
  const Program program = copy_at(plain, "P", {"Q", "b"}, Memory::shared);
  CHECK(loops_of(program, "P_shared") == "b:block thread_x:thread step:unrolled");
  CHECK(name_of_copy(program, "P", Memory::shared) == "P_shared2");
  CHECK(loops_of(copy_at(plain, "P", {"Q", "t"}, Memory::local), "P_local") ==
        "b:block t:thread h");
}

TEST_CASE("cache_shared_at needs a block with threads", "[gpu][cache_shared_at]") {
  const Refusal refusal =
      refusal_of([] { cache_shared_at(stencil(), {"Q", "i"}, "P", "copy", {"x"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "loop i is in no block of a GPU");
}

TEST_CASE("refusals of cache_shared_at are in its own words", "[gpu][cache_shared_at]") {
  const Program plain = stencil(), threads = tiles(plain);
  const auto refused = [](const auto& act, const char* explanation) {
    const Refusal refusal = refusal_of(act);
    CHECK(refusal.command.starts_with("cache_shared_at("));
    CHECK_THAT(refusal.explanation, Catch::Contains(explanation));
  };
  const Program blocks = gpu_blocks(split(plain, {"Q", "i"}, 8, "b", "t"), {{"Q", "b"}});
  refused([&] { cache_shared_at(blocks, {"Q", "b"}, "P", "copy", {"x"}); }, "has no threads");
  refused([&] { cache_shared_at(blocks, "P", {"Q", "b"}); }, "has no threads");
  refused([&] { cache_shared_at(plain, "P", {"Q", "i"}); }, "loop i is in no block of a GPU");
  refused([&] { cache_shared_at(threads, {"Q", "t"}, "P", "copy", {"x"}); },
          "belongs to one thread");
  refused([&] { cache_shared_at(threads, "P", {"Q", "t"}); }, "belongs to one thread");
  refused([&] { cache_shared_at(threads, {"Q", "b"}, "P", "copy", {"x", "y"}); }, "takes 1 index");
  refused([&] { cache_shared_at(threads, {"Q", "z"}, "P", "copy", {"x"}); }, "no loop z");
}

}  // namespace strata::test::cache_shared_at_test
