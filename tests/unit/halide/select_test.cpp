// select reads only the side that it takes: every buffer is next to inaccessible memory.
#include <signal.h>
#include <sys/wait.h>
#include <catch2/catch.hpp>

#include "tests/unit/entry/views.h"
#include "tests/unit/halide/operators.h"

namespace strata::test::select_test {

namespace {

constexpr std::int64_t count = 64;

// y[i] = e, with "size" elements of x between two inaccessible pages; both ends are tried.
template <typename T, typename Wanted>
void check(const Expr& e, std::int64_t size, const Wanted& wanted) {
  for (const int lanes : {1, 4, 16})
    for (const auto at : {Guarded::At::start, Guarded::At::end}) {
      CAPTURE(lanes, at == Guarded::At::end);
      const JitKernel k(kernel("edge", {"N", "L"},
                               {argument("x", type_of<T>(), Access::read, {p("L")}),
                                argument("y", type_of<T>(), Access::written, {p("N")})},
                               over_elements(lanes, store("y", {v("i")}, e))));
      Guarded memory(size * sizeof(T), at);
      T* data = static_cast<T*>(memory.memory());
      for (std::int64_t j = 0; j < size; ++j) data[j] = static_cast<T>(j * 3 + 1);
      View x(element_type<T>(), data, {{0, static_cast<int>(size), 1, 0}});
      Array<T> y({count});
      REQUIRE(k.call({count, size}, {x, y}) == 0);
      for (std::int64_t i = 0; i < count; ++i) REQUIRE(y(i) == wanted(data, i));
    }
}

template <typename T>
Expr x(const Expr& index) {
  return load("x", type_of<T>(), {index});
}

}  // namespace

TEMPLATE_TEST_CASE("a read before the first and behind the last element", "[halide]", float, double,
                   std::int32_t, std::int8_t, std::uint16_t, std::int64_t) {
  using T = TestType;
  const Expr i = v("i"), N = p("N"), zero = constant(type_of<T>(), 0);
  check<T>(select(i > n(0), x<T>(i - n(1)), zero), count,
           [](const T* d, std::int64_t j) { return j > 0 ? d[j - 1] : T(0); });
  check<T>(select(i + n(1) < N, x<T>(i + n(1)), zero) + x<T>(i), count,
           [](const T* d, std::int64_t j) { return T((j + 1 < count ? d[j + 1] : T(0)) + d[j]); });
}

TEST_CASE("both sides read, and selects nest", "[halide]") {
  using T = float;
  const Expr i = v("i"), N = p("N"), L = p("L");
  // x has half as many elements: the index is folded in one of three ways.
  const Expr e = select(i < L, x<T>(i), select(i == L, 0.5f, x<T>(n(2) * L - i)));
  check<T>(e, count / 2, [](const T* d, std::int64_t j) {
    return j < count / 2 ? d[j] : j == count / 2 ? 0.5f : d[count - j];
  });
}

TEST_CASE("a condition on what is read", "[halide]") {
  using T = std::int32_t;
  const Expr i = v("i");
  // Elements are 3 i + 1: even ones point to an element, odd ones to none.
  const Expr here = x<T>(i), there = x<T>(cast(i64, x<T>(i)) / n(8));
  const Expr broken = x<T>(cast(i64, here) * n(1000000));
  check<T>(select(here % 2 == 0, there, 7), count,
           [](const T* d, std::int64_t j) { return d[j] % 2 == 0 ? d[d[j] / 8] : 7; });
  check<T>(select(here < 0, broken, select(here > 1000, broken, here)), count,
           [](const T* d, std::int64_t j) { return d[j]; });
}

TEST_CASE("a condition that does not depend on the lane", "[halide]") {
  using T = float;
  const Expr i = v("i"), L = p("L");
  for (const std::int64_t size : {count, count / 4})
    check<T>(select(L == n(count), x<T>(i), -1.0f), size,
             [&](const T* d, std::int64_t j) { return size == count ? d[j] : -1.0f; });
}

TEST_CASE("a select in an index", "[halide]") {
  using T = float;
  const Expr i = v("i"), L = p("L");
  check<T>(x<T>(select(i < L, i, L - n(1))), count / 2,
           [](const T* d, std::int64_t j) { return j < count / 2 ? d[j] : d[count / 2 - 1]; });
  check<T>(x<T>(min(max(i - n(5), n(0)), L - n(1))), count / 2, [](const T* d, std::int64_t j) {
    return d[std::min<std::int64_t>(std::max<std::int64_t>(j - 5, 0), count / 2 - 1)];
  });
}

TEST_CASE("conditions around statements guard what is inside", "[halide]") {
  const Expr i = v("i"), t = v("t"), L = p("L"), N = p("N");
  const StmtPtr inside = make_stmt(If{
      i < L, store("y", {i}, x<float>(i) + select(i > n(0), x<float>(i - n(1)), 10.0f)), nullptr});
  const JitKernel k(
      kernel("inside", {"N", "L"},
             {argument("x", f32, Access::read, {L}), argument("y", f32, Access::written, {L})},
             over_elements(16, inside)));
  for (const auto at : {Guarded::At::start, Guarded::At::end}) {
    const std::int64_t size = 37;
    Guarded in(size * 4, at), out(size * 4, at);
    float *d = static_cast<float*>(in.memory()), *y = static_cast<float*>(out.memory());
    for (int j = 0; j < size; ++j) d[j] = static_cast<float>(j);
    View vx(strata_float(32), d, {{0, 37, 1, 0}}), vy(strata_float(32), y, {{0, 37, 1, 0}});
    REQUIRE(k.call({64, size}, {vx, vy}) == 0);
    for (int j = 0; j < size; ++j) REQUIRE(y[j] == (j == 0 ? 10.0f : 2.0f * j - 1));
  }
}

// The test above must be able to fail: without the guard the same read crashes.
TEST_CASE("the pages beside a buffer are guarded", "[halide]") {
  Guarded memory(64, Guarded::At::end);
  const int child = fork();
  if (child == 0) {
    volatile char* end = static_cast<char*>(memory.memory()) + 64;
    signal(SIGSEGV, SIG_DFL);
    _exit(*end == 0 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
}

}  // namespace strata::test::select_test
