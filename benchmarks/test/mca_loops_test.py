"""Tests how benchmarks/mca counts instances and finds loops, on hand-made texts. The expected
counts are those of a plain loop."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mca"))
import assembly  # noqa: E402
import loop_text  # noqa: E402


def sums(number, register="zmm", first=2):
    return [f"vfmadd231ps %{register}0, %{register}1, %{register}{n}"
            for n in range(first, first + number)]


TREE = """commands:
  nothing
loops:
// read a[0 : N]
kernel(int64 N, int64 M, float32 a, float32 c) {
  c[0] = 0.0f32;  // first()
  for x in 0 .. M - 5 {
    c[0] = 0.0f32;  // some()
  }
  for i in 0 .. N {
    c[i] = 0.0f32;  // init(i)
    for j in i / 2 .. N - 1 {
      vector for lane in 0 .. 8 /* full 8 */ {
        c[i] = load float32 c[i];  // long(i, j, lane)
      }
      other[i] = 1;  // same instance
    }
  }
  if (M >= N && N % 2 == 0) {
    parallel for t in max(0, M - 7) .. min(M, 4 * N) {
      allocate float32 sums[0 : 8];
      unrolled for u in 0 .. 4 /* full 4 */ {
        if (u >= t % 3) {
          c[u] = 2.0f32;  // short(t, u)
        } else {
          mask (t >= 3) {
            c[u] = 3.0f32;  // other(t, u)
          }
        }
      }
    }
  }
}
"""


def plain_counts(n, m):
    """TREE as a plain loop."""
    counts = {None: 1, "x": max(0, m - 5), "i": 0, "j": 0, "t": 0}
    for i in range(n):
        counts["i"] += 1
        for _ in range(i // 2, n - 1):
            counts["j"] += 8
    if m >= n and n % 2 == 0:
        for t in range(max(0, m - 7), min(m, 4 * n)):
            for u in range(4):
                counts["t"] += 1 if u >= t % 3 or t >= 3 else 0
    return {loop: number for loop, number in counts.items() if number}


class Counts(unittest.TestCase):
    def test_counts_of_a_plain_loop(self):
        for n in (0, 1, 2, 5, 6):
            for m in (0, 3, 6, 20):
                root, _ = loop_text.parsed(TREE)
                counts = root.counts({"N": n, "M": m})
                self.assertEqual({k: v for k, v in counts.items() if v}, plain_counts(n, m), (n, m))

    def test_the_hottest_loop_and_those_around_it(self):
        names, share = loop_text.hottest(TREE, {"N": 100, "M": 3})
        counts = plain_counts(100, 3)
        self.assertEqual(names, ["j", "i"])
        self.assertAlmostEqual(share, counts["j"] / sum(counts.values()))
        self.assertEqual(loop_text.hottest(TREE, {"N": 2, "M": 8})[0], ["t"])

    def test_what_cannot_be_counted(self):
        for text, values, reason in (
                ("no loops here", {}, "not a loop tree"),
                (TREE, {"N": 3}, "no value for a parameter.*M"),
                (TREE, {"N": 0, "M": 0}, "no loop executes an instance at N = 0, M = 0"),
                (TREE + "}\n", {"N": 3, "M": 3}, "brace too many"),
                (TREE.replace("0 .. N {", "0 .. load int32 n[] {"), {"N": 3, "M": 3}, "on data")):
            with self.assertRaisesRegex(loop_text.TextError, reason):
                loop_text.hottest(text, values)


ASSEMBLY = """	.text
kernel:                                 # @kernel
# %bb.0:                                # %entry
	xorl	%eax, %eax
.LBB0_1:                                # %"1_for_step.i"
                                        # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_2 Depth 2
	xorl	%ecx, %ecx
	.p2align	4
.LBB0_2:                                # %"2_for_step.k"
                                        #   Parent Loop BB0_1 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovups	(%rdi,%rcx), %zmm0              # a comment
