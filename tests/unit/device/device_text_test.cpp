// What PTX says of a kernel for the driver's compiler.
#include "codegen/device/device_text.h"

#include <catch2/catch.hpp>

namespace strata::test::device_text_test {

TEST_CASE("a kernel in PTX says how many threads a block has", "[halide][gpu]") {
  const std::string text = ".visible .entry k_a_3(\n .param .u64 k_a_3_param_0\n)\n{\n";
  CHECK(device::with_kernel(text, {"k_a_3", "f", {32, 4, 1}}) ==
        ".visible .entry f(\n .param .u64 f_param_0\n)\n.maxntid 32, 4, 1\n{\n");
  CHECK(device::with_kernel(text, {"k_a_3", "f", {32, 4, 1}, 2}) ==
        ".visible .entry f(\n .param .u64 f_param_0\n)\n.maxntid 32, 4, 1\n.minnctapersm 2\n{\n");
  CHECK(device::with_kernel("kernel void k_a_3(int n)", {"k_a_3", "f", {32, 4, 1}, 2}) ==
        "kernel void f(int n)");
}

TEST_CASE("arguments in constant memory, the smallest first, as far as there is room", "[halide]") {
  const std::string define = "#define __address_space_";
  const std::string text = define + "_a __global\n" + define + "_b __global\n" + define +
                           "_ab __global\nkernel void f(__address_space__a int *a);\n";
  CHECK(device::with_constant_buffers(text, {}) == text);
  CHECK(device::with_constant_buffers(text, {{"_a", 64}, {"_c", 8}, {"_b", 12}}) ==
        "#if 84 <= MAX_CONSTANT_BUFFER_SIZE && 2 < MAX_CONSTANT_ARGS\n" + define +
            "_a __constant\n#else\n" + define + "_a __global\n#endif\n" +
            "#if 20 <= MAX_CONSTANT_BUFFER_SIZE && 1 < MAX_CONSTANT_ARGS\n" + define +
            "_b __constant\n#else\n" + define + "_b __global\n#endif\n" + define +
            "_ab __global\nkernel void f(__address_space__a int *a);\n");
}

}  // namespace strata::test::device_text_test
