"""Tests bench.py on variants that are correct, wrong, crash, refuse or are missing.

    harness_test.py NAME=PROGRAM..

The programs are square.cpp as each of its variants.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCHMARKS))
import report  # noqa: E402

# All samples are taken and all variants are waited for, on the slowest machine too.
UNHURRIED = ["--seconds", "3600", "--patience", "3600"]
PROGRAMS = dict(argument.split("=", 1) for argument in sys.argv[1:])


def entry(variant, program=None, threads="any", kernel="square"):
    what = {"program": PROGRAMS[program]} if program else {"missing": "it was never written"}
    return {"kernel": kernel, "variant": variant, "threads": threads, **what}


class Run:
    """bench.py on these entries: status, output, records by (size, threads, variant)."""

    def __init__(self, entries, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            variants = folder / "variants.jsonl"
            variants.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
            done = subprocess.run(
                [sys.executable, "-B", BENCHMARKS / "bench.py", variants, folder, *UNHURRIED,
                 *arguments],
                capture_output=True, text=True, check=False)
            self.status, self.output = done.returncode, done.stdout + done.stderr
            written = folder / "bench.json"
            self.list = json.loads(written.read_text()) if written.exists() else []
            self.chart = (folder / "bench.svg").read_text() if written.exists() else ""
        self.records = {(r["size"], r["threads"], r["variant"]): r for r in self.list}


def with_ours(program):
    return Run([entry("strata", program), entry("gcc", "right")], "--quick", "--threads", "1")


class Harness(unittest.TestCase):
    def test_right_results_pass(self):
        run = Run([entry("strata", "right"), entry("gcc", "right", "one")], "--quick")
        self.assertEqual(run.status, 1)  # on two threads there is no gcc to compare with
        run = with_ours("right")
        self.assertEqual(run.status, 0, run.output)
        record = run.records["small", 1, "strata"]
        self.assertTrue(record["correct"])
        self.assertEqual(record["kernel"], "square")
        self.assertEqual(len(record["seconds"]), 3)
        self.assertTrue(all(seconds > 0 for seconds in record["seconds"]))

    def test_the_table_names_the_cpu(self):
        said = subprocess.run(["lscpu"], env=dict(os.environ) | {"LC_ALL": "C"}, check=True,
                              capture_output=True, text=True).stdout
        for what in ("Model name", "CPU family", "Model"):
            found = re.search(rf"^\s*{what}:\s+(.*)$", said, re.MULTILINE)
            if found:
                self.assertRegex(with_ours("right").output, rf"(?m)^on .*\b{re.escape(found[1])}")

    def test_wrong_results_are_told(self):
        for program, parts in (("off", (50, 1e9)), ("nan", (float("inf"),) * 2), ("late", (1, 1e9))):
            run = with_ours(program)
            self.assertEqual(run.status, 1, program)
            record = run.records["small", 1, "strata"]
            self.assertIs(record["correct"], False, program)
            self.assertTrue(parts[0] <= record["part_of_tolerance"] <= parts[1], record)
            self.assertTrue(run.records["small", 1, "gcc"]["correct"])
            self.assertIn("wrong: strata of square small, 1 thread", run.output)

    def test_a_variant_that_dies_or_refuses_leaves_the_others(self):
        for program, reason in (("dies", "ended with status -6"), ("refuses", "cannot do squares")):
            run = with_ours(program)
            self.assertEqual(run.status, 1, program)
            self.assertIn(reason, run.records["small", 1, "strata"]["error"])
            self.assertTrue(run.records["small", 1, "gcc"]["correct"])
            self.assertIn("FAILED: ", run.output)

    def require_missing(self, program, reason):
        run = Run([entry("strata", "right"), entry("gcc", "right"), entry("slow", program)],
                  "--quick", "--threads", "1", "--patience", "2")
        self.assertEqual(run.status, 0, run.output)
        self.assertNotIn(("small", 1, "slow"), run.records)
        self.assertIn(f"missing: slow, {reason}: square", run.output)

    def test_a_variant_that_is_late_counts_as_missing(self):
        self.require_missing("sleeps", "not ready within 2 s")

    def test_a_variant_of_which_one_run_takes_too_long_counts_as_missing(self):
        self.require_missing("hangs", "one run takes more than 2 s")

    def test_what_all_are_compared_with_may_take_longer(self):
        run = Run([entry("strata", "right"), entry("gcc", "crawls")],
                  "--quick", "--threads", "1", "--patience", "0.5", "--rounds", "1")
        self.assertTrue(run.records["small", 1, "gcc"]["correct"], run.output)

    def test_all_sizes_threads_and_missing_peers_are_told(self):
        run = Run([entry("strata", "right"), entry("gcc", "right"), entry("openmp", "right", "several"),
                   entry("polly", "right", "one"), entry("rival")])
        self.assertEqual(run.status, 0, run.output)
        told = {(size, threads) for size, threads, _ in run.records}
        self.assertEqual(told, {(s, t) for s in ("small", "large") for t in (1, 2)})
        self.assertIn(("small", 2, "openmp"), run.records)
        self.assertNotIn(("small", 1, "openmp"), run.records)
        self.assertNotIn(("small", 2, "polly"), run.records)
        self.assertIn("missing: rival, it was never written: square", run.output)
        ElementTree.fromstring(run.chart)

    def test_odd_sizes_are_compared(self):
        entries = [entry("strata", "right"), entry("gcc", "right")]
        run = Run(entries, "--odd", "3", "--threads", "1", "--rounds", "2")
        self.assertEqual(run.status, 0, run.output)
        sizes = {int(size) for size, _, _ in run.records}
        self.assertTrue(sizes and all(size % 2 == 1 for size in sizes), sizes)
        entries[0] = entry("strata", "off")
        self.assertEqual(Run(entries, "--odd", "1", "--threads", "1").status, 1)

    def test_only_takes_kernels_that_there_are(self):
        entries = [entry(v, "right", kernel=k) for k in ("square", "circle") for v in ("strata", "gcc")]
        run = Run(entries, "--quick", "--only", "circle")
        self.assertEqual({record["kernel"] for record in run.list}, {"circle"})
        self.assertEqual(Run(entries, "--only", "triangle").status, 2)


def record(variant, seconds, correct=True, threads=1, kernel="k"):
    return {"kernel": kernel, "size": "s", "threads": threads, "variant": variant,
            "seconds": seconds, "correct": correct}


class Report(unittest.TestCase):
    def test_ratios_are_of_medians_of_right_results(self):
        race = {r["variant"]: r for r in (record("strata", [1, 9, 2]), record("gcc", [8, 3, 100]),
                                          record("fast", [0.1], correct=False))}
        self.assertEqual(report.ratios(race), {"gcc": 4})
        race["strata"]["correct"] = False
        self.assertEqual(report.ratios(race), {})

    def test_the_table_has_means_over_kernels(self):
        records = [record("strata", [1]), record("gcc", [2]), record("strata", [1], kernel="l"),
                   record("gcc", [8], kernel="l")]
        rows = report.table(records, []).splitlines()
        self.assertEqual(rows[-1].split(), ["geometric", "mean", "1", "4.00"])

    def test_the_markdown_has_a_row_per_kernel_and_a_ratio_per_number_of_threads(self):
        records = [record(variant, [seconds], threads=threads)
                   for variant, threads, seconds in (("strata", 1, 1), ("strata", 2, 0.5),
                                                     ("gcc", 1, 2), ("gcc", 2, 2), ("omp", 2, 4))]
        rows = report.markdown(records).splitlines()
        self.assertEqual(rows[0], "| kernel | strata | gcc | omp |")
        self.assertEqual(rows[2:], ["| k s | 1 s / 500 ms | 2.00 / 4.00 | - / 8.00 |"])
        many = [dict(r, kernel=f"k{n}") for n in range(10) for r in records]
        self.assertEqual(report.markdown(many).splitlines()[-1],
                         "| **geometric mean, s** |  | 2.00 / 4.00 | - / 8.00 |")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
