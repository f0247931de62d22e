// A kernel checks its arguments before it writes anything.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>
#include <sys/mman.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::arguments_test {

using reference::Point;

namespace {

reference::Array box(Type type, Point lower, Point extent) {
  reference::Array array = reference::Array::box(type, lower, extent);
  for (const Point& p : array.elements()) array.set(p, reference::integer_scalar(type, p[0]));
  return array;
}

// s(i) = in(i) + 1 over "lower" <= i < N.
struct Copy {
  Function f{"copy"};
  Param N = f.param("N");
  Var i;
  Input in = f.input("in", i32, {N});
  Computation s;
  JitFunction kernel;

  explicit Copy(std::int64_t lower)
      : i("i", lower, N), s(f.computation("s", {i}, select(i >= 0, in(i), -1) + 1)) {
    s.vectorize(i, 4);
    kernel = f.jit({in.buffer(), s.buffer()});
  }

  // The code returned for an input and an output with these boxes; if it is not 0, nothing may be
  // written.
  int call(std::int64_t n, std::int64_t in_extent, std::int64_t out_lower, std::int64_t out_extent,
           const std::function<void(strata_buffer& in, strata_buffer& out)>& spoil = {}) const {
    Guarded input(i32, {0}, {in_extent}, Shape::dense, box(i32, {0}, {in_extent}));
    Guarded output(i32, {out_lower}, {out_extent}, Shape::dense,
                   box(i32, {out_lower}, {out_extent}));
    if (spoil) spoil(input.description(), output.description());
    const int code = kernel({n}, {input.argument(), output.argument()});
    CHECK(input.damage().empty());
    if (code != 0) CHECK(output.damage().empty());
    if (code != 0) CHECK_FALSE(std::string(strata_last_error()).empty());
    return code;
  }
};

}  // namespace

TEST_CASE("arguments that are too small are refused and not overrun", "[failure-12]") {
  const Copy copy(0);
  CHECK(copy.call(10, 10, 0, 10) == 0);
  CHECK(copy.call(10, 10, 0, 9) == strata_error_out_of_bounds);
  CHECK(copy.call(100, 100, 0, 10) == strata_error_out_of_bounds);
  CHECK(copy.call(10, 9, 0, 10) == strata_error_out_of_bounds);
  CHECK(copy.call(10, 10, 1, 10) == strata_error_out_of_bounds);
  CHECK(copy.call(10, 12, -2, 20) == 0);
  CHECK(copy.call(0, 0, 0, 0) == 0);
}

TEST_CASE("a negative lower bound needs elements there", "[failure-12]") {
  const Copy copy(-3);
  CHECK(copy.call(4, 4, 0, 7) == strata_error_out_of_bounds);
  CHECK(copy.call(4, 4, -3, 7) == 0);
}

TEST_CASE("a read before the first element is refused when it is written", "[failure-12]") {
  Function f("before");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  CHECK(refuses(f, Code::E0113_read_outside_domain, [&] { f.computation("s", {i}, in(i - 1)); }));
}

TEST_CASE("arguments of another type, rank or shape, and null pointers", "[arguments]") {
  const Copy copy(0);
  using B = strata_buffer;
  CHECK(copy.call(4, 4, 0, 4, [](B&, B& out) { out.type = strata_float(32); }) ==
        strata_error_wrong_type);
  CHECK(copy.call(4, 4, 0, 4, [](B& in, B&) { in.dimensions = 0; }) == strata_error_wrong_rank);
  CHECK(copy.call(4, 4, 0, 4, [](B& in, B&) { in.dim[0].extent = -1; }) == strata_error_bad_shape);
  CHECK(copy.call(4, 4, 0, 4, [](B&, B& out) { out.host = nullptr; }) == strata_error_null_host);
  CHECK(copy.call(4, 4, 0, 4, [](B& in, B& out) { out.host = in.host; }) == strata_error_overlap);
  Array<std::int32_t> some({4});
  CHECK(copy.kernel({4}, {nullptr, some}) == strata_error_null_buffer);
  CHECK(copy.kernel({4}, {some}) == strata_error_wrong_arguments);
  CHECK(copy.kernel({}, {some, some}) == strata_error_wrong_arguments);
}

TEST_CASE("what the program assumes is checked at entry", "[arguments]") {
  Function f("assuming");
  Param N = f.param("N");
  f.assume(N % 4 == 0);
  Var i("i", 0, N);
  Computation s = f.computation("s", {i}, cast(i32, i));
  const JitFunction kernel = f.jit({s.buffer()});
  Array<std::int32_t> out({8}, 77);
  CHECK(kernel({6}, {out}) == strata_error_assumption);
  CHECK(out(0) == 77);
  CHECK(std::string(strata_last_error()).find("N % 4") != std::string::npos);
  CHECK(kernel({8}, {out}) == 0);
  CHECK(out(7) == 7);
}

TEST_CASE("strides that 32 bits do not hold", "[failure-11]") {
  Function f("huge");
  Var c("c", 0, 2), i("i", 0, 70000), j("j", 0, 70000);
  Computation s = f.computation(
      "s", Domain("{ s[c, i, j] : 0 <= c < 2 and (i = 0 or i = 69999) and (j = 0 or j = 69999) }"),
      cast(u8, 1 + variable("c") + variable("i") + variable("j")));
  const JitFunction kernel = f.jit({s.buffer()});
  strata_buffer buffer;
  strata_dimension dimensions[3];
  const std::int64_t extents[] = {2, 70000, 70000};
  std::uint8_t memory[64] = {};
  strata_buffer_init(&buffer, strata_uint(8), memory, 3, dimensions, extents);
  CHECK(kernel({}, {strata_argument(&buffer)}) < 0);
  for (const std::uint8_t byte : memory) CHECK(byte == 0);
}

TEST_CASE("an array of 70000 x 70000", "[failure-11]") {
  const std::int64_t n = 70000;
  Function f("large");
  Computation s = f.computation(
      "s", Domain("{ s[i, j] : 0 <= i, j < 70000 and i mod 34999 = 1 and j mod 34999 = 2 }"),
      cast(u8, 1 + variable("i") * 3 + variable("j")));
  const JitFunction kernel = f.jit({s.buffer()});
  const std::size_t size = std::size_t(n) * std::size_t(n);
  // Only the pages that the kernel touches are allocated.
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    WARN("this machine reserves no 4.9 GB of addresses");
    return;
  }
  const auto* bytes = static_cast<const std::uint8_t*>(memory);
  strata_buffer buffer;
  strata_dimension dimensions[2];
  const std::int64_t extents[] = {n, n};
  strata_buffer_init(&buffer, strata_uint(8), memory, 2, dimensions, extents);
  REQUIRE(kernel({}, {strata_argument(&buffer)}) == 0);
  for (std::int64_t x = 1; x < n; x += 34999)
    for (std::int64_t y = 2; y < n; y += 34999)
      CHECK(bytes[x * n + y] == std::uint8_t(1 + x * 3 + y));
  munmap(memory, size);
}

}  // namespace strata::test::arguments_test
