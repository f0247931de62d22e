"""Writes ONNX files, after the wire format of protocol buffers and the numbers of onnx.proto."""

import struct

import numpy as np

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7,
         "bool": 9, "float16": 10, "float64": 11, "uint32": 12, "uint64": 13}


def varint(value):
    value &= (1 << 64) - 1
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def field(number, value):
    """An integer, a float, a text, or a message."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def fields(number, values):
    return b"".join(field(number, value) for value in values)


def tensor(name, array):
    array = np.asarray(array)
    return (fields(1, array.shape) + field(2, TYPES[array.dtype.name]) + field(8, name) +
            field(9, array.tobytes()))


def tensor_beside(name, shape, dtype, **entries):
    """A tensor whose elements are in another file."""
    data = b"".join(field(13, field(1, key) + field(2, str(value)))
                    for key, value in entries.items())
    return fields(1, shape) + field(2, TYPES[dtype]) + field(8, name) + data + field(14, 1)


def value(name, dtype, shape):
    """An input or output; a text among the extents is a name."""
    dims = b"".join(field(1, field(2 if isinstance(dim, str) else 1, dim)) for dim in shape)
    return field(1, name) + field(2, field(1, field(1, TYPES[dtype]) + field(2, dims)))


class Reference(str):
    """The name of an attribute of the function that a node stands in."""


def attribute(name, given):
    head = field(1, name)
    if isinstance(given, Reference):
        return head + field(21, str(given)) + field(20, 2)
    if isinstance(given, float):
        return head + field(2, given) + field(20, 1)
    if isinstance(given, int):
        return head + field(3, given) + field(20, 2)
    if isinstance(given, str):
        return head + field(4, given) + field(20, 3)
    if isinstance(given, np.ndarray):
        return head + field(5, tensor("", given)) + field(20, 4)
    if isinstance(given, bytes):
        return head + field(6, given) + field(20, 5)
    if given and isinstance(given[0], str):
        return head + fields(9, given) + field(20, 8)
    return head + fields(8, given) + field(20, 7)


def node(op, inputs, outputs, name="", domain="", **attributes):
    made = fields(1, inputs) + fields(2, outputs) + field(3, name) + field(4, op)
    made += b"".join(field(5, attribute(key, given)) for key, given in attributes.items())
    return made + (field(7, domain) if domain else b"")


def graph(nodes, inputs, outputs, initializers=()):
    """Initializers are a dictionary of arrays, or tensors."""
    if isinstance(initializers, dict):
        initializers = [tensor(name, array) for name, array in initializers.items()]
    return (fields(1, nodes) + field(2, "graph") + fields(5, initializers) + fields(11, inputs) +
            fields(12, outputs))


def function(name, domain, inputs, outputs, attributes, nodes, version=17):
    return (field(1, name) + fields(4, inputs) + fields(5, outputs) + fields(6, attributes) +
            fields(7, nodes) + field(9, field(1, "") + field(2, version)) + field(10, domain))


def model(graph, version=17, functions=(), ir=9, domains=()):
    sets = field(8, field(1, "") + field(2, version))
    sets += b"".join(field(8, field(1, domain) + field(2, 1)) for domain in domains)
    return field(1, ir) + field(7, graph) + sets + fields(25, functions)
