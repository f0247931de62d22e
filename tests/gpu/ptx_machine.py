"""An interpreter of the PTX that kernels have, for one thread after the other.

A thread runs until it waits: at a barrier for its block, at mma.sync for the 32 threads of its
warp, all of which must come to the same instruction.  A register is a number, the bits that it
holds.  Fragments of matrices are those of the tables of the PTX ISA ("Matrix fragments for
mma.m16n8k8", "mma.m16n8k16").  What is not known here is an error.
"""

import re
import struct

WARP = 32


def signed(bits, width):
    """The number that the bits are in two's complement."""
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def float_of(bits):
    """A float32 of its bits."""
    return struct.unpack("<f", struct.pack("<I", bits & 0xffffffff))[0]


def bits_of(value):
    """The bits of a float32, to which the value is rounded."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


def half_of(bits):
    """A float16 of its bits."""
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def brain_of(bits):
    """A bfloat16 of its bits."""
    return float_of(bits << 16)


def tf32_of(bits):
    """What tensor cores read: the 13 last bits are not there."""
    return float_of(bits & ~0x1fff)


def rounded_to_tf32(bits):
    """cvt.rna: to nearest in 10 bits of fraction, ties away from zero."""
    return (bits + 0x1000) & ~0x1fff & 0xffffffff


class Wrong(Exception):
    """What the kernel must not do, or this interpreter does not know."""


def places_a(width, lane):
    """Row and column of each element of A that the lane has: width elements in a word."""
    group, member = lane // 4, lane % 4
    return [(group + 8 * (word % 2), width * member + 4 * width * (word // 2) + e)
            for word in range(4) for e in range(width)]


def places_b(width, lane):
    """Of B."""
    group, member = lane // 4, lane % 4
    return [(width * member + 4 * width * word + e, group)
            for word in range(2) for e in range(width)]


def places_c(lane):
    """Of C and D."""
    group, member = lane // 4, lane % 4
    return [(group, 2 * member), (group, 2 * member + 1),
            (group + 8, 2 * member), (group + 8, 2 * member + 1)]


def elements(words, read, width):
    """The elements of registers, from the low half up."""
    if width == 1:
        return [read(word) for word in words]
    return [read(half) for word in words for half in (word & 0xffff, word >> 16)]


def product(operation, lanes):
    """The words of D for each lane, of those of A, B and C."""
    kind = operation.split(".")[7]
    read, width, depth = {"tf32": (tf32_of, 1, 8), "bf16": (brain_of, 2, 16),
                          "f16": (half_of, 2, 16)}[kind]
    shape = f"m16n8k{depth}"
    if operation != f"mma.sync.aligned.{shape}.row.col.f32.{kind}.{kind}.f32":
        raise Wrong(operation)
    a, b, c = {}, {}, {}
    for lane, (words_a, words_b, words_c) in enumerate(lanes):
        a.update(zip(places_a(width, lane), elements(words_a, read, width), strict=True))
        b.update(zip(places_b(width, lane), elements(words_b, read, width), strict=True))
        c.update(zip(places_c(lane), map(float_of, words_c), strict=True))
    if (len(a), len(b), len(c)) != (16 * depth, 8 * depth, 128):
        raise Wrong("the fragments of the lanes are not the matrices")
    d = {(i, j): c[i, j] + sum(a[i, k] * b[k, j] for k in range(depth))
         for i in range(16) for j in range(8)}
    return [[bits_of(d[place]) for place in places_c(lane)] for lane in range(WARP)]


INTEGER = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul.lo": lambda x, y: x * y,
           "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
           "shl": lambda x, y: x << y, "shr": lambda x, y: x >> y, "min": min, "max": max}
COMPARED = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y,
            "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}
NUMBER = re.compile(r"-?\d+$")


def split_operands(text):
    """Operands; those of vectors, and places in memory, are one each."""
    return [part.strip() for part in re.findall(r"\{[^}]*\}|\[[^]]*\]|[^,{}\[\]]+", text)
            if part.strip()]


class Kernel:
    """The instructions of one kernel: predicate, operation, operands; and where labels are."""

    def __init__(self, text):
        self.name = re.search(r"\.visible \.entry (\w+)\(", text)[1]
        body = text[text.index("{", text.index(".maxntid")):]
        self.block = [int(n) for n in re.search(r"\.maxntid (\d+), (\d+), (\d+)", text).groups()]
        self.code, self.labels = [], {}
        for line in body.splitlines():
            line = line.split("//")[0].strip()
            if label := re.match(r"(\$\w+):$", line):
                self.labels[label[1]] = len(self.code)
            elif found := re.match(r"(@!?%\w+)?\s*([a-z][\w.]*)\s*(.*);$", line):
                self.code.append((found[1], found[2], split_operands(found[3])))


    def written(self):
        """The arguments whose memory is written: those that addresses of stores come from."""
        sources = {}
        for _ in range(2):  # what is set in a loop is known in the second round
            for _, _, operands in self.code:
                if operands and not operands[0].startswith("["):
                    names = re.findall(r"%\w+|_param_\d+", " ".join(operands[1:]))
                    for register in re.findall(r"%\w+", operands[0]):
                        known = sources.setdefault(register, set())
                        for name in names:
                            known |= {int(name[7:])} if name[0] == "_" else sources.get(name, set())
        return {number for _, operation, operands in self.code
                if operation.startswith("st.global") for register in re.findall(r"%\w+", operands[0])
                for number in sources[register]}


class Thread:
    """The registers and the place of one thread."""

    def __init__(self, machine, block, index):
        self.machine, self.block = machine, block
        self.registers = {f"%{name}.{axis}": values[at]
                          for name, values in (("tid", index), ("ctaid", block.index),
                                               ("ntid", machine.kernel.block))
                          for at, axis in enumerate("xyz")}
        self.at = 0
        self.run = self.steps()

    def read(self, operand, width=64):
        """The bits of a register or a constant."""
        if operand in self.registers:
            return self.registers[operand] & ((1 << width) - 1)
        if operand.startswith("0f"):
            return int(operand[2:], 16)
        if NUMBER.match(operand):
            return int(operand) & ((1 << width) - 1)
        raise Wrong(f"{operand} has no value")

    def read_list(self, operand):
        """Of {a, b, ..}."""
        return [self.read(part.strip(), 32) for part in operand.strip("{}").split(",")]

    def place(self, operand):
        """The address in [register+offset]."""
        base, _, offset = operand.strip("[]").partition("+")
        return (self.read(base) + int(offset or 0)) & ((1 << 64) - 1)

    def steps(self):
        """Runs; yields what the thread waits for."""
        code = self.machine.kernel.code
        while True:
            predicate, operation, operands = code[self.at]
            self.at += 1
            if predicate and (self.read(predicate.lstrip("@!"), 1) == 0) != ("!" in predicate):
                continue
            if operation == "ret":
                return
            if operation.startswith("bra"):
                self.at = self.machine.kernel.labels[operands[0]]
            elif operation.startswith("bar.sync"):
                yield ("barrier", self.at)
            elif operation.startswith("mma."):
                d, *others = operands
                words = yield (operation, self.at, [self.read_list(list_) for list_ in others])
                self.registers.update(zip(self.names(d), words, strict=True))
            else:
                self.do(operation, operands)

    @staticmethod
    def names(operand):
        """The registers of {a, b, ..}."""
        return [part.strip() for part in operand.strip("{}").split(",")]

    def do(self, operation, operands):
        """One instruction that sets registers or memory."""
        name, _, kind = operation.rpartition(".")
        width = int(re.sub(r"\D", "", kind) or 1)
        if name.startswith(("ld.", "st.")):
            self.touch(name, width // 8, operands)
        elif operation.startswith("cp.async."):
            self.copy(operation, operands)
        elif operation.startswith("mov.b64") and "{" in "".join(operands):
            self.pack(*operands)
        else:
            self.registers[operands[0]] = self.value(operation, name, kind, width, operands[1:])

    def pack(self, to, source):
        """mov.b64 between a register and two halves."""
        if to.startswith("{"):
            low, high = self.names(to)
            bits = self.read(source)
            self.registers.update({low: bits & 0xffffffff, high: bits >> 32})
        else:
            low, high = self.read_list(source)
            self.registers[to] = low | high << 32

    def value(self, operation, name, kind, width, operands):
        """The bits that an instruction of a row of this table makes."""
        def numbers(count=None, width_=width):
            bits = [self.read(x, width_) for x in operands[:count]]
            return [signed(x, width_) for x in bits] if kind[0] == "s" else bits
        mask = (1 << width) - 1
        if name in ("mov", "cvta.to.global", "cvta.to.shared"):
            return numbers(1)[0] & mask
        if name == "cvt.rna.tf32":
            return rounded_to_tf32(self.read(operands[0], 32))
        if name.startswith("cvt.") and kind[0] in "su":
            to = int(re.sub(r"\D", "", name))
            return numbers(1)[0] & ((1 << to) - 1)
        if name in ("mul.wide", "mad.wide"):
            x, y = numbers(2)
            return (x * y + (self.read(operands[2]) if name[1] == "a" else 0)) & (mask << width | mask)
        if name == "mad.lo":
            x, y, z = numbers()
            return (x * y + z) & mask
        if name == "selp":
            return self.read(operands[0 if self.read(operands[2], 1) else 1], width)
        if name.startswith("setp.") and kind[0] in "sub":
            return int(COMPARED[name.split(".")[1]](*numbers()))
        if name in INTEGER and kind[0] in "subp" and kind != "f32":
            if name.startswith("sh"):
                return INTEGER[name](numbers(1)[0], min(self.read(operands[1], 32), 64)) & mask
            return INTEGER[name](*numbers()) & mask
        raise Wrong(f"{operation} is not known")

    def touch(self, name, size, operands):
        """A load or store, of a vector, too."""
        space = name.split(".")[1]
        to, place = operands if name.startswith("ld.") else reversed(operands)
        registers = self.names(to)
        if space == "param":
            self.registers[to] = self.machine.arguments[int(re.search(r"_param_(\d+)", place)[1])]
            return
        memory = self.block.shared if space == "shared" else self.machine.memory
        at = self.place(place)
        if at % (size * len(registers)) or at + size * len(registers) > len(memory):
            raise Wrong(f"{name} at {at}")
        for n, register in enumerate(registers):
            part = slice(at + n * size, at + (n + 1) * size)
            if name.startswith("ld."):
                self.registers[register] = int.from_bytes(memory[part], "little")
            else:
                memory[part] = self.read(register, 8 * size).to_bytes(size, "little")

    def copy(self, operation, operands):
        """cp.async, which is done at once."""
        if operation.endswith("wait_all"):
            return
        to, source, size = self.place(operands[0]), self.place(operands[1]), int(operands[2])
        if to % size or source % size:
            raise Wrong(f"{operation} from {source} to {to}")
        self.block.shared[to:to + size] = self.machine.memory[source:source + size]


class Block:
    """The threads of one block."""

    def __init__(self, machine, index):
        self.index, self.shared = index, bytearray(48 * 1024)
        x, y, z = machine.kernel.block
        self.threads = [Thread(machine, self, (a, b, c))
                        for c in range(z) for b in range(y) for a in range(x)]

    def run(self):
        """Until all threads have ended."""
        while True:
            waits = [next(thread.run, None) for thread in self.threads]
            for first in range(0, len(waits), WARP):
                warp = slice(first, first + WARP)
                while any(wait and wait[0] != "barrier" for wait in waits[warp]):
                    waits[warp] = self.multiply(first, waits[warp])
            if not any(waits):
                return
            if any(wait != waits[0] for wait in waits):
                raise Wrong("not all threads of a block come to a barrier")

    def multiply(self, first, waits):
        """A product of a warp; what its threads wait for next."""
        if len(waits) != WARP or any(not wait or wait[:2] != waits[0][:2] for wait in waits):
            raise Wrong("not all threads of a warp come to a product")
        words = product(waits[0][0], [wait[2] for wait in waits])
        after = []
        for thread, mine in zip(self.threads[first:first + WARP], words, strict=True):
            try:
                after.append(thread.run.send(mine))
            except StopIteration:
                after.append(None)
        return after


class Machine:
    """A kernel with its arguments: buffers in one memory, from address 256 on."""

    def __init__(self, kernel, buffers):
        self.kernel = kernel
        self.memory, self.arguments, self.places = bytearray(256), [], []
        for data in buffers:
            self.arguments.append(len(self.memory))
            self.places.append(slice(len(self.memory), len(self.memory) + len(data)))
            self.memory += bytes(data) + bytes(-len(data) % 256)

    def run(self, grid):
        """All blocks; what is in the buffers afterwards."""
        for y in range(grid[1]):
            for x in range(grid[0]):
                Block(self, (x, y, 0)).run()
        return [bytes(self.memory[place]) for place in self.places]
