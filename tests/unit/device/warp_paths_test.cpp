// Where the threads of a warp take different ways through PTX.
#include "codegen/device/warp_paths.h"

#include <catch2/catch.hpp>

#include "codegen/device/text_lines.h"

namespace strata::test::warp_paths_test {

namespace {

// The branch that decides about the line "mark", in blocks of "threads" on the axes.
std::string decides(const std::string& body, const std::string& threads = "64, 4, 1") {
  const std::vector<std::string> lines = device::lines_of(
      ".visible .entry f(\n)\n.maxntid " + threads +
      "\n{\n\tld.param.b32 \t%r1, [f_param_0];\n\tmov.u32 \t%r2, %tid.x;\n" + body + "\tret;\n}\n");
  const std::vector<std::string> branches = device::parting_branches(lines);
  for (std::size_t n = 0; n < lines.size(); ++n)
    if (lines[n] == "\tmark;\n") return branches[n];
  return "no mark";
}

// The mark where "condition" holds.
std::string decides_under(const std::string& condition, const std::string& threads = "64, 4, 1") {
  return decides(condition + "\t@%p1 bra \t$L_1;\n\tmark;\n$L_1:\n", threads);
}

const std::string by_p1 = "@%p1 bra $L_1";

}  // namespace

TEST_CASE("all threads of a warp take a branch on what is the same for them", "[halide][gpu]") {
  const std::string same[] = {
      "\tsetp.lt.s32 \t%p1, %r1, 5;\n",
      "\tmov.u32 \t%r3, %ctaid.x;\n\tsetp.lt.s32 \t%p1, %r3, %r1;\n",
      "\tmov.u32 \t%r3, %tid.y;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tshr.u32 \t%r3, %r2, 5;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tcvt.u64.u32 \t%rd1, %r2;\n\tsetp.lt.u64 \t%p1, %rd1, 32;\n",
      "\tand.b32 \t%r3, %r2, 32;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tsetp.lt.u32 \t%p1, %r2, 32;\n",
      "\tsetp.gt.u32 \t%p1, %r2, 31;\n",
      "\tld.global.nc.b32 \t%r3, [%rd1+4];\n\tsetp.eq.s32 \t%p1, %r3, 0;\n"};
  for (const std::string& condition : same) {
    INFO(condition);
    CHECK(decides_under(condition) == "");
  }
}

TEST_CASE("threads of a warp part at a branch on what may differ", "[halide][gpu]") {
  const std::string different[] = {
      "\tsetp.lt.s32 \t%p1, %r2, 5;\n",
      "\tsetp.lt.s32 \t%p1, %r2, %r1;\n",
      "\tsetp.gt.u32 \t%p1, %r2, 32;\n",
      "\tshr.u32 \t%r3, %r2, 4;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tadd.s32 \t%r3, %r2, 1;\n\tshr.u32 \t%r4, %r3, 5;\n\tsetp.eq.s32 \t%p1, %r4, 0;\n",
      "\tcvt.u16.u32 \t%rs1, %r2;\n\tsetp.lt.u16 \t%p1, %rs1, 32;\n",
      "\tadd.s32 \t%r2, %r1, 1;\n\tsetp.lt.u32 \t%p1, %r2, 32;\n",
      "\tmov.b32 \t%r3, %laneid;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tmov.u64 \t%rd1, %clock64;\n\tsetp.eq.s64 \t%p1, %rd1, 0;\n",
      "\tmov.u32 \t%r3, %pm0;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tcvt.u64.u32 \t%rd1, %r2;\n\t{ .reg .b32 tmp; mov.b64 {tmp, %r3}, %rd1; }\n"
      "\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tld.shared.b32 \t%r3, [4];\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tld.param.b32 \t%r3, [retval0];\n\tsetp.eq.s32 \t%p1, %r3, 0;\n",
      "\tmul.wide.s32 \t%rd1, %r2, 4;\n\tld.global.nc.b32 \t%r3, [%rd1+4];\n"
      "\tsetp.eq.s32 \t%p1, %r3, 0;\n"};
  for (const std::string& condition : different) {
    INFO(condition);
    CHECK(decides_under(condition) == by_p1);
  }
  // Warps are on one axis only if its threads fill them.
  const std::string row = "\tmov.u32 \t%r3, %tid.y;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n";
  CHECK(decides_under(row, "16, 4, 1") == by_p1);
  CHECK(decides_under(row, "4, 8, 2") == by_p1);
  const std::string layer = "\tmov.u32 \t%r3, %tid.z;\n\tsetp.eq.s32 \t%p1, %r3, 0;\n";
  CHECK(decides_under(layer, "4, 8, 2") == "");
  CHECK(decides_under(layer, "64, 1, 2") == "");
  CHECK(decides_under(layer, "4, 4, 2") == by_p1);
  CHECK(decides_under("\tsetp.lt.u32 \t%p1, %r2, 32;\n", "48, 2, 1") == by_p1);
}

TEST_CASE("what a branch decides ends where its ways meet", "[halide][gpu]") {
  const std::string parting = "\tsetp.lt.s32 \t%p1, %r2, 5;\n\t@%p1 bra \t$L_1;\n";
  CHECK(decides(parting + "\tadd.s32 \t%r5, %r1, 1;\n$L_1:\n\tmark;\n") == "");
  CHECK(decides(parting + "\tbra.uni \t$L_2;\n$L_1:\n\tmark;\n$L_2:\n") == by_p1);
  // A thread that ends comes nowhere.
  CHECK(decides(parting + "\tret;\n$L_1:\n\tmark;\n") == by_p1);
  CHECK(decides("\tsetp.lt.s32 \t%p1, %r2, 5;\n\t@%p1 ret;\n\tmark;\n") == "@%p1 ret");
  // Neither what is set on one of the ways, nor the iterations of a loop, are the same afterwards.
  const std::string then = "\tmov.b32 \t%r3, 1;\n" + parting +
                           "\tmov.b32 \t%r3, 2;\n$L_1:\n\tsetp.eq.s32 \t%p2, %r3, 1;\n";
  CHECK(decides(then + "\t@%p2 bra \t$L_2;\n\tmark;\n$L_2:\n") == "@%p2 bra $L_2");
  const std::string loop = "\tmov.b32 \t%r3, 0;\n$L_1:\n\tadd.s32 \t%r3, %r3, 1;\n";
  const std::string after =
      "\t@!%p1 bra \t$L_1;\n\tsetp.eq.s32 \t%p2, %r3, 1;\n\t@%p2 bra "
      "\t$L_2;\n\tmark;\n$L_2:\n";
  CHECK(decides(loop + "\tsetp.gt.s32 \t%p1, %r3, %r1;\n" + after) == "");
  CHECK(decides(loop + "\tsetp.gt.s32 \t%p1, %r3, %r2;\n" + after) == "@%p2 bra $L_2");
  CHECK(decides(loop + "\tmark;\n\tsetp.gt.s32 \t%p1, %r3, %r2;\n\t@!%p1 bra \t$L_1;\n") ==
        "@!%p1 bra $L_1");
  // A branch by a table may go anywhere.
  CHECK(decides("\tbrx.idx \t%r2, $T;\n$L_1:\n\tmark;\n$L_2:\n") == "brx.idx %r2, $T");
  CHECK(decides("\tbrx.idx \t%r1, $T;\n$L_1:\n\tmark;\n$L_2:\n") == "");
}

}  // namespace strata::test::warp_paths_test
