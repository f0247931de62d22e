"""Tests benchmarks/mca on hand-made code and loops. The expected cycles are the CPUs' published
ones: Skylake-SP has two 512-bit multiply-add units and two load ports, latency 4; Haswell's
multiply-adds have latency 5; Neoverse V1 has four 128-bit units.

    mca_test.py GENERATOR

GENERATOR is matmul_generator."""

import io
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCHMARKS / "mca"))
import mca  # noqa: E402
import model  # noqa: E402
from mca_loops_test import ASSEMBLY, sums  # noqa: E402

GENERATOR = sys.argv.pop(1)
SKYLAKE = model.Model("skylake-avx512", "x86_64")
HASWELL = model.Model("haswell", "x86_64")
NEOVERSE = model.Model("neoverse-v1", "aarch64")


def ratio(lines, machine, alone=model.multiply_adds_alone):
    return machine.throughput(alone(lines)) / machine.cycles(lines)


class Models(unittest.TestCase):
    def test_independent_multiply_adds_fill_both_units(self):
        self.assertAlmostEqual(SKYLAKE.cycles(sums(16)), 8, delta=0.1)
        self.assertAlmostEqual(ratio(sums(16), SKYLAKE), 1, delta=0.02)
        self.assertAlmostEqual(ratio(sums(10, "ymm"), HASWELL), 1, delta=0.02)

    def test_few_sums_wait_for_each_other(self):
        self.assertAlmostEqual(ratio(sums(1), SKYLAKE), 0.5 / 4, delta=0.01)
        self.assertAlmostEqual(ratio(sums(4), SKYLAKE), 2 / 4, delta=0.01)
        self.assertAlmostEqual(ratio(sums(5, "ymm"), HASWELL), 2.5 / 5, delta=0.01)

    def test_four_units_of_128_bits(self):
        lines = [f"fmla v{n}.4s, v0.4s, v1.4s" for n in range(2, 18)]
        self.assertAlmostEqual(ratio(lines, NEOVERSE), 1, delta=0.02)
        self.assertAlmostEqual(NEOVERSE.cycles(lines), 4, delta=0.1)

    def test_what_else_the_units_do_costs(self):
        shuffles = [f"vpermps %zmm0, %zmm1, %zmm{n}" for n in range(20, 28)]  # only on port 5
        self.assertAlmostEqual(ratio(sums(16) + shuffles, SKYLAKE), 8 / 12, delta=0.02)

    def test_a_memory_operand_does_not_count_as_a_multiply_add(self):
        lines = [f"vfmadd231ps {64 * n}(%rax), %zmm1, %zmm{n + 2}" for n in range(8)]
        lines += [f"vmovups {64 * n}(%rbx), %zmm{n + 12}" for n in range(8)]
        self.assertAlmostEqual(ratio(lines, SKYLAKE), 4 / 8, delta=0.02)  # 16 loads on two ports

    def test_loads_alone(self):
        lines = [f"vaddpd {64 * n}(%rax), %zmm1, %zmm{n + 2}" for n in range(8)]
        self.assertAlmostEqual(ratio(lines, SKYLAKE, model.loads_alone), 1, delta=0.02)
        more = [f"vaddpd %zmm0, %zmm1, %zmm{n + 12}" for n in range(8)]
        self.assertAlmostEqual(ratio(lines + more, SKYLAKE, model.loads_alone), 4 / 8, delta=0.02)

    def test_work_alone(self):
        lines = ["vmovups (%rax), %zmm1", "vaddpd 64(%rax), %zmm1, %zmm2", "vmulpd %zmm0, %zmm2, "
                 "%zmm3", "vmovups %zmm3, (%rbx)"]
        waste = ["vmovups 8(%rsp), %zmm4", "vmovups %zmm4, 8(%rsp)", "vmovaps %zmm1, %zmm2",
                 "vpermpd %zmm4, %zmm5, %zmm6", "incq %rax"]
        self.assertEqual(model.work_alone(lines + waste + ["vaddpd 8(%rsp), %zmm1, %zmm2"]),
                         lines + ["vaddpd %zmm0, %zmm1, %zmm2"])
        # 16 results and 8 loads, on two ports each, and 4 stores on one.
        more = ([f"vaddpd {64 * n}(%rax), %zmm1, %zmm{n + 2}" for n in range(8)]
                + [f"vmulpd %zmm0, %zmm1, %zmm{n + 12}" for n in range(8)] + lines[3:] * 4)
        self.assertAlmostEqual(SKYLAKE.throughput(model.work_alone(more)), 8, delta=0.01)
        all_of_it = ["vcvtps2pd (%rax), %zmm1", "vxorpd %zmm1, %zmm1, %zmm1"]
        self.assertEqual(model.work_alone(all_of_it), all_of_it)
        arm = ["ldr q0, [x1]", "fadd v1.4s, v0.4s, v2.4s", "str q1, [x2]", "add x1, x1, #16",
               "str q1, [sp, #16]", "mov v1.16b, v2.16b"]
        self.assertEqual(model.work_alone(arm), arm[:3])

    def test_an_instruction_that_is_none(self):
        with self.assertRaisesRegex(model.ModelError, "skylake-avx512.*error"):
            SKYLAKE.cycles(["vfmadd231pz %zmm0, %zmm1, %zmm2"])


