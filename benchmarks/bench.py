"""Times each kernel in all its variants and compares their results.

    bench.py VARIANTS FOLDER [--quick | --odd N] [--only NAME].. [--threads N,..]

VARIANTS is the list that the build writes, one JSON object per line: kernel, variant, threads (one,
several, any) and program, with its environment, or the reason why it is missing. Writes
FOLDER/bench.json, FOLDER/bench.svg and FOLDER/bench.md. Exit status 1 if a result is wrong or a
variant fails, 2 for an unknown kernel; a variant that is not ready in time, or whose single run
takes too long, counts as missing.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import report
from variant import LONGEST_RUN, Failed, Late, Variant

REFERENCE = "gcc"
SAMPLE_SECONDS = 0.03  # the least length of a sample: short runs are repeated
WARM_SECONDS = 0.1     # shorter samples are preceded by a warm-up that does not count
LEAST_ROUNDS = 2       # even if they exceed the time budget
PAUSE_SECONDS = 0.1    # after each sample, so that threads that wait by spinning fall asleep


def fits(threads, number):
    return threads == "any" or (threads == "one") == (number == 1)


def sizes_of(program):
    return subprocess.run([program, "--sizes"], check=True, capture_output=True,
                          text=True).stdout.split()


def odd_sizes(program, number):
    """Small odd sizes, to compare results: there most tiles and vectors are partial."""
    first = subprocess.run([program, "--numbers"], check=True, capture_output=True,
                           text=True).stdout.split(",")
    draw = random.Random(pathlib.Path(program).name)
    return [",".join(str(draw.randrange(7, max(8, min(int(n), 61) + 1), 2)) for n in first)
            for _ in range(number)]


class Race:
    """The variants of one kernel, size and number of threads, each with its record."""

    def __init__(self, kernel, size, threads, entries, folder):
        self.reference = pathlib.Path(folder) / "reference"
        self.operations = 0
        self.running, self.records, self.late = {}, {}, []
        for entry in sorted(entries, key=lambda entry: entry["variant"] != REFERENCE):
            name = entry["variant"]
            self.records[name] = {"kernel": kernel, "size": size, "threads": threads,
                                  "variant": name, "seconds": [], "correct": False}
            self.running[name] = Variant(entry, size, threads)

    def run(self, rounds, budget, patience):
        """One sample of each variant per round, so that noise affects all variants alike."""
        try:
            self._each(lambda variant: setattr(self, "operations", variant.operations(
                LONGEST_RUN if variant.name == REFERENCE else patience)))
            first = {}
            self._each(lambda variant: first.update({variant.name: self._first(variant, patience)}))
            self._each(self._check)
            runs = {name: max(1, math.ceil(SAMPLE_SECONDS / max(seconds, 1e-9)))
                    for name, seconds in first.items()}
            start = time.monotonic()
            for done in range(rounds):
                if done >= LEAST_ROUNDS and time.monotonic() - start > budget:
                    break
                self._shuffle(done)
                self._each(lambda variant: self._sample(variant, runs[variant.name]))
            self._each(self._check)
        finally:
            for variant in self.running.values():
                variant.close()
        return list(self.records.values())

    def _shuffle(self, seed):
        """The variant after a single-threaded one finds a sleeping core: vary which one that is."""
        names = sorted(self.running)
        random.Random(seed).shuffle(names)
        self.running = {name: self.running[name] for name in names}

    def _each(self, ask):
        for name, variant in list(self.running.items()):
            try:
                ask(variant)
            except Late as late:
                record = self.records.pop(name)
                self.late.append({"kernel": record["kernel"], "variant": name,
                                  "missing": str(late)})
                self.running.pop(name).close()
            except (Failed, ValueError) as error:
                self.records[name].update(correct=False, error=str(error))
                self.running.pop(name).close()

    def _first(self, variant, patience):
        """Seconds of the first run; no time limit for the reference."""
        alone = variant.name == REFERENCE
        return variant.seconds(1) if alone else variant.seconds_of_first(patience)

    def _check(self, variant):
        record = self.records[variant.name]
        if variant.name == REFERENCE and not self.reference.exists():
            variant.write(self.reference)
        part = variant.part_of_tolerance(self.reference)
        record["correct"] = part <= 1 and ("part_of_tolerance" not in record or record["correct"])
        record["part_of_tolerance"] = max(part, record.get("part_of_tolerance", 0))

    def _sample(self, variant, runs):
        record = self.records[variant.name]
        if not record["seconds"] or record["seconds"][-1] * runs < WARM_SECONDS:
            variant.seconds(runs)
        record["seconds"].append(variant.seconds(runs))
        time.sleep(PAUSE_SECONDS)


def race_all(entries, arguments):
    """The records, and the variants that were too slow."""
    records, late = [], []
    for kernel in dict.fromkeys(entry["kernel"] for entry in entries):
        present = [e for e in entries if e["kernel"] == kernel and "program" in e]
        sizes = sizes_of(present[0]["program"])
        if arguments.odd:
            sizes = odd_sizes(present[0]["program"], arguments.odd)
        for size in sizes[:1] if arguments.quick else sizes:
            for threads in arguments.threads:
                racing = [entry for entry in present if fits(entry["threads"], threads)]
                with tempfile.TemporaryDirectory() as folder:
                    race = Race(kernel, size, threads, racing, folder)
                    made = race.run(arguments.rounds or (3 if arguments.quick else 11),
                                    arguments.seconds or (5 if arguments.quick else 30),
                                    arguments.patience)
                print(report.lines_of_race(made, race.operations), flush=True)
                records += made
                late += race.late
    return records, late


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("variants", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="the first size, fewer samples")
    parser.add_argument("--odd", type=int, metavar="N", help="N small odd sizes of each kernel")
    parser.add_argument("--only", action="append", metavar="NAME", help="a kernel; repeatable")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, with commas",
                        type=lambda text: [int(number) for number in text.split(",")])
    parser.add_argument("--rounds", type=int, help="samples of each variant, at most")
    parser.add_argument("--seconds", type=float,
                        help="after which no further samples are taken of a kernel at a size")
    parser.add_argument("--without", action="append", default=[], metavar="VARIANT",
                        help="left out, and named as missing; repeatable")
    parser.add_argument("--patience", type=float, default=60,
                        help="seconds that a variant may take until it is ready, and for one run")
    return parser.parse_args()


def main():
    arguments = parsed()
    entries = [json.loads(line) for line in arguments.variants.read_text().splitlines() if line]
    unknown = set(arguments.only or []) - {entry["kernel"] for entry in entries}
    if unknown:
        print(f"no such kernel: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    for entry in entries:
        if entry["variant"] in arguments.without:
            entry.pop("program", None)
            entry["missing"] = "left out with --without"
    if arguments.only:
        entries = [entry for entry in entries if entry["kernel"] in arguments.only]
    records, late = race_all(entries, arguments)
    missing = [entry for entry in entries if "missing" in entry] + late
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "bench.json").write_text(report.as_json(records))
    (arguments.folder / "bench.svg").write_text(report.chart(records))
    (arguments.folder / "bench.md").write_text(report.markdown(records))
    print(report.table(records, missing))
    return 0 if all(record["correct"] for record in records) else 1


if __name__ == "__main__":
    sys.exit(main())
