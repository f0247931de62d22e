#include "schedule/commands/loops/tile.h"

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/skew.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/vectorize.h"
#include "tests/unit/programs.h"

namespace strata::test::tile_test {

namespace {

const std::vector<LoopRef> i_and_j{{"S", "i"}, {"S", "j"}};

Program cube() {
  Var i = range("i", "N"), j = range("j", "N"), k = range("k", "N");
  return define(empty_program({"N"}), "S", {i, j, k}, cast(f32, i + j + k));
}

}  // namespace

TEST_CASE("tile steps over tiles and then through them", "[tile]") {
  auto program = tile(grid(), i_and_j, {32, 64}, {"i0", "j0"}, {"i1", "j1"});
  CHECK(loops_of(program, "S") == "i0 j0 i1 j1");
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, floor(i/32), 0, floor(j/64), 0, i mod 32, 0, j mod 64, 0] }"));
}

TEST_CASE("tile takes three loops, and names the inner ones by default", "[tile]") {
  auto program = tile(cube(), {{"S", "i"}, {"S", "j"}, {"S", "k"}}, {4, 5, 6});
  CHECK(loops_of(program, "S") == "i j k i_in j_in k_in");
  CHECK(runs(program, "S",
             "{ S[i, j, k] -> [0, floor(i/4), 0, floor(j/5), 0, floor(k/6), "
             "0, i mod 4, 0, j mod 5, 0, k mod 6, 0] }"));
}

TEST_CASE("tags of tiled loops: parallel outside, vector inside", "[tile]") {
  auto program = vectorize(parallelize(grid(), {"S", "i"}), {"S", "j"}, 8);
  program = tile(program, {{"S", "j"}, {"S", "j_lane"}}, {2, 4}, {"a", "b"}, {"c", "d"});
  CHECK(loops_of(program, "S") == "i:parallel a b c d:vector");
}

TEST_CASE("tile is split, split and interchange", "[tile]") {
  auto program = grid();
  auto steps = split(program, {"S", "i"}, 32, "i0", "i1");
  steps = split(steps, {"S", "j"}, 64, "j0", "j1");
  steps = interchange(steps, {"S", "i1"}, {"S", "j0"});
  CHECK(same_schedule(tile(program, i_and_j, {32, 64}, {"i0", "j0"}, {"i1", "j1"}), steps));
}

TEST_CASE("tile is refused when a tile needs one that comes later", "[tile]") {
  auto refusal = refusal_of([] { tile(antidiagonal(), i_and_j, {2, 2}); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "tile(S.i, S.j, 2, 2)");
  CHECK(witness_text(refusal) ==
        "N = 3: S[0, 2] at [0, 0, 0, 1, 0, 0, 0, 0, 0]; "
        "S[1, 1] at [0, 0, 0, 0, 0, 1, 0, 1, 0]");
  CHECK_NOTHROW(tile(skew(antidiagonal(), {"S", "i"}, {"S", "j"}, 2, 1), i_and_j, {2, 2}));
}

TEST_CASE("tile names what it does not find", "[tile]") {
  auto refusal = refusal_of([] { tile(grid(), {{"S", "i"}, {"S", "k"}}, {4, 4}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop k; it has i, j");
}

TEST_CASE("tile checks its arguments", "[tile]") {
  const auto code = [](const std::vector<LoopRef>& loops, const std::vector<TileSize>& sizes,
                       const std::vector<std::string>& outer) {
    return refusal_of([&] { tile(cube(), loops, sizes, outer); }).code;
  };
  CHECK(code({{"S", "i"}}, {4}, {}) == Code::E0106_bad_argument);
  CHECK(code({{"S", "i"}, {"S", "j"}}, {4}, {}) == Code::E0106_bad_argument);
  CHECK(code({{"S", "i"}, {"S", "j"}}, {4, 0}, {}) == Code::E0106_bad_argument);
  CHECK(code({{"S", "i"}, {"S", "j"}}, {4, 4}, {"x"}) == Code::E0106_bad_argument);
  CHECK(code({{"S", "i"}, {"S", "j"}}, {4, 4}, {"x", "x"}) == Code::E0104_name_taken);
  CHECK(code({{"S", "i"}, {"S", "k"}}, {4, 4}, {}) == Code::E0106_bad_argument);
  CHECK(code({{"S", "j"}, {"S", "i"}}, {4, 4}, {}) == Code::E0106_bad_argument);
}

}  // namespace strata::test::tile_test