class Parts(unittest.TestCase):
    def test_loads(self):
        expected = {
            "vmovups\t-64(%r8), %zmm13": "vmovups -64(%r8), %zmm13",
            "vaddpd 8(%rax,%rcx,8), %ymm1, %ymm2": "vmovups 8(%rax,%rcx,8), %ymm0",
            "vmulps (%rdx){1to16}, %zmm1, %zmm2": "vbroadcastss (%rdx), %zmm0",
            "vmulpd (%rdx) {1to8}, %zmm1, %zmm2": "vbroadcastsd (%rdx), %zmm0",
            "vaddsd 16(%rax), %xmm1, %xmm2": "vmovsd 16(%rax), %xmm0",
            "vpmovzxbw (%rax), %zmm3": "vpmovzxbw (%rax), %zmm3",
            "vmovups %zmm1, (%rax)": None,
            "vmovups %zmm1, (%rax) {%k1}": None,
            "vmovups 64(%rsp), %zmm1": None,
            "vfmadd231ps %zmm0, %zmm1, %zmm2": None,
            "movq (%rax), %rcx": None,
            "leaq (%rax,%rcx), %rdx": None,
            "jne .LBB0_1": None,
            "ldp q0, q1, [x8, #32]": "ldp q0, q1, [x8, #32]",
            "ld1r { v0.4s }, [x9]": "ld1r { v0.4s }, [x9]",
            "ldr q1, [sp, #16]": None,
            "ldr x1, [x2]": None,
            "str q0, [x1]": None,
        }
        for line, load in expected.items():
            found = model.load_of(line)
            self.assertEqual(found and " ".join(found.split()), load, line)

    def test_multiply_adds_on_registers(self):
        lines = ["vfmadd231ps (%rax){1to16}, %zmm1, %zmm2", "vfnmadd213pd %ymm1, %ymm2, %ymm3",
                 "vaddps %zmm1, %zmm2, %zmm3", "fmla v1.4s, v2.4s, v3.s[0]",
                 "fmul v1.4s, v2.4s, v3.4s"]
        self.assertEqual(model.multiply_adds_alone(lines),
                         ["vfmadd231ps %zmm0, %zmm1, %zmm2", lines[1], lines[3]])


SMALL_TREE = """loops:
matmul(int64 N, int64 M, int64 K) {
  for i in 0 .. N {
    for k in 0 .. K {
      c[i] = 1;  // sums(i, k)
    }
  }
}
"""


