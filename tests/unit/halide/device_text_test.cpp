// What PTX says of a kernel for the driver's compiler.
#include "codegen/halide/passes/device_text.h"

#include <catch2/catch.hpp>

namespace strata::test::device_text_test {

TEST_CASE("a kernel in PTX says how many threads a block has", "[halide][gpu]") {
  const std::string text = ".visible .entry k_a_3(\n .param .u64 k_a_3_param_0\n)\n{\n";
  CHECK(halide::with_kernel(text, {"k_a_3", "f", {32, 4, 1}}) ==
        ".visible .entry f(\n .param .u64 f_param_0\n)\n.maxntid 32, 4, 1\n{\n");
  CHECK(halide::with_kernel(text, {"k_a_3", "f", {32, 4, 1}, 2}) ==
        ".visible .entry f(\n .param .u64 f_param_0\n)\n.maxntid 32, 4, 1\n.minnctapersm 2\n{\n");
  CHECK(halide::with_kernel("kernel void k_a_3(int n)", {"k_a_3", "f", {32, 4, 1}, 2}) ==
        "kernel void f(int n)");
}

}  // namespace strata::test::device_text_test
