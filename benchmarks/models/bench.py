"""Models by Strata beside other runtimes: interleaved, compared, as ratios.

    python bench.py [--only NAME].. [--threads 1,2] [--rounds N] [--seconds S]
                    [--model FILE INPUTS]..

Variants: strata-bytes (what build does), strata-c (the same as a C library), strata-ops (FuseOps
alone), strata-none (a kernel for each operator), onnxruntime, openvino, apache-tvm, iree; those
that are not installed are left out. Each runs in a process of its own; they take turns, and the
least time of all turns counts. A ratio above 1 says that strata-bytes is faster. Results may differ
from onnxruntime's by 1e-5 of the largest one; a variant that differs more is an error.

A --model is a file, and an archive of numpy with its inputs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import cases
import numpy as np

HERE = Path(__file__).parent
VARIANTS = ["strata-bytes", "strata-c", "strata-ops", "strata-none", "onnxruntime", "openvino",
            "apache-tvm", "iree"]


class Worker:
    """A process with one variant of a model."""

    def __init__(self, variant: str, model: Path, inputs: Path, threads: int):
        self.variant = variant
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(HERE / "worker.py"), variant, str(model), str(inputs),
             str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        line = self.process.stdout.readline()
        self.said = json.loads(line) if line else None
        self.error = "" if line else self.process.stderr.read().strip().splitlines()[-1]

    def ask(self, command: str) -> str:
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def difference(workers: list[Worker], folder: Path) -> dict[str, float]:
    """The largest difference of each result from onnxruntime's, or else from the first one's,
    relative to the largest value."""
    results = {}
    for worker in workers:
        file = folder / f"{worker.variant}.npy"
        worker.ask(f"result {file}")
        results[worker.variant] = np.load(file)
    wanted = results.get("onnxruntime", next(iter(results.values())))
    scale = float(np.abs(wanted).max()) or 1.0
    return {variant: float(np.abs(result.reshape(wanted.shape) - wanted).max()) / scale
            for variant, result in results.items()}


def measured(name: str, model: Path, inputs: Path, threads: int, options: argparse.Namespace,
             folder: Path) -> dict[str, object]:
    workers = [Worker(variant, model, inputs, threads) for variant in VARIANTS]
    for worker in workers:
        if worker.said is None and "No module named" not in worker.error:
            print(f"  {name}: {worker.variant}: {worker.error}", file=sys.stderr)
    workers = [worker for worker in workers if worker.said is not None]
    wrong = {v: d for v, d in difference(workers, folder).items() if d > 1e-5}
    times = {worker.variant: float("inf") for worker in workers}
    for _ in range(options.rounds):
        for worker in workers:
            times[worker.variant] = min(times[worker.variant],
                                        float(worker.ask(str(options.seconds))))
    said = {worker.variant: worker.said for worker in workers}
    for worker in workers:
        worker.close()
    return {"name": name, "threads": threads, "times": times, "said": said, "wrong": wrong}


def print_row(row: dict[str, object]) -> None:
    times = row["times"]
    own = times.get("strata-bytes", float("nan"))
    cells = [f"{times[v] / own:8.2f}" if v in times else "       -" for v in VARIANTS[1:]]
    said = row["said"].get("strata-bytes", {"prepare": float("nan"), "kernels": 0})
    wrong = f"  WRONG: {row['wrong']}" if row["wrong"] else ""
    print(f"{row['name']:28} {row['threads']:3} {own * 1e3:10.3f} {' '.join(cells)} "
          f"{said['kernels']:8} {said['prepare']:8.2f}{wrong}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Models by Strata beside other runtimes.")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--model", nargs=2, action="append", default=[])
    options = parser.parse_args()
    unknown = set(options.only) - set(cases.CASES)
    if unknown:
        parser.error(f"there is no model {unknown.pop()}; known: {', '.join(cases.CASES)}")
    short = [v.removeprefix("strata-") for v in VARIANTS[1:]]
    print(f"{'model':28} {'thr':>3} {'bytes, ms':>10} {' '.join(f'{v[:8]:>8}' for v in short)} "
          f"{'kernels':>8} {'CPU s':>8}")
    wrong = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = []
        for case in options.only or ([] if options.model else cases.CASES):
            cases.write(case, folder)
            models.append((case, folder / f"{case}.onnx", folder / f"{case}.npz"))
        models += [(Path(m).stem, Path(m), Path(i)) for m, i in options.model]
        for threads in map(int, options.threads.split(",")):
            for model in models:
                row = measured(*model, threads, options, folder)
                wrong |= bool(row["wrong"])
                print_row(row)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
