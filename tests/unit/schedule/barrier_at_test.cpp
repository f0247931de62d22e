#include "schedule/commands/barrier_at.h"

#include "schedule/commands/parallelize.h"
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

TEST_CASE("barrier_at names what there is", "[barrier_at]") {
  CHECK(refusal_of([] { barrier_at(stencil(), {"Q", "z"}); }).code == Code::E0102_unknown_loop);
}

}  // namespace strata::test::barrier_at_test
