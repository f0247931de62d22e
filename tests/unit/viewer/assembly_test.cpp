// Inner loops of machine code, and the loops of the tree that they are.
#include "viewer/assembly.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>
#include <sstream>

#include "codegen/halide/product/compile.h"
#include "codegen/lower.h"
#include "schedule/finish.h"
#include "strata/strata.h"
#include "tests/folder.h"

namespace strata::test::assembly_test {

using Texts = std::vector<std::string>;

// Two nested loops, the outer of which has a block after the inner; a copy of an inner loop; a loop
// whose first block has another name.
const std::string text = R"(	.text
	.globl	kernel
kernel:                                 # @kernel
	.cfi_startproc
# %bb.0:                                # %entry
	pushq	%rbp
	.p2align	4
.LBB0_1:                                # %"1_for_step.i"
                                        # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_2 Depth 2
	xorl	%eax, %eax
.LBB0_2:                                # %"2_for_step.k1"
                                        #   Parent Loop BB0_1 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vaddps	(%rdi), %ymm0, %ymm0    # comment
	jne	.LBB0_4
# %bb.3:                                # %after_bb
                                        #   in Loop: Header=BB0_2 Depth=2
	incq	%rax
.LBB0_4:                                # %"2_end_for_step.k1"
                                        #   in Loop: Header=BB0_1 Depth=1
	decq	%rcx
	jne	.LBB0_1
.LBB0_5:                                # %"2_for_step.k13.us"
                                        # =>This Inner Loop Header: Depth=1
	nop
.LBB0_6:                                # %vector.body
                                        # =>This Inner Loop Header: Depth=1
	ud2
other:                                  # @other
.LBB1_1:                                # =>This Inner Loop Header: Depth=1
	retq
)";

TEST_CASE("inner loops have the instructions of all their blocks, and the variable of the first",
          "[assembly]") {
  const std::vector<viewer::AssemblyLoop> loops = viewer::inner_loops(text);
  REQUIRE(loops.size() == 4);
  CHECK(loops[0].function == "kernel");
  CHECK(loops[0].block == "2_for_step.k1");
  CHECK(loops[0].variable == "k1");
  CHECK(loops[0].lines ==
        Texts{".LBB0_2:", "vaddps (%rdi), %ymm0, %ymm0", "jne .LBB0_4", "incq %rax"});
  CHECK(loops[1].variable == "k1");  // not k13: the number says that it is a copy of loop 2
  CHECK(loops[1].lines == Texts{".LBB0_5:", "nop"});
  CHECK(loops[2].block == "vector.body");
  CHECK(loops[2].variable.empty());
  CHECK(loops[3].function == "other");
  CHECK(loops[3].variable.empty());
  CHECK(viewer::inner_loops("").empty());
}

TEST_CASE("a number with two variables is tied to neither", "[assembly]") {
  const std::string wrong = R"(kernel:
.LBB0_1:                                # %"7_for_step.i"
                                        # =>This Inner Loop Header: Depth=1
	nop
.LBB0_2:                                # %"7_end_for_step.j"
	retq
)";
  const auto loops = viewer::inner_loops(wrong);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].variable.empty());
}

TEST_CASE("comments of other back ends are not labels of functions", "[assembly]") {
  const std::string text_of_arm = R"(kernel:                                 // @kernel
// %bb.0:                               // %entry
	nop
.LBB0_1:                                // %"1_for_step.i"
                                        // =>This Inner Loop Header: Depth=1
// %bb.2:                               // %after_bb
                                        //   in Loop: Header=BB0_1 Depth=1
	add	x0, x0, #1              // comment
)";
  const auto loops = viewer::inner_loops(text_of_arm);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].function == "kernel");
  CHECK(loops[0].lines == Texts{".LBB0_1:", "add x0, x0, #1"});
}

TEST_CASE("PTX in the data of the host's code has inner loops of its own", "[assembly]") {
  const std::string ptx =
      R"(// \"PTX\"\n.target sm_80\n.visible .entry launch_0(\n)\n{\n// %bb.0:\t// %entry\n)"
      R"($L__BB0_1:\t// %\"1_for_step.k0\"\n\t// =>This Inner Loop Header: Depth=1\n)"
      R"(\tadd.s64 \t%rd1, %rd1, 1;\n\001)";
  const std::string with_device = R"(kernel:
.LBB0_1:                                # %"1_for_step.n"
                                        # =>This Inner Loop Header: Depth=1
	incq	%rax
)"
                                  "\t.asciz\t\"" +
                                  ptx + "\"\n\t.asciz\t\"kernel\"\n";
  const auto loops = viewer::inner_loops(with_device);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].function == "kernel");
  CHECK(loops[0].variable == "n");
  CHECK(loops[1].function == "launch_0");
  CHECK(loops[1].variable == "k0");
  REQUIRE(loops[1].lines.size() >= 2);
  CHECK(loops[1].lines[0] == "$L__BB0_1:");
  CHECK(loops[1].lines[1] == "add.s64  %rd1, %rd1, 1;");
}

void add_variables(const Stmt& stmt, std::multiset<std::string>& variables) {
  if (const auto* loop = std::get_if<For>(&stmt)) variables.insert(loop->variable);
  for_each_inside(stmt, [&](const StmtPtr& inside) { add_variables(*inside, variables); });
}

TEST_CASE("each inner loop that the back end makes is one of the kernel's, by name", "[assembly]") {
  Function f("f");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N), j("j", 0, M);
  Input x = f.input("x", f32, {N, M});
  Computation y = f.computation("y", {i, j}, x(i, j) * 2.0f);
  y.tile(i, j, 8, 16, Var("i0"), Var("j0"), Var("i1"), Var("j1"));
  y.parallelize(Var("i0")).vectorize(Var("j1"), 8);
  const Kernel kernel = lower(finished(f.program(), {"x", "y"}, {}), {{"x", "y"}});
  REQUIRE(kernel.fallback);
  std::multiset<std::string> variables;
  for (const StmtPtr& body : bodies(kernel)) add_variables(*body, variables);
  for (const std::string& variable : variables) CHECK(variables.count(variable) == 1);

  const Folder folder;
  const std::string path = folder / "f.s";
  compile({kernel}, "x86-64-v3", {"", "", path, ""});
  std::ostringstream assembly;
  assembly << std::ifstream(path).rdbuf();
  const auto loops = viewer::inner_loops(assembly.str());
  CHECK(loops.size() >= 2);
  for (const viewer::AssemblyLoop& loop : loops) {
    INFO(loop.block);
    CHECK(variables.count(loop.variable) == 1);
    CHECK(loop.lines.size() > 1);
  }
}

}  // namespace strata::test::assembly_test
