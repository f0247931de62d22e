"""Products on tensor cores: PTX that an interpreter runs gives the product of the matrices.

    products_test.py FOLDER     of the kernels of products_generator
"""

import pathlib
import random
import re
import struct
import sys

from ptx_machine import Kernel, Machine, Wrong, float_of
from ptxas_test import ptx_of

# Rows and columns of C and of a block's part of it, and the steps of the k loop, in depths.
SIZES = {"tile": ((64, 16), (32, 8), 3), "block": ((256, 64), (128, 64), 4)}
DEPTH = {"tf32": 8, "bf16": 16, "f16": 16}
# The bits of a fraction with the one before it: integers of so many are exact.
BITS = {"tf32": 11, "bf16": 8, "f16": 11}


def packed(kind, value):
    """The bytes of an element in memory."""
    if kind == "f16":
        return struct.pack("<e", value)
    whole = struct.pack("<f", value)
    return whole[2:] if kind == "bf16" else whole


def rounded(kind, number):
    """An integer as the tensor cores have it: tf32 rounds, ties away from zero."""
    unit = 1 << max(abs(number).bit_length() - BITS[kind], 0)
    return (abs(number) + unit // 2) // unit * unit * (-1 if number < 0 else 1)


def drawn(rows, columns, most):
    """A matrix of integers."""
    return [[random.randint(-most, most) for _ in range(columns)] for _ in range(rows)]


def transposed(matrix):
    """Its columns as rows."""
    return [list(column) for column in zip(*matrix)]


def launched(text, name, a, b):
    """C, from the PTX."""
    what, kind, *columns = name.split("_")
    (rows, across), (block_rows, block_columns), _ = SIZES[what]
    b_in_memory = transposed(b) if columns or what == "block" else b
    data = [b"".join(packed(kind, x) for row in matrix for x in row) for matrix in (a, b_in_memory)]
    kernel = Kernel(text)
    (place,) = kernel.written()
    data.insert(place, bytes(4 * rows * across))
    made = Machine(kernel, data).run((across // block_columns, rows // block_rows))[place]
    numbers = [float_of(bits) for (bits,) in struct.iter_unpack("<I", made)]
    return [numbers[row * across:(row + 1) * across] for row in range(rows)]


def operands(name, most_a, most_b):
    """A and B for a kernel."""
    what, kind, *_ = name.split("_")
    (rows, across), _, steps = SIZES[what]
    depth = steps * DEPTH[kind]
    return drawn(rows, depth, most_a), drawn(depth, across, most_b)


def expected(kind, a, b):
    """The product by plain loops."""
    columns = [[rounded(kind, x) for x in column] for column in transposed(b)]
    return [[sum(rounded(kind, x) * y for x, y in zip(row, column)) for column in columns]
            for row in a]


def check(text, name):
    """Small and large numbers on both sides; those of tf32 have more bits than it keeps."""
    kind = name.split("_")[1]
    large = (1 << BITS[kind] + (2 if kind == "tf32" else 0)) - 1
    for most in ((large, 7), (7, large)) if name.startswith("tile") else ((large, 7),):
        a, b = operands(name, *most)
        if launched(text, name, a, b) != expected(kind, a, b):
            sys.exit(f"{name} is not the product")


def check_that_faults_are_found(text, name):
    """With other operands, or without a thread, the product is another one, or none."""
    a, b = operands(name, 7, 7)
    right = expected("tf32", a, b)
    swapped = re.sub(r"(mma\S+\s+\{.*?\}, \{%\w+, )(%\w+), (%\w+)", r"\1\3, \2", text)
    if swapped == text or launched(swapped, name, a, b) == right:
        sys.exit("operands in another order are not found")
    branch = "\tsetp.eq.s32 \t%p0, %tid.x, 3;\n\t@%p0 bra \t$end;\n"
    alone = text.replace("\tmma.sync", branch + "\tmma.sync")
    alone = alone.replace("\tret;", "$end:\n\tret;")
    try:
        launched(alone, name, a, b)
    except Wrong as wrong:
        if "not all threads of a warp come to a product" in str(wrong):
            return
        raise
    sys.exit("a thread that does not come is not found")


def main(folder):
    """Checks all kernels."""
    random.seed(1)
    files = [file for what in SIZES for file in sorted(pathlib.Path(folder).glob(what + "_*.o"))]
    if len(files) != 3 * len(DEPTH):
        sys.exit(f"kernels are missing: there are {', '.join(file.stem for file in files)}")
    for file in files:
        (text,) = ptx_of(file)
        check(text, file.stem)
        if file.stem == "tile_tf32":
            check_that_faults_are_found(text, file.stem)
    print(f"{len(files)} kernels give the product")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
