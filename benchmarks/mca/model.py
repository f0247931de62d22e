"""Cycles of a loop in llvm-mca's model of a CPU, and of parts of it alone."""

import re
import shutil
import subprocess

from assembly import MULTIPLY_ADD

STEADY = 50  # iterations before the steady state, and in it
PROGRAMS = ("llvm-mca-19", "llvm-mca")
MEMORY = re.compile(r"((?:%[a-z]s:)?-?\w*\([^)]*\))(\s*\{1to\d+\})?")
VECTOR = re.compile(r"%([xyz])mm\d+")


class ModelError(Exception):
    """llvm-mca is missing, or does not know the CPU or an instruction."""


def program():
    for name in PROGRAMS:
        if path := shutil.which(name):
            return path
    raise ModelError("there is no llvm-mca on PATH: install Debian's package llvm-19")


class Model:
    """cycles(lines) of a loop in its steady state; throughput(lines): without its chains."""

    def __init__(self, cpu, triple):
        self.cpu, self.triple, self.known = cpu, triple, {}

    def _run(self, lines, iterations):
        key = ("\n".join(lines), iterations)
        if key not in self.known:
            self.known[key] = self._ask(*key)
        return self.known[key]

    def _ask(self, text, iterations):
        done = subprocess.run(
            [program(), f"-mtriple={self.triple}", f"-mcpu={self.cpu}",
             f"-iterations={iterations}", "-instruction-info=0", "-resource-pressure=0"],
            input=text + "\n", capture_output=True, text=True, check=False)
        if "not a recognized processor" in done.stdout + done.stderr:
            raise ModelError(f"this llvm-mca does not know the CPU {self.cpu}: it needs LLVM 19")
        cycles = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
        bound = re.search(r"Block RThroughput:\s+([\d.]+)", done.stdout)
        if done.returncode or not cycles or not bound:
            said = next((line for line in done.stderr.splitlines() if "error" in line), "no cycles")
            raise ModelError(f"llvm-mca for {self.cpu}: {said}")
        return int(cycles.group(1)), float(bound.group(1))

    def cycles(self, lines):
        return (self._run(lines, 2 * STEADY)[0] - self._run(lines, STEADY)[0]) / STEADY

    def throughput(self, lines):
        return self._run(lines, STEADY)[1] if lines else 0.0


def multiply_adds_alone(lines):
    """The multiply-adds of a loop, on registers: a memory operand is replaced."""
    return [in_register(line) for line in lines if MULTIPLY_ADD.match(line)]


def in_register(line):
    vector = VECTOR.search(line)
    return MEMORY.sub(f"%{vector.group(1)}mm0", line, count=1) if vector else line


def loads_alone(lines):
    """The loads of a loop into vector registers, without what is done with them; reloads from the
    stack do not count."""
    return [load for line in lines if (load := load_of(line))]


def load_of(line):
    mnemonic, operands = (line.split(None, 1) + [""])[:2]
    if "%" in operands:
        return x86_load(mnemonic, operands)
    return arm_load(mnemonic, operands)


def x86_load(mnemonic, operands):
    memory, vector = MEMORY.search(operands), VECTOR.search(operands)
    if not memory or not vector or on_stack(operands) or is_last(memory, operands):
        return None  # no load, a reload, or a store
    if re.match(r"v?(mov|pmov|broadcast|pbroadcast|gather|pgather|ldd|cvt)", mnemonic):
        return f"{mnemonic} {operands}"
    if memory.group(2):
        wide = "vbroadcastsd" if mnemonic.endswith(("pd", "q")) else "vbroadcastss"
        return f"{wide} {memory.group(1)}, {vector_register(operands)}"
    if mnemonic.endswith(("ss", "sd")):
        return f"vmov{mnemonic[-2:]} {memory.group(1)}, {vector_register(operands)}"
    return f"vmovups {memory.group(1)}, {vector_register(operands)}"


def is_last(memory, operands):
    """Is the memory operand the destination? A mask may follow it."""
    rest = operands[memory.end():].strip()
    return not rest or rest.startswith("{%")


def vector_register(operands):
    return f"%{VECTOR.search(operands).group(1)}mm0"


def arm_load(mnemonic, operands):
    if not re.match(r"ld", mnemonic) or on_stack(operands):
        return None
    return f"{mnemonic} {operands}" if re.match(r"\s*(\{\s*)?[bhsdqvz]\d", operands) else None


X86_ARITHMETIC = re.compile(
    r"v(?:p?(?:add|sub|mul|min|max|avg|abs|and|or|xor|sll|srl|sra|madd)|div|sqrt|cvt"
    r"|fn?m(?:add|sub))")
ARM_ARITHMETIC = re.compile(
    r"f(?:add|sub|mul|div|mla|mls|madd|msub|nm|max|min|sqrt|abs|neg|cvt)|[us]?(?:r?h)?"
    r"(?:add|sub|mul|mla|mls|max|min|abd|shl|shr)|[us]cvtf")


def work_alone(lines):
    """The loads, the vector arithmetic and the stores of a loop: no moves, shuffles, spills,
    addresses and tests."""
    return [in_register(line) if on_stack(line) else line for line in lines if is_work(line)]


def on_stack(line):
    return "(%rsp" in line or "[sp" in line


def is_work(line):
    mnemonic, operands = (line.split(None, 1) + [""])[:2]
    if "%" in operands:
        memory, vector = MEMORY.search(operands), VECTOR.search(operands)
        is_store = memory and vector and is_last(memory, operands)
        is_arithmetic = vector and X86_ARITHMETIC.match(mnemonic)
    else:
        vector = re.match(r"(\{\s*)?[bhsdqvz]\d", operands)
        is_store = vector and mnemonic.startswith("st")
        is_arithmetic = vector and ARM_ARITHMETIC.match(mnemonic)
    return bool(load_of(line) or is_arithmetic or (is_store and not on_stack(line)))
