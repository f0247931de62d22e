// Stores past the caches: the same results, and another store where it is asked for.
#include <catch2/catch.hpp>

#include <strata/runtime.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"

using namespace strata;
using namespace strata::test;

namespace {

const Var i("i"), j("j");

// While it lives, stores are streamed to buffers of so many bytes.
struct StreamingSize {
  explicit StreamingSize(std::int64_t bytes) : before(strata_set_streaming_size(bytes)) {}
  ~StreamingSize() { strata_set_streaming_size(before); }
  std::int64_t before;
};

// t = s + 1 and s = 3 in, both streamed.
struct Picture {
  explicit Picture(Type type) : in(f.input("in", type, {N, M})) {}
  void check() {
    Judged judged(f, {in.buffer(), s.buffer(), t.buffer()});
    for (const std::int64_t least : {1, 1000, 1 << 30}) {
      const StreamingSize size(least);
      for (const auto& [n, m] : {std::pair{3, 64}, {1, 1}, {0, 5}, {5, 33}, {2, 160}, {7, 48}})
        judged.check({n, m});
    }
  }
  Function f{"picture"};
  Param N = f.param("N"), M = f.param("M");
  Input in;
  Var rows{"i", 0, N}, columns{"j", 0, M};
  Computation s = f.computation("s", {rows, columns}, in(i, j) * cast(in.type(), 3));
  Computation t = f.computation("t", {rows, columns}, s(i, j) + cast(in.type(), 1));
};

}  // namespace

TEST_CASE("streamed stores of every type give the same results", "[stream_stores]") {
  for (const Type type : {u8, i16, f16, i32, f32, f64}) {
    INFO(to_string(type));
    Picture p(type);
    p.s.vectorize(j, 16).stream_stores();
    p.t.vectorize(j, 16).stream_stores();
    p.check();
  }
}

TEST_CASE("what one thread streams another one reads", "[stream_stores]") {
  Picture p(i32);
  p.s.split(j, 16).vectorize(Var("j_in")).parallelize(i).stream_stores();
  p.t.interchange(i, j).vectorize(i, 4).parallelize(j).stream_stores();
  p.check();
}

TEST_CASE("streams to a temporary, which is read in another order", "[stream_stores]") {
  Function f("staged");
  Param N = f.param("N");
  Var k("k", 0, N), k0("k0"), k1("k1"), k2("k2"), lane("lane");
  Input in = f.input("in", i32, {N});
  Computation a = f.computation("a", {k}, in(k) + 1), b = f.computation("b", {k}, a(N - 1 - k) * 2);
  a.vectorize(k, 8).set_memory(Memory::heap).stream_stores();
  b.split(k, 16, k0, k1).vectorize(k1, 8, k2, lane).unroll(k2).stream_stores();
  Judged judged(f, {in.buffer(), b.buffer()});
  const StreamingSize size(1);
  for (const std::int64_t n : {0, 1, 8, 100, 257}) judged.check({n});
}

TEST_CASE("a vector that reads what the one before streamed", "[stream_stores]") {
  Function f("steps");
  Param N = f.param("N");
  Var k("k", 0, N), k0("k0"), k1("k1"), k2("k2"), lane("lane");
  Input in = f.input("in", i32, {N});
  Computation s = f.declare("s", {k}, i32);
  s.define(select(k >= 4, s(k - 4), 0) + in(k));
  s.split(k, 16, k0, k1).vectorize(k1, 4, k2, lane).unroll(k2).stream_stores();
  Judged judged(f, {in.buffer(), s.buffer()});
  const StreamingSize size(1);
  for (const std::int64_t n : {0, 3, 16, 64, 131}) judged.check({n});
}

TEST_CASE("what was streamed before a parallel loop is read in it", "[stream_stores]") {
  Picture p(i32);
  p.s.vectorize(j, 16).stream_stores();
  p.t.interchange(i, j).parallelize(j);
  p.check();
}

TEST_CASE("two streamed results of which one is small, and lanes that are off", "[stream_stores]") {
  Function f("two");
  Param N = f.param("N"), M = f.param("M");
  Var rows("i", 0, N), columns("j", 0, M);
  Input in = f.input("in", i32, {N, M});
  Computation large = f.computation("large", {rows, columns}, in(i, j) - 1);
  Computation small = f.computation("small", {columns}, cast(i32, j) * 3);
  large.vectorize(j, 16).mask(Var("j_lane")).stream_stores();
  small.vectorize(j, 8).stream_stores();
  Judged judged(f, {in.buffer(), large.buffer(), small.buffer()});
  for (const std::int64_t least : {1, 500, 1 << 30}) {
    const StreamingSize size(least);
    for (const auto& [n, m] : {std::pair{7, 40}, {1, 8}, {0, 3}, {9, 16}}) judged.check({n, m});
  }
}

TEST_CASE("streams in place of an argument, and of tuples", "[stream_stores]") {
  Function f("placed");
  Param N = f.param("N");
  Var k("k", 0, N);
  Input in = f.input("in", i32, {N});
  Computation pair =
      f.computation({"low", "high"}, {k}, tuple({in(k) * 2, cast(f64, in(k)) / 3.0}));
  Computation back = f.computation("back", {k}, pair(k) + 1);
  pair.vectorize(k, 8).stream_stores();
  back.vectorize(k, 8).store_in(in.buffer()).stream_stores();
  Judged judged(f, {in.buffer(), pair.buffer(), Buffer("high")});
  const StreamingSize size(1);
  for (const std::int64_t n : {0, 5, 8, 100}) judged.check({n});
}

TEST_CASE("each thread streams to a buffer of its own", "[stream_stores]") {
  Picture p(f32);
  p.s.compute_at(p.t, i).vectorize(j, 16).set_memory(Memory::heap).stream_stores();
  p.t.parallelize(i).vectorize(j, 16).stream_stores();
  Judged judged(p.f, {p.in.buffer(), p.t.buffer()});
  const StreamingSize size(1);
  for (const auto& [n, m] : {std::pair{3, 64}, {1, 1}, {0, 5}, {5, 33}}) judged.check({n, m});
}

TEST_CASE("an array and a loop may be called streams", "[stream_stores]") {
  Function f("named");
  Param N = f.param("N"), M = f.param("M");
  Var k("streams", max(M, 2), N);
  Input in = f.input("streams", i32, {N});
  Computation out = f.computation("out", {k}, in(k) + 1);
  out.vectorize(k, 8).stream_stores();
  Judged judged(f, {in.buffer(), out.buffer()});
  const StreamingSize size(1);
  for (const auto& [n, m] : {std::pair{30, 0}, {30, 9}, {3, 3}}) judged.check({n, m});
}

TEST_CASE("the least size is what was set, and 0 stands for the first", "[stream_stores]") {
  const std::int64_t first = strata_set_streaming_size(100);
  CHECK(first == 32 * 1024 * 1024);
  CHECK(strata_set_streaming_size(0) == 100);
  CHECK(strata_set_streaming_size(0) == first);
}
