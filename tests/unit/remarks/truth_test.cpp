// What remarks say is so in the machine code, for AVX2 with FMA.
#include <strata/strata.h>

#include "tests/unit/halide/assembly.h"
#include "tests/unit/remarks/programs.h"

namespace strata::test::truth_of_remarks_test {

namespace {

struct Found {
  std::size_t remarks;
  int instructions;
};

Found found(const std::string& kind, const Function& f, const std::vector<std::string>& arguments,
            const std::string& pattern, Floats floats = Floats::fast) {
  Kernel kernel = kernel_of(f.program(), arguments);
  kernel.floats = floats;
  Remarks all = remarks(kernel, *f.program().algorithm, {machine("x86-64-v3")});
  std::erase_if(all, [&](const Remark& r) { return r.kind != kind; });
  return {all.size(), Assembly(kernel).count(pattern)};
}

}  // namespace

TEST_CASE("truth of remarks: operands on the stack", "[remarks][halide]") {
  for (const int taps : {6, 14, 17, 20, 40}) {
    Function f("f");
    const Param N = f.param("N");
    const Var i("i", 0, N), k("k", 0, taps), block("block"), lane("lane");
    const Input in = f.input("in", f32, {N + taps}), w = f.input("w", f32, {taps});
    Computation c = f.computation("c", {i}, sum(k, in(i + k) * w(k)));
    c.split(i, 8, block, lane).interchange(lane, k).vectorize(lane).unroll(k);
    const Found there = found("operand on the stack", f, {"in", "w", "c"}, "v.*\\(%rsp\\).*%ymm");
    INFO(taps);
    CHECK((there.instructions > 0) == (there.remarks == 1));
    CHECK((taps > 14) == (there.remarks == 1));
  }
}

TEST_CASE("truth of remarks: bytes of interleaved data", "[remarks][halide]") {
  for (const bool interleaved : {true, false}) {
    Function f("f");
    const Param N = f.param("N"), M = f.param("M");
    const Var i("i", 0, N), j("j", 0, M);
    const Input in = interleaved ? f.input("in", u8, {N, M, 3}) : f.input("in", u8, {N, 3, M});
    const auto at = [&](int c) { return interleaved ? in(i, j, c) : in(i, c, j); };
    f.computation("S", {i, j}, (at(0) & at(1)) ^ at(2)).vectorize(j, 16);
    const Found there = found("interleaved bytes", f, {"in", "S"}, "v?pinsrb");
    CHECK((there.remarks == 1) == interleaved);
    CHECK((there.instructions > 0) == interleaved);
  }
}

TEST_CASE("truth of remarks: functions of scalars", "[remarks][halide]") {
  for (const Floats floats : {Floats::exact, Floats::fast}) {
    Function f("f");
    const Param N = f.param("N");
    const Var i("i", 0, N);
    const Input in = f.input("in", f32, {N});
    f.computation("S", {i}, asin(in(i))).vectorize(i, 8);
    const bool scalar = floats == Floats::exact;
    CHECK(found("scalar call", f, {"in", "S"}, "", floats).remarks == (scalar ? 1 : 0));
    CHECK((found("", f, {"in", "S"}, ".*strata_avx2_asinf", floats).instructions > 0) == !scalar);
  }
}

}  // namespace strata::test::truth_of_remarks_test