class Tool(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def generator(self, lines, tree=SMALL_TREE):
        """A generator of sgemm that writes this code, the same for every target."""
        self.program("build/examples/matmul/matmul_generator",
                     f"cat > $1/matmul.s <<'END'\n{lines}\nEND\n"
                     f"cat > $1/matmul.txt <<'END'\n{tree}END\n")

    def run_tool(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = mca.main([str(self.folder / "build"), str(self.folder), *arguments])
        return status, out.getvalue(), err.getvalue()

    def records(self):
        return {record["variant"]: record
                for record in json.loads((self.folder / "mca.json").read_text())}

    def test_a_table(self):
        self.generator(ASSEMBLY.replace("\n".join("\t" + line for line in sums(1)),
                                        "\n".join("\t" + line for line in sums(16))))
        status, out, _ = self.run_tool("--only", "sgemm", "--cpu", "skylake-avx512", "--details")
        self.assertEqual(status, 0, out)
        ours = self.records()["strata"]
        self.assertEqual((ours["loop"], ours["multiply_adds"]), ("2_for_step.k", 16))
        self.assertEqual(ours["share"], 1)
        self.assertAlmostEqual(ours["ratio"], 1, delta=0.05)
        self.assertRegex(out, r"sgemm +strata +multiply-adds +(1\.00|0\.9\d)\n")
        self.assertIn("? openblas of sgemm, skylake-avx512: OpenBLAS's wheel is not in", out)
        self.assertIn("sgemm by strata, skylake-avx512: 2_for_step.k, 19 instructions", out)

    def test_an_object_without_the_loop(self):
        for lines, tree, reason in (
                ("matmul:\n\tretq", SMALL_TREE, "the object has no innermost loop over k, i"),
                (".LBB0_1: # %\"1_for_step.k\"\n # =>This Inner Loop Header: Depth=1\n\tnop\n",
                 SMALL_TREE, "its inner loop 1_for_step.k has no multiply-adds"),
                ("\tretq", "nothing\n", "this is not a loop tree")):
            self.generator(lines, tree)
            status, out, _ = self.run_tool("--only", "sgemm", "--cpu", "haswell")
            self.assertEqual(status, 1)
            self.assertIn(f"? strata of sgemm, haswell: {reason}", out)
            (self.folder / "mca" / "sgemm").rename(self.folder / f"done {reason[:9]}")

    def test_a_generator_that_is_missing_or_fails(self):
        status, out, _ = self.run_tool("--only", "sgemm", "--cpu", "haswell")
        self.assertEqual(status, 1)
        self.assertIn("matmul_generator is not built", out)
        self.program("build/examples/matmul/matmul_generator", "echo too tired >&2; exit 1\n")
        self.assertIn("its generator failed: too tired",
                      self.run_tool("--only", "sgemm", "--cpu", "haswell")[1])

    def test_a_real_generator(self):
        place = self.folder / "build/examples/matmul/matmul_generator"
        place.parent.mkdir(parents=True)
        shutil.copy(GENERATOR, place)
        status, out, _ = self.run_tool("--only", "sgemm", "--cpu", "haswell",
                                       "--cpu", "neoverse-v1")
        self.assertEqual(status, 0, out)
        for record in json.loads((self.folder / "mca.json").read_text()):
            if record["variant"] == "strata":
                # A product runs n^3 multiply-adds, in the loop over k, and moves 3 n^2 numbers.
                self.assertRegex(record["loop"], r"for_step\.k(_\d+)?$")
                self.assertGreater(record["share"], 0.9)
                self.assertGreater(record["multiply_adds"], 0)
                self.assertTrue(0 < record["ratio"] < 1.1, record)

    def generate(self, *parameters):
        done = subprocess.run([GENERATOR, *parameters], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_parameters_of_generators(self):
        self.assertEqual(self.generate(self.folder, "target=x86-64-linux-avx2-fma",
                                       "outputs=assembly"), (0, ""))
        text = (self.folder / "matmul.s").read_text()
        self.assertIn("%ymm", text)
        self.assertNotIn("%zmm", text)
        status, said = self.generate(self.folder, "target=i486")
        self.assertEqual(status, 1)
        self.assertIn("error E0501 unknown target", said)
        for wrong in ([], [self.folder, "outputs=pictures"], [self.folder, "targets=host"]):
            status, said = self.generate(*wrong)
            self.assertEqual(status, 2)
            self.assertIn("FOLDER [NAME=VALUE]..", said)

    def test_unknown_names(self):
        for arguments, reason in ((("--cpu", "i486"), "no such CPU: i486; known: skylake-avx512,"),
                                  (("--only", "tea"), "no such kernel: tea; known: sgemm,")):
            status, _, err = self.run_tool(*arguments)
            self.assertEqual(status, 2)
            self.assertIn(reason, err)

    def test_llvm_mca_is_missing_or_old(self):
        with mock.patch.dict(os.environ, PATH=str(self.folder)):
            status, _, err = self.run_tool("--cpu", "haswell")
            self.assertEqual(status, 2)
            self.assertIn("there is no llvm-mca on PATH: install Debian's package llvm-19", err)
        self.generator(ASSEMBLY)
        self.program("llvm-mca-19", "echo \"'znver4' is not a recognized processor\" >&2\n")
        with mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            status, out, _ = self.run_tool("--only", "sgemm", "--cpu", "znver4")
        self.assertEqual(status, 1)
        self.assertIn("this llvm-mca does not know the CPU znver4", out)


if __name__ == "__main__":
    unittest.main()
