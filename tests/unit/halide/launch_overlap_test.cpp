// Launches that no device code is made for.
#include "codegen/halide/product/compile.h"
#include "core/error.h"
#include "tests/unit/entry/kernels.h"

namespace strata::test::launch_overlap_test {

namespace {

// b(i) = a(i) for i < N, in a launch; a and b may be one memory.
Kernel copying() {
  const Expr N = p("N"), i = v("i");
  Kernel k = kernel(
      "f", {"N"}, {argument("a", i32, Access::read, {N}), argument("b", i32, Access::written, {N})},
      loop("i", n(0), N, store("b", {i}, load("a", i32, {i})), Processor::block), Floats::fast);
  k.body = make_stmt(Launch{"i", {N}, {1}, k.body});
  k.may_overlap = {{"a", "b"}};
  return k;
}

}  // namespace

TEST_CASE("arguments of a launch do not overlap", "[halide][gpu]") {
  try {
    compile({copying()}, "host-opencl", {"", "", "", ""});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == Code::E0502_code_generation_failed);
    CHECK(error.refusal().explanation ==
          "the arguments a and b may overlap, but a GPU has copies of them that do not");
    CHECK(error.refusal().mend == "give them buffers of their own, or run the loop on the CPU");
  }
}

}  // namespace strata::test::launch_overlap_test