INNER
	cmpq	%rdx, %rcx
	jne	.LBB0_2
# %bb.3:                                # %"2_end_for_step.k"
                                        #   in Loop: Header=BB0_1 Depth=1
	incq	%rax
	jne	.LBB0_1
.LBB0_4:                                # %"2_for_step.k.us"
                                        # =>This Inner Loop Header: Depth=1
	vfmadd231ps	%zmm0, %zmm1, %zmm2
	testb	$1, %cl
	je	.LBB0_6
# %bb.5:                                # %then_bb
                                        #   in Loop: Header=BB0_4 Depth=1
	vfmadd231ps	%zmm0, %zmm1, %zmm3
.LBB0_6:                                # %after_bb
                                        #   in Loop: Header=BB0_4 Depth=1
	jne	.LBB0_4
.LBB0_7:                                # %"9_for_step.k"
                                        # =>This Inner Loop Header: Depth=1
	vfmadd231ps	%zmm0, %zmm1, %zmm2
	vfmadd231ps	%zmm0, %zmm1, %zmm3
	vfmadd231ps	%zmm0, %zmm1, %zmm4
	jne	.LBB0_7
# %bb.8:
	retq
""".replace("INNER", "\n".join("\t" + line for line in sums(1)))


class CompilerLoops(unittest.TestCase):
    def test_innermost_loops_with_all_their_blocks(self):
        loops = assembly.loops_of_compiler(ASSEMBLY)
        self.assertEqual([(loop.name, loop.blocks) for loop in loops],
                         [("2_for_step.k", 1), ("2_for_step.k.us", 3), ("9_for_step.k", 1)])
        self.assertEqual([line.split()[0] for line in loops[0].lines],
                         ["vmovups", "vfmadd231ps", "cmpq", "jne"])
        self.assertEqual(assembly.multiply_adds(loops[1].lines), 2)

    def test_the_first_version_and_in_it_most_multiply_adds(self):
        loops = assembly.loops_of_compiler(ASSEMBLY)
        self.assertEqual(assembly.loop_called(loops, "k").name, "2_for_step.k.us")
        self.assertIsNone(assembly.loop_called(loops, "i"))  # has a loop inside
        self.assertIsNone(assembly.loop_called(loops, "k_1"))


LIBRARY = """
0000000000001000 <some_kernel>:
    1000:      	xorl	%eax, %eax
    1002:      	vfmadd231ps	%xmm0, %xmm1, %xmm2
    1004:      	vfmadd231ps	%xmm0, %xmm1, %xmm3
    1006:      	vfmadd231ps	%xmm0, %xmm1, %xmm4
    1008:      	jne	0x1002 <some_kernel+0x2>
    100a:      	vmovups	(%rax), %zmm1
    100c:      	vfmadd231ps	%zmm0, %zmm1, %zmm2
    1010:      	je	0x1014 <some_kernel+0x14>
    1012:      	nop
    1014:      	decq	%rcx
    1016:      	jne	0x100c <some_kernel+0xc>
    1018:      	jmp	0x1002 <some_kernel+0x2>
    101a:      	retq
"""


class LibraryLoops(unittest.TestCase):
    def test_backward_jumps_with_none_inside(self):
        loops = assembly.loops_of_library(LIBRARY)
        self.assertEqual([len(loop.lines) for loop in loops], [4, 4])
        self.assertEqual(loops[0].lines[-1], "jne .Lat_1002")
        self.assertEqual([loop.blocks for loop in loops], [1, 2])

    def test_the_busiest_does_most_in_wide_registers(self):
        loop = assembly.busiest(assembly.loops_of_library(LIBRARY))
        self.assertEqual(loop.name, "some_kernel")
        self.assertEqual(loop.lines[0], "vfmadd231ps %zmm0, %zmm1, %zmm2")

    def test_no_loop(self):
        self.assertIsNone(assembly.busiest(assembly.loops_of_library("1000: retq\n")))


if __name__ == "__main__":
    unittest.main()
