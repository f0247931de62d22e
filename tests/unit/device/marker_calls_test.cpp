// Instructions in the place of calls of marker functions in PTX.
#include "codegen/device/marker_calls.h"

#include <catch2/catch.hpp>

#include "core/error.h"

namespace strata::test::marker_calls_test {

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
    const std::string text = device::with_instructions(head + body + tail, "f");
    const std::string begin = ".visible .entry f(\n)\n{\n";
    REQUIRE(text.substr(0, begin.size()) == begin);
    return text.substr(begin.size(), text.size() - begin.size() - tail.size());
  };
  const std::string copy = call("strata_cp_async_4", "%r5", "%r19");
  const std::string done = "\tcp.async.ca.shared.global \t[%r5], [%rd7+4], 4;\n";
  CHECK(made(load("%r19", "%rd7+4") + copy) == done);
  // ptxas refuses a constant as the place of a copy.
  CHECK(made(load("%r19", "%rd7") + call("strata_cp_async_16", "256", "%r19")) ==
        "\tmov.b32 \t%r20, 256;\n\tcp.async.cg.shared.global \t[%r20], [%rd7], 16;\n");
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

namespace {

// A matrix product, as the code generator prints it.
std::string product(const std::string& shape, const std::vector<std::string>& operands,
                    const std::string& result) {
  std::string text = "\t{ // callseq 0, 0\n";
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const std::string name = "param" + std::to_string(n);
    text +=
        "\t.param .b32 \t" + name + ";\n\tst.param.b32 \t[" + name + "], " + operands[n] + ";\n";
  }
  return text + "\t.param .align 16 .b8 \tretval0[16];\n\tcall.uni (retval0), strata_mma_" + shape +
         ", (param0, param1, ..);\n\tld.param.v2.b64 \t" + result +
         ", [retval0];\n\t} // callseq 0\n";
}

const std::vector<std::string> words{"%r1", "%r2", "%r3", "%r4", "%r5",
                                     "%r6", "%r7", "%r8", "%r9", "0f00000000"};

std::string with_product(const std::string& before, const std::string& call) {
  const std::string start = ".visible .entry f(\n)\n.maxntid 32, 2, 1\n{\n" + before;
  const std::string text = device::with_instructions(start + call + tail, "f");
  REQUIRE(text.substr(0, start.size()) == start);
  return text.substr(start.size(), text.size() - start.size() - tail.size());
}

}  // namespace

TEST_CASE("instructions replace the markers of matrix products", "[halide][gpu]") {
  const auto instruction = [](const std::string& name) {
    return "\t{\n\t.reg .b32 \td<4>;\n\t.reg .b32 \tx<10>;\n\tmov.b32 \tx9, 0f00000000;\n"
           "\tmma.sync.aligned." +
           name +
           " \t{d0, d1, d2, d3}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7, %r8, %r9, x9};\n"
           "\tmov.b64 \t%rd1, {d0, d1};\n\tmov.b64 \t%rd2, {d2, d3};\n\t}\n";
  };
  const std::string both = "{%rd1, %rd2}";
  CHECK(with_product("", product("m16n8k8_tf32", words, both)) ==
        instruction("m16n8k8.row.col.f32.tf32.tf32.f32"));
  CHECK(with_product("", product("m16n8k16_bf16", words, both)) ==
        instruction("m16n8k16.row.col.f32.bf16.bf16.f32"));
  CHECK(with_product("", product("m16n8k16_f16", words, both)) ==
        instruction("m16n8k16.row.col.f32.f16.f16.f32"));
  const std::string unexpected[] = {
      product("m8n8k4_f64", words, both), product("m16n8k16_f16", {"%r1", "%r2"}, both),
      product("m16n8k16_f16", words, "%rd1"),
      "\t{ // callseq 0, 0\n\tcall.uni (retval0), strata_mma_m16n8k16_f16, ();\n"};
  for (const std::string& call : unexpected) CHECK_THROWS_AS(with_product("", call), Error);
}

TEST_CASE("a matrix product where the threads of a warp part is refused", "[halide][gpu]") {
  const std::string call = product("m16n8k8_tf32", words, "{%rd1, %rd2}");
  const std::string guard = "\tmov.u32 \t%r1, %tid.x;\n\tsetp.gt.u32 \t%p1, %r1, ";
  const std::string branch = ";\n\t@%p1 bra \t$L__BB0_2;\n";
  CHECK(with_product(guard + "31" + branch, call + "$L__BB0_2:\n").find("mma.sync") !=
        std::string::npos);
  try {
    with_product(guard + "30" + branch, call + "$L__BB0_2:\n");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "error E0502 code generation failed\n  the text of the launches of f has a matrix "
          "product behind a branch that threads of a warp may take differently: @%p1 bra "
          "$L__BB0_2\n  to fix it: move conditions and bounds that depend on threads y and x "
          "out of the loops around it, or leave out mma\n");
  }
}

}  // namespace strata::test::marker_calls_test
