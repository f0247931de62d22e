// What PTX says of a kernel for the driver's compiler.
#include "codegen/halide/passes/device_text.h"

#include <catch2/catch.hpp>

#include "core/error.h"

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

TEST_CASE("arguments in constant memory, the smallest first, as far as there is room", "[halide]") {
  const std::string define = "#define __address_space_";
  const std::string text = define + "_a __global\n" + define + "_b __global\n" + define +
                           "_ab __global\nkernel void f(__address_space__a int *a);\n";
  CHECK(halide::with_constant_buffers(text, {}) == text);
  CHECK(halide::with_constant_buffers(text, {{"_a", 64}, {"_c", 8}, {"_b", 12}}) ==
        "#if 84 <= MAX_CONSTANT_BUFFER_SIZE && 2 < MAX_CONSTANT_ARGS\n" + define +
            "_a __constant\n#else\n" + define + "_a __global\n#endif\n" +
            "#if 20 <= MAX_CONSTANT_BUFFER_SIZE && 1 < MAX_CONSTANT_ARGS\n" + define +
            "_b __constant\n#else\n" + define + "_b __global\n#endif\n" + define +
            "_ab __global\nkernel void f(__address_space__a int *a);\n");
}

namespace {

// A call of a marker function, as the code generator prints it.
std::string call(const std::string& function, const std::string& to, const std::string& value) {
  return "\t{ // callseq 3, 0\n\t.param .b32 \tparam0;\n\tst.param.b32 \t[param0], " + to +
         ";\n\t.param .b32 \tparam1;\n\tst.param.b32 \t[param1], " + value +
         ";\n\t.param .b32 \tretval0;\n\tcall.uni (retval0), " + function +
         ", (param0, param1);\n\tld.param.b32 \t%r20, [retval0];\n\t} // callseq 3\n";
}

std::string load(const std::string& value, const std::string& place) {
  return "\tld.global.nc.b32 \t" + value + ", [" + place + "];\n";
}

const std::string head =
                      ".extern .func  (.param .b32 func_retval0) strata_cp_async_4\n(\n\t.param "
                      ".b32 strata_cp_async_4_param_0,\n\t.param .b32 strata_cp_async_4_param_1\n"
                      ")\n;\n.visible .entry f(\n)\n{\n",
                  tail = "\tret;\n\t\t// -- End function\n}\n";

}  // namespace

TEST_CASE("instructions replace the markers of asynchronous copies", "[halide][gpu]") {
  const auto made = [](const std::string& body) {
    const std::string text = halide::with_copy_instructions(head + body + tail, "f");
    const std::string begin = ".visible .entry f(\n)\n{\n";
    REQUIRE(text.substr(0, begin.size()) == begin);
    return text.substr(begin.size(), text.size() - begin.size() - tail.size());
  };
  const std::string copy = call("strata_cp_async_4", "%r5", "%r19");
  const std::string done = "\tcp.async.ca.shared.global \t[%r5], [%rd7+4], 4;\n";
  CHECK(made(load("%r19", "%rd7+4") + copy) == done);
  CHECK(made(load("%r19", "%rd7") + call("strata_cp_async_16", "256", "%r19")) ==
        "\tcp.async.cg.shared.global \t[256], [%rd7], 16;\n");
  CHECK(made("\t{ // callseq 4, 0\n\t.param .b32 \tretval0;\n\tcall.uni (retval0), "
             "strata_cp_async_wait_all, ();\n\tld.param.b32 \t%r21, [retval0];\n\t} // callseq "
             "4\n") == "\tcp.async.wait_all;\n");
  // The value of a load that others use, too, is still loaded.
  const std::string use = "\tst.global.b32 \t[%rd9], %r19;\n";
  CHECK(made(load("%r19", "%rd7+4") + copy + use) == load("%r19", "%rd7+4") + done + use);
  // Calls of other functions stay.
  const std::string other = call("somebody", "%r5", "%r19");
  CHECK(made(load("%r19", "%rd7") + other) == load("%r19", "%rd7") + other);
  // An address that is set once is the same everywhere, others only until they are set.
  const std::string first = "\tadd.s64 \t%rd7, %rd6, 8;\n", label = "$L__BB0_2:\n",
                    step = "\tadd.s64 \t%rd7, %rd7, 128;\n", loaded = load("%r19", "%rd7+4");
  CHECK(made(first + loaded + label + copy) == first + label + done);
  CHECK(made(first + label + loaded + copy + step) == first + label + done + step);
  const std::string far[] = {first + loaded + step + copy, first + loaded + label + copy + step,
                             first + copy, first + "\tmov.b32 \t%r19, 0;\n" + copy};
  for (const std::string& body : far) CHECK_THROWS_AS(made(body), Error);
}

}  // namespace strata::test::device_text_test
