"""The inner loops of other libraries, to be judged in the same model."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from assembly import busiest, loops_of_library

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import variant  # noqa: E402

DISASSEMBLERS = ("llvm-objdump-19", "llvm-objdump")


class PeerError(Exception):
    """A library, or what shows its code, is missing."""


def output_of(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise PeerError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
    return done.stdout


def first_on_path(names, package):
    for name in names:
        if path := shutil.which(name):
            return path
    raise PeerError(f"there is no {names[-1]} on PATH: install Debian's package {package}")


def openblas_loop(library, routine, cpu):
    """The loop with most multiply-adds in the kernel of this routine for the CPU."""
    if not pathlib.Path(library).is_file():
        raise PeerError("OpenBLAS's wheel is not in .venv-bench")
    symbol = f"{routine}_kernel_{cpu.openblas}"
    loop = busiest(loops_of_library(output_of(
        [first_on_path(DISASSEMBLERS, "llvm-19"), "--disassemble", "--no-show-raw-insn",
         f"--disassemble-symbols={symbol}", library])))
    if not loop:
        raise PeerError(f"OpenBLAS has no {symbol}")
    return loop


def onednn_loop(program, size, cpu):
    """The loop with most multiply-adds of the kernels that oneDNN writes at run time for the CPU,
    when this program of tools/bench runs. Only on a machine that has the CPU's instructions."""
    if not program.exists():
        raise PeerError("oneDNN's wheel is not in .venv-bench")
    with tempfile.TemporaryDirectory() as folder:
        output_of([program.resolve(), size, "1"], input="run 1\n", cwd=folder,
                  env=variant.environment(1) | {"ONEDNN_MAX_CPU_ISA": cpu.onednn,
                                                "ONEDNN_JIT_DUMP": "1"})
        loops = [loop for file in sorted(pathlib.Path(folder).glob("*.bin"))
                 for loop in loops_of_library(code_in(file))]
    loop = busiest(loops)
    widest = "%zmm" if cpu.onednn.startswith("AVX512") else "%ymm"
    if not loop or not any(widest in line for line in loop.lines):
        raise PeerError(f"oneDNN writes no code for {cpu.onednn} on this machine")
    return loop


def code_in(file):
    """The disassembly of a file that is nothing but code. Its functions have the file's name."""
    text = output_of([first_on_path(["objdump"], "binutils"), "--disassemble-all",
                      "--target=binary", "--architecture=i386:x86-64", "--no-show-raw-insn", file])
    kernel = re.sub(r"^dnnl_dump_\w+?_jit_|\.\d+\.bin$", "", file.name)
    return text.replace("<.data>:", f"<{kernel}>:")
