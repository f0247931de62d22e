#include "schedule/commands/order/fuse.h"

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/order/distribute_loop.h"
#include "tests/unit/programs.h"

namespace strata::test::fuse_test {

TEST_CASE("fuse appends one loop's body to another's", "[fuse]") {
  auto program = fuse(three_stages(), {"P", "i"}, {"Q", "i"});
  CHECK(runs(program, "P", "{ P[i, j] -> [0, i, 0, j, 0] }"));
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 1, j, 0] }"));
  CHECK(runs(program, "R", "{ R[i, j] -> [1, i, 0, j, 0] }"));
  program = fuse(program, {"P", "j"}, {"Q", "j"});
  CHECK(runs(program, "Q", "{ Q[i, j] -> [0, i, 0, j, 1] }"));
  CHECK(loops_of(program, "Q") == "i j");
}

TEST_CASE("fuse moves past computations in between, and keeps the first loop's name", "[fuse]") {
  Var i = range("i", "N"), x = range("x", "N");
  auto program = define(empty_program({"N"}), "A", {i}, cast(f32, i + 0));
  program = define(program, "B", {i}, cast(f32, i + 1));
  program = define(program, "C", {x}, at("A", {x}));
  program = fuse(program, {"A", "i"}, {"C", "x"});
  CHECK(runs(program, "A", "{ A[i] -> [0, i, 0] }"));
  CHECK(runs(program, "C", "{ C[x] -> [0, x, 1] }"));
  CHECK(runs(program, "B", "{ B[i] -> [1, i, 0] }"));
  CHECK(loops_of(program, "C") == "i");
}

TEST_CASE("distribute_loop undoes fuse", "[fuse]") {
  auto program = three_stages();
  auto fused = fuse(program, {"P", "i"}, {"Q", "i"});
  CHECK(same_schedule(distribute_loop(fused, {"P", "i"}), program));
}

TEST_CASE("fuse is refused when it runs a reader before its value", "[fuse]") {
  auto refusal = refusal_of([] { fuse(stencil(), {"P", "h"}, {"Q", "i"}); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "fuse(P.h, Q.i)");
  CHECK(witness_text(refusal) == "N = 1: P[1] at [0, 1, 0]; Q[0] at [0, 0, 1]");
}

TEST_CASE("fuse names the loops there are", "[fuse]") {
  auto refusal = refusal_of([] { fuse(stencil(), {"P", "h"}, {"Q", "h"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "Q has no loop h; it has i");
}

TEST_CASE("fuse refuses loops of different tags, of different parents, and one loop", "[fuse]") {
  auto program = parallelize(three_stages(), {"Q", "i"});
  auto refusal = refusal_of([&] { fuse(program, {"P", "i"}, {"Q", "i"}); });
  CHECK(refusal.code == Code::E0205_tags_differ);
  CHECK(refusal.explanation == "loop i of P is sequential, but loop i of Q is parallel");
  CHECK(refusal_of([] { fuse(three_stages(), {"P", "j"}, {"Q", "j"}); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { fuse(three_stages(), {"P", "i"}, {"Q", "j"}); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { fuse(three_stages(), {"P", "i"}, {"P", "i"}); }).code ==
        Code::E0106_bad_argument);
  auto crossed = interchange(three_stages(), {"P", "i"}, {"P", "j"});
  CHECK(refusal_of([&] { fuse(crossed, {"P", "j"}, {"Q", "i"}); }).code == Code::E0104_name_taken);
}

}  // namespace strata::test::fuse_test
