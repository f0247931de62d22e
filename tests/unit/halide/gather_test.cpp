// Vectors whose elements are at places that data say.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/halide/assembly.h"
#include "tests/unit/halide/operators.h"

namespace strata::test::gather_test {

namespace {

const std::string sapphirerapids =
    "x86-64-linux-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake-avx512_cannonlake-"
    "avx512_sapphirerapids";

// out[i] = x^2 + 1, x = table[min(max(at[i] + 1, 0), N - 1), 2], in vectors of 16.
Kernel clamped(Type index) {
  const Expr at = load("at", index, {v("i")});
  const Expr place = min(max((index == i64 ? at : cast(i64, at)) + n(1), n(0)), p("N") - n(1));
  const Expr x = load("table", f32, {place, n(2)});
  return kernel("clamped", {"N"},
                {argument("at", index, Access::read, {p("N")}),
                 argument("table", f32, Access::read, {p("N"), n(3)}),
                 argument("out", f32, Access::written, {p("N")})},
                over_elements(16, store("out", {v("i")}, x * x + constant(f32, 1))), Floats::fast);
}

}  // namespace

TEST_CASE("places from data of 32 bits are gathered with 32-bit positions", "[halide]") {
  const Assembly narrow(clamped(i32), sapphirerapids), wide(clamped(i64), sapphirerapids);
  CHECK(narrow.count("vgatherdps") == 1);
  CHECK(wide.count("vgatherqps") == 2);
  for (const std::string wide_lanes :
       {"vgatherqps", "vpm(in|ax)[su]q.*zmm", "vpmullq", "vpmuludq"}) {
    INFO(wide_lanes);
    CHECK(narrow.count(wide_lanes) == 0);
  }
  CHECK(wide.count("vpm(in|ax)[su]q.*zmm") > 0);
}

TEST_CASE("places in an argument that may overlap another count from their common base",
          "[halide]") {
  const Expr at = cast(i64, cast(i32, load("at", f32, {v("i")})));
  Kernel shared = kernel(
      "shared", {"N"},
      {argument("at", f32, Access::read, {p("N")}), argument("table", f32, Access::read, {p("N")}),
       argument("out", f32, Access::written, {p("N")})},
      over_elements(
          16, store("out", {v("i")}, load("table", f32, {min(max(at, n(0)), p("N") - n(1))}))));
  shared.may_overlap = {{"at", "table"}};
  const JitKernel kernel(shared);
  constexpr std::int64_t size = 32;
  Array<float> both({size + 16}), out({size});
  for (std::int64_t x = 0; x < size + 16; ++x) both(x) = float(x * 7 % 37 - 2);
  const std::int64_t extents[] = {size};
  for (const std::int64_t of_table : {0, 16}) {
    strata_buffer buffers[2];
    strata_dimension dimensions[2];
    strata_buffer_init(&buffers[0], strata_float(32), both.data() + (16 - of_table), 1,
                       &dimensions[0], extents);
    strata_buffer_init(&buffers[1], strata_float(32), both.data() + of_table, 1, &dimensions[1],
                       extents);
    REQUIRE(kernel.call({size},
                        {strata_argument(&buffers[0]), strata_argument(&buffers[1]), out}) == 0);
    for (std::int64_t x = 0; x < size; ++x) {
      const float place = std::clamp(both(16 - of_table + x), 0.0f, float(size - 1));
      CHECK(out(x) == both(of_table + std::int64_t(place)));
    }
  }
}

}  // namespace strata::test::gather_test
