"""One variant of a benchmark, in a process of its own (benchmarks/common/process.h)."""

import os
import pathlib
import select
import subprocess

OPENCL = pathlib.Path(__file__).resolve().parent.parent / ".venv-bench/lib/libintelocl.so"


def environment(threads):
    """What tells each library how many threads it has, and which code this machine can run."""
    result = dict(os.environ)
    result.update({
        "OMP_NUM_THREADS": str(threads),
        "OMP_PROC_BIND": "true",  # else the first parallel regions wander between the cores
        "OPENBLAS_NUM_THREADS": str(threads),
        "HL_NUM_THREADS": str(threads),
    })
    if OPENCL.exists():
        # oneDNN's engine for the CPU is a device of this runtime, which is installed nowhere.
        result.setdefault("OCL_ICD_FILENAMES", str(OPENCL))
    # What the shell says of OpenBLAS may be for another machine, and of itself it takes kernels for
    # AVX2 where it does not know the model of a CPU.
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        result.pop(name, None)
    with open("/proc/cpuinfo", encoding="ascii") as cpu:
        if " avx512f " in cpu.read():
            result["OPENBLAS_CORETYPE"] = "SkylakeX"
    return result


def cores(threads):
    """The last `threads` cores that this process may use: the first ones serve interrupts."""
    return set(sorted(os.sched_getaffinity(0))[-threads:])


LONGEST_RUN = 600  # seconds; whatever takes longer hangs


class Failed(Exception):
    """The process said no, ended, or was killed."""


class Late(Exception):
    """Not ready in time, since an autoscheduler may search for hours; or too slow to be timed."""


class Variant:
    """Started at once; `ready` and all answers are waited for."""

    def __init__(self, entry, size, threads):
        self.name = entry["variant"]
        # On as many cores as threads, a library that counts cores makes no more threads.
        self.process = subprocess.Popen(
            [entry["program"], size, str(threads)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(threads) | entry.get("environment", {}),
            preexec_fn=lambda: os.sched_setaffinity(0, cores(threads)))

    def operations(self, patience):
        if not self._speaks_within(patience):
            raise Late(f"not ready within {patience:g} s")
        word, _, number = self._line().partition(" ")
        if word != "ready":
            raise Failed(f"it said {word!r} where it had to be ready")
        return float(number)

    def seconds(self, runs):
        return float(self._ask(f"run {runs}"))

    def seconds_of_first(self, patience):
        self._tell("run 1")
        if not self._speaks_within(patience):
            raise Late(f"one run takes more than {patience:g} s")
        return float(self._line())

    def write(self, file):
        self._ask(f"write {file}")

    def part_of_tolerance(self, file):
        return float(self._ask(f"compare {file}"))

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def _ask(self, line):
        self._tell(line)
        return self._line()

    def _tell(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # what it said before it ended is still to be read

    def _speaks_within(self, seconds):
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def _line(self):
        if not self._speaks_within(LONGEST_RUN):
            raise Failed(f"no answer within {LONGEST_RUN} s")
        line = self.process.stdout.readline()
        if not line:
            said = self.process.stderr.read().strip()
            raise Failed(said or f"ended with status {self.process.wait()}")
        return line.rstrip("\n")
