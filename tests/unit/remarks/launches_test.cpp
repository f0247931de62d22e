// Remarks on launches: each on a program that has it, and on one that does not.
#include <strata/strata.h>

#include "tests/unit/remarks/programs.h"

namespace strata::test::remarks_on_launches_test {

namespace {

const Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), x("x"), y("y");

// out(j, i) = in(i, j), both of float32.
struct Transpose {
  Function f{"f"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, N};
  Input in = f.input("in", f32, {N, N});
  Computation out = f.computation("out", {j, i}, in(i, j));

  Computation with_tile() {
    out.gpu_tile(j, i, 32, 32, j0, i0, j1, i1);
    return out.cache_shared_at(i0, in, "tile", {x, y});
  }
  std::vector<Remark> of(const std::string& kind) const {
    return remarks_of(kind, f, {"in", "out"});
  }
};

}  // namespace

TEST_CASE("remarks: neighbouring threads far apart in memory", "[remarks][gpu]") {
  Transpose apart;
  apart.out.gpu_tile(apart.j, apart.i, 32, 32, j0, i0, j1, i1);
  // Threads run along i: 32 rows of in, each in a sector of its own, and one row of out, in 4.
  CHECK(render(only_remark("scattered threads", apart.f, {"in", "out"}, "out", "i1")) ==
        R"(remark: scattered threads
  in computation out, loop i1
  the elements of in that a warp touches together lie in 32 sectors of 32 bytes, and would fill 4
  what to do: let the innermost thread loop run along the last index, store the array in that order (store_in), or copy it to shared memory (cache_shared_at)
)");
  Transpose tiled;
  tiled.with_tile();
  CHECK(tiled.of("scattered threads").empty());
}

TEST_CASE("remarks: vectors of a thread beside those of the next fill their sectors",
          "[remarks][gpu]") {
  Function f("f");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", f32, {N});
  Computation out = f.computation("out", {i}, in(i));
  out.vectorize(i, 4).gpu_tile(i, 64, i0, i1);
  CHECK(remarks_of("scattered threads", f, {"in", "out"}).empty());
}

TEST_CASE("remarks: words of one bank", "[remarks][gpu]") {
  Transpose straight;
  straight.with_tile();
  CHECK(render(only_remark("bank conflicts", straight.f, {"in", "out"}, "out", "i1")) ==
        R"(remark: bank conflicts
  in computation out, loop i1
  32 threads of a warp touch different words of tile in one bank of shared memory, one after the other
  what to do: rotate its rows, store_in({x, (x + y) % 32}), or pad them (set_size)
)");
  Transpose rotated;
  rotated.with_tile().store_in({x, (x + y) % 32});
  CHECK(rotated.of("bank conflicts").empty());
  Transpose padded;
  padded.with_tile().set_size({32, 33});
  CHECK(padded.of("bank conflicts").empty());
}

TEST_CASE("remarks: one thread works and the others wait", "[remarks][gpu]") {
  const auto copy_of = [](Transpose& t) {
    t.out.gpu_tile(t.j, t.i, 32, 32, j0, i0, j1, i1);
    return t.out.cache_at(i0, t.in, "tile", {x, y}, Memory::shared);
  };
  Transpose alone, dealt;
  copy_of(alone);
  CHECK(only_remark("one thread of a block", alone.f, {"in", "out"}, "tile", "i0").seen ==
        "only the first of the 1024 threads of a block runs tile, and the others wait");
  copy_of(dealt).deal({x, y});
  CHECK(dealt.of("one thread of a block").empty());
}

TEST_CASE("remarks: fewer threads than a warp", "[remarks][gpu]") {
  Transpose few, enough;
  few.out.gpu_tile(few.j, few.i, 4, 4, j0, i0, j1, i1);
  CHECK(only_remark("few threads", few.f, {"in", "out"}, "out", "i1").seen ==
        "a block has 16 threads; a GPU runs 32 together, and the others idle");
  enough.out.gpu_tile(enough.j, enough.i, 4, 8, j0, i0, j1, i1);
  CHECK(enough.of("few threads").empty());
}

TEST_CASE("remarks: what is said of vectors and CPU threads is not said of launches",
          "[remarks][gpu]") {
  Transpose t;
  t.with_tile().store_in({x, (x + y) % 32});
  CHECK(remarks_on(t.f, {"in", "out"}).empty());
}

}  // namespace strata::test::remarks_on_launches_test
