"""One variant of a benchmark, in its own process (benchmarks/common/process.h)."""

import os
import pathlib
import select
import subprocess

OPENCL = pathlib.Path(__file__).resolve().parent.parent / ".venv-bench/lib/libintelocl.so"


def environment(threads):
    """Environment variables that tell each library its number of threads and the instruction set."""
    result = dict(os.environ)
    result.update({
        "OMP_NUM_THREADS": str(threads),
        "OMP_PROC_BIND": "true",  # else the first parallel regions migrate between cores
        "OPENBLAS_NUM_THREADS": str(threads),
        "HL_NUM_THREADS": str(threads),
    })
    if OPENCL.exists():
        # oneDNN's CPU engine is a device of this OpenCL runtime, which is not registered anywhere.
        result.setdefault("OCL_ICD_FILENAMES", str(OPENCL))
    # The caller's OpenBLAS settings may be for another machine, and by itself OpenBLAS uses kernels
    # for AVX2 on a CPU model that it does not know.
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        result.pop(name, None)
    with open("/proc/cpuinfo", encoding="ascii") as cpu:
        if " avx512f " in cpu.read():
            result["OPENBLAS_CORETYPE"] = "SkylakeX"
    return result


def cores(threads):
    """The last `threads` cores available to this process: the first ones serve interrupts."""
    return set(sorted(os.sched_getaffinity(0))[-threads:])


LONGEST_RUN = 600  # seconds; longer runs count as hanging


class Failed(Exception):
    """The process refused, exited, or was killed."""


class Late(Exception):
    """Not ready in time (an autoscheduler may search for hours), or too slow to be timed."""


class Variant:
    """Starts at once; methods wait for the answers of the process."""

    def __init__(self, entry, size, threads):
        self.name = entry["variant"]
        # As many cores as threads, so that a library that counts cores starts no more threads.
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
            raise Failed(f"it printed {word!r} instead of 'ready'")
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
            pass  # its output from before it exited is still read

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
