// R210 to R213: which loops of a launch may stand where.
#include "layers/verify/verify_launches.h"

#include "layers/verify/verify_mapping.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/order/after.h"
#include "tests/unit/programs.h"

namespace strata::test::verify_launches_test {

namespace {

using P = Processor;

// grid() in loops of these processors: a, b, .. are splits of i by 2, outermost first, then j by 2
// where more than half is asked for. Every order of them is legal for grid().
Program nest(const std::vector<Processor>& processors) {
  Program program = grid();
  std::string last = "j";
  for (std::size_t n = 2; n < processors.size(); ++n) {
    const std::string inner = "k" + std::to_string(n);
    program = split(program, {"S", last}, 2, last, inner);
    last = inner;
  }
  for_each_loop(program.mapping, [&, n = std::size_t(0)](Loop& loop) mutable {
    set_processor(loop, processors[n++]);
  });
  return program;
}

std::string refused_nesting(const std::vector<Processor>& processors) {
  try {
    verify_launch_nesting(nest(processors), asked);
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == Code::E0106_bad_argument);
    return error.refusal().explanation;
  }
}

}  // namespace

TEST_CASE("R210: host loops, blocks, uniform loops, threads, loops of a thread", "[layers][gpu]") {
  CHECK(refused_nesting({P::block, P::thread}) == "");
  CHECK(refused_nesting({P::block, P::sequential}) == "");
  CHECK(refused_nesting({P::sequential, P::block, P::unrolled, P::thread, P::vector}) == "");
  CHECK(refused_nesting({P::block, P::block, P::block, P::thread, P::thread, P::thread}) == "");
  CHECK(refused_nesting({P::sequential, P::thread}) == "the thread loop j is in no block");
  CHECK(refused_nesting({P::thread, P::block}) ==
        "the block loop j stands inside the thread loop i");
  CHECK(refused_nesting({P::parallel, P::block}) ==
        "the parallel loop i stands around a launch, whose outermost loop is j");
  CHECK(refused_nesting({P::unrolled, P::block}) ==
        "the unrolled loop i stands around a launch, whose outermost loop is j");
  CHECK(refused_nesting({P::block, P::parallel, P::thread}) ==
        "the parallel loop j stands inside of blocks, on the threads of the CPU");
  CHECK(refused_nesting({P::block, P::thread, P::parallel}) ==
        "the parallel loop k2 stands inside of blocks, on the threads of the CPU");
  CHECK(refused_nesting({P::block, P::vector, P::thread}) ==
        "the vector loop j stands around the thread loop k2");
  CHECK(refused_nesting({P::block, P::sequential, P::block}) ==
        "loop j stands between the block loop i and the block loop k2");
  CHECK(refused_nesting({P::block, P::thread, P::sequential, P::thread}) ==
        "loop k2 stands between the thread loop j and the thread loop k3");
  CHECK(refused_nesting({P::block, P::block, P::block, P::block}) ==
        "4 block loops stand inside each other, but a GPU has 3 axes");
}

TEST_CASE("R210: what is inside of blocks has tiles of a known size", "[layers][gpu]") {
  Program program = nest({P::block, P::sequential, P::thread});
  node_at(program.mapping, {0, 0}).loop().tile_size = "N";
  CHECK(refusal_of([&] { verify_launch_nesting(program, asked); }).explanation ==
        "loop j, inside of blocks, steps over tiles whose size is N, a parameter");
  Program outside = nest({P::sequential, P::block, P::thread});
  node_at(outside.mapping, {0}).loop().tile_size = "N";
  verify_launch_nesting(outside, asked);
}

TEST_CASE("R211: nothing stands beside an inner block or thread loop", "[layers][gpu]") {
  Program program = three_stages();
  program = after(after(program, "Q", "P", "i"), "R", "Q", "i");
  for_each_loop(program.mapping, [](Loop& loop) { loop.processor = P::block; });
  const auto refusal = refusal_of([&] { verify_launch_bodies(program, asked); });
  CHECK(refusal.explanation == "the block loop i holds another block loop and something beside it");
  CHECK(refusal.mend == "distribute_loop(i) gives each a loop of its own");
  node_at(program.mapping, {0}).loop().processor = P::sequential;
  verify_launch_bodies(program, asked);
}

TEST_CASE("R212: a grid is a box", "[layers][gpu]") {
  // for i < N: for j <= i: S(i, j), and the same under a loop h < N with i <= h
  Var h = range("h", "N"), i = range("i", "N"), j("j", 0, Expr(i) + 1);
  const auto tagged = [](Program program, const std::vector<Processor>& processors) {
    for_each_loop(program.mapping, [&, n = std::size_t(0)](Loop& loop) mutable {
      loop.processor = processors[n++];
    });
    return program;
  };
  const Program triangle = define(empty_program({"N"}), "S", {i, j}, cast(f32, i + j));
  const auto refusal =
      refusal_of([&] { verify_grids(tagged(triangle, {P::block, P::block}), asked); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "the block loop j has other iterations in other blocks: N = 2 leaves out i = 0, j = 1, and "
        "a grid is a box");
  verify_grids(tagged(triangle, {P::sequential, P::block}), asked);
  verify_grids(tagged(triangle, {P::block, P::thread}), asked);

  const Var below("i", 0, Expr(h) + 1);
  const Program steps =
      define(empty_program({"N"}), "S", {h, below, range("k", "N")}, cast(f32, h));
  verify_grids(tagged(steps, {P::sequential, P::block, P::block}), asked);
  verify_grids(nest({P::block, P::block, P::thread}), asked);
}

TEST_CASE("R213: a barrier is where all threads of a block pass", "[layers][gpu][barriers]") {
  const auto refused = [](const std::vector<Processor>& processors, const std::string& loop) {
    Program program = nest(processors);
    for_each_loop(program.mapping, [&](Loop& l) { l.barrier = l.name == loop; });
    try {
      verify_barriers(program, asked);
      return std::string();
    } catch (const Error& error) {
      CHECK(error.code() == Code::E0106_bad_argument);
      return error.refusal().explanation;
    }
  };
  CHECK(refused({P::block, P::sequential, P::thread}, "j") == "");
  CHECK(refused({P::block, P::unrolled, P::sequential, P::thread}, "k2") == "");
  CHECK(refused({P::sequential, P::parallel}, "i") ==
        "loop i, which has a barrier, is in no block");
  for (const std::vector<Processor>& outside :
       {std::vector{P::sequential, P::block, P::thread}, std::vector{P::block, P::thread}})
    CHECK(refused(outside, "i") ==
          "loop i, which has a barrier, is around threads of several blocks, which do not wait");
  CHECK(refused({P::block, P::thread}, "j") ==
        "loop j, which has a barrier, is of one thread, and the others would miss it");
  CHECK(refused({P::block, P::thread, P::sequential}, "k2") ==
        "loop k2, which has a barrier, is of one thread, and the others would miss it");
  CHECK(refused({P::block, P::sequential}, "j") ==
        "loop j, which has a barrier, has no thread loop inside: one thread runs it");
}

}  // namespace strata::test::verify_launches_test
