#include "schedule/commands/launch/barrier_at.h"

#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_threads.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::barrier_at_test {

TEST_CASE("barrier_at is refused where one thread runs", "[barrier_at]") {
  const Refusal refusal = refusal_of([] { barrier_at(stencil(), {"Q", "i"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.command == "barrier_at(Q.i)");
  CHECK(refusal.explanation ==
        "Q.i runs on one thread, so the statements before the barrier are done already");
}

TEST_CASE("barrier_at is refused where threads cannot wait", "[barrier_at]") {
  const Program threads = parallelize(stencil(), {"Q", "i"});
  const Refusal refusal = refusal_of([&] { barrier_at(threads, {"Q", "i"}); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "the iterations of the parallel loop i need not run at the same time, so one cannot wait "
        "for another");
  CHECK(refusal.mend ==
        "distribute_loop(i) makes two loops, the first done before the second begins");
}

TEST_CASE("barrier_at is for loops that all threads of a block pass", "[barrier_at][gpu]") {
  // Q in blocks b, steps k, threads t and own steps u.
  Program p = split(stencil(), {"Q", "i"}, 64, "b", "i1");
  p = split(split(p, {"Q", "i1"}, 16, "k", "i2"), {"Q", "i2"}, 4, "t", "u");
  p = gpu_threads(gpu_blocks(p, {{"Q", "b"}}), {{"Q", "t"}});
  const Program with = barrier_at(p, {"Q", "k"});
  CHECK(loops_along(with.mapping, prefix(branches_of(with.mapping, "Q")[0].path, 2))[1]->barrier);
  CHECK(same_schedule(p, with));
  CHECK(refusal_of([&] { barrier_at(p, {"Q", "b"}); }).explanation ==
        "the iterations of the block loop b need not run at the same time, so one cannot wait for "
        "another");
  for (const std::string inside : {"t", "u"}) {
    const Refusal refusal = refusal_of([&] { barrier_at(p, {"Q", inside}); });
    CHECK(refusal.code == Code::E0106_bad_argument);
    CHECK(refusal.explanation == "Q." + inside +
                                     " runs in one thread of a block, inside of the loop t, and "
                                     "the others would miss the barrier");
    CHECK(refusal.mend == "give a loop around t");
  }
  Program alone = split(stencil(), {"Q", "i"}, 64, "b", "i1");
  alone = gpu_blocks(alone, {{"Q", "b"}});
  CHECK(refusal_of([&] { barrier_at(alone, {"Q", "i1"}); }).explanation ==
        "no thread loop is inside of Q.i1, so the first thread of the block runs it alone");
  // The rule holds after later commands.
  CHECK(refusal_of([&] { interchange(with, {"Q", "k"}, {"Q", "t"}); }).explanation ==
        "loop k, which has a barrier, is of one thread, and the others would miss it");
}

TEST_CASE("barrier_at names what there is", "[barrier_at]") {
  CHECK(refusal_of([] { barrier_at(stencil(), {"Q", "z"}); }).code == Code::E0102_unknown_loop);
}

}  // namespace strata::test::barrier_at_test
