"""Writes perceptron.onnx: y = w2 relu(w1 x + b1) for any batch, without other packages.

    perceptron.py FILE

The weights are small integers, w[i, j] = (3 i + 5 j) % 7 - 3, so that sums are exact.
"""

import struct
import sys

FLOAT, INPUTS, HIDDEN, OUTPUTS = 1, 8, 16, 4


def varint(value):
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def field(number, value):
    """An integer, a text or a message, as protocol buffers have it."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, rows, columns):
    values = [(3 * i + 5 * j) % 7 - 3 for i in range(rows) for j in range(columns)]
    return (field(1, rows) + field(1, columns) + field(2, FLOAT) + field(8, name) +
            field(9, struct.pack(f"<{len(values)}f", *values)))


def value(name, columns):
    dims = field(1, field(2, "batch")) + field(1, field(1, columns))
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, dims)))


def node(operator, inputs, output):
    return b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, operator)


def model():
    nodes = [node("MatMul", ["x", "w1"], "h"), node("Add", ["h", "b1"], "s"),
             node("Relu", ["s"], "r"), node("MatMul", ["r", "w2"], "y")]
    weights = [tensor("w1", INPUTS, HIDDEN), tensor("b1", 1, HIDDEN),
               tensor("w2", HIDDEN, OUTPUTS)]
    graph = (b"".join(field(1, n) for n in nodes) + field(2, "perceptron") +
             b"".join(field(5, w) for w in weights) +
             field(11, value("x", INPUTS)) + field(12, value("y", OUTPUTS)))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))


with open(sys.argv[1], "wb") as file:
    file.write(model())
