"""Elementwise operators, and those that move elements, beside numpy.

Each is compiled once, for symbolic extents. The expected values are numpy's, or a plain loop's.
"""

import math
import pathlib

import numpy as np
import pytest

from graph_check import (FEW, array, check, indices_below, inside, k, m, n, positive, random,
                         sigmoid, tensor)
from strata.graph import compile, ops


def softplus(x):
    return np.log1p(np.exp(x))


erf = np.vectorize(math.erf, otypes=[float])
UNARY = {
    "negative": (np.negative, array), "abs": (np.abs, array), "sqrt": (np.sqrt, positive),
    "rsqrt": (lambda x: 1 / np.sqrt(x), positive), "exp": (np.exp, array),
    "log": (np.log, positive), "sin": (np.sin, array), "cos": (np.cos, array),
    "tan": (np.tan, inside), "asin": (np.arcsin, inside), "acos": (np.arccos, inside),
    "atan": (np.arctan, array), "sinh": (np.sinh, array), "cosh": (np.cosh, array),
    "tanh": (np.tanh, array), "asinh": (np.arcsinh, array),
    "acosh": (lambda x: np.arccosh(x), lambda s, d: (positive(s, d) + 1).astype(d)),
    "atanh": (np.arctanh, inside), "erf": (erf, array), "floor": (np.floor, array),
    "ceil": (np.ceil, array), "round": (np.round, array), "trunc": (np.trunc, array),
    "sign": (np.sign, array), "reciprocal": (lambda x: 1 / x, positive),
    "is_nan": (np.isnan, array), "relu": (lambda x: np.maximum(x, 0), array),
    "sigmoid": (sigmoid, array), "silu": (lambda x: x * sigmoid(x), array),
    "hard_swish": (lambda x: x * np.clip(x / 6 + 0.5, 0, 1), array),
    "mish": (lambda x: x * np.tanh(softplus(x)), array), "softplus": (softplus, array),
    "softsign": (lambda x: x / (1 + np.abs(x)), array),
    "selu": (lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * (np.exp(x) - 1)),
             array),
}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    reference, make = UNARY[name]
    for dtype in ("float32", "float64"):
        check(getattr(ops, name)(tensor(n, m, dtype=dtype)), reference, FEW, make)


def test_unary_of_special_values():
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, 1.5, 2.5, -2.5], np.float32)
    x = tensor(n)
    for name, reference in {"relu": lambda v: np.maximum(v, 0), "sign": np.sign, "round": np.round,
                            "is_nan": np.isnan, "abs": np.abs, "floor": np.floor}.items():
        [got] = compile([getattr(ops, name)(x)])(values)
        np.testing.assert_array_equal(np.asarray(got), reference(values), err_msg=name)
    [clipped] = compile([ops.clip(x, min=-1.0, max=1.0)])(values)
    np.testing.assert_array_equal(np.asarray(clipped), np.clip(values, -1, 1))


def test_unary_of_integers():
    for dtype in ("int32", "int64", "uint8"):
        check(ops.sign(tensor(n, dtype=dtype)), np.sign, FEW)
        check(ops.relu(tensor(n, dtype=dtype)), lambda x: np.maximum(x, 0), FEW)
        check(ops.bitwise_not(tensor(n, dtype=dtype)), np.invert, FEW)
    check(ops.logical_not(tensor(n, dtype="bool")), np.logical_not, FEW)


def test_activations_with_attributes():
    x = tensor(n, m)
    check(ops.leaky_relu(x, alpha=0.2), lambda v: np.where(v < 0, 0.2 * v, v), FEW)
    check(ops.elu(x, alpha=1.5), lambda v: np.where(v > 0, v, 1.5 * (np.exp(v) - 1)), FEW)
    check(ops.gelu(x), lambda v: v * 0.5 * (1 + erf(v / np.sqrt(2))), FEW)
    check(ops.gelu(x, approximate="tanh"),
          lambda v: 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3))), FEW)
    check(ops.hard_sigmoid(x), lambda v: np.clip(0.2 * v + 0.5, 0, 1), FEW)
    check(ops.clip(x, min=-0.5, max=1.0), lambda v: np.clip(v, -0.5, 1), FEW)
    check(ops.prelu(x, tensor(m, name="slope"), axis=1),
          lambda v, slope: np.where(v < 0, slope * v, v), FEW)
    check(ops.cast(x, type="int32"), lambda v: v.astype(np.int32), FEW)
    check(ops.cast(tensor(n, dtype="int32"), type="float64"), lambda v: v.astype(float), FEW)


BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum,
          "minimum": np.minimum, "equal": np.equal, "not_equal": np.not_equal, "less": np.less,
          "less_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal}


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    for dtype in ("float32", "int32", "int64"):
        x, y = tensor(n, m, dtype=dtype), tensor(m, name="y", dtype=dtype)
        check(getattr(ops, name)(x, y), BINARY[name], FEW)


def test_binary_of_floats_and_of_integers():
    def nonzero(shape, dtype):
        values = array(shape, dtype)
        return np.where(np.abs(values) < 0.1, 1, values).astype(dtype)

    x, y = tensor(n, 1, m), tensor(k, 1, name="y")
    check(ops.divide(x, y), np.divide, FEW, nonzero)
    check(ops.floor_divide(x, y), np.floor_divide, FEW, nonzero)
    check(ops.mod(x, y), np.mod, FEW, nonzero, tolerance=1e-4)
    check(ops.atan2(x, y), np.arctan2, FEW)
    check(ops.power(x, y), np.power, FEW, positive)
    a, b = tensor(n, m, name="a", dtype="int32"), tensor(n, m, name="b", dtype="int32")
    for name, reference in {"floor_divide": np.floor_divide, "mod": np.mod}.items():
        check(getattr(ops, name)(a, b), reference, FEW, nonzero)
    for name, reference in {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or,
                            "bitwise_xor": np.bitwise_xor}.items():
        check(getattr(ops, name)(a, b), reference, FEW)
    for name, reference in {"left_shift": np.left_shift, "right_shift": np.right_shift}.items():
        check(getattr(ops, name)(a, b), reference, FEW,
              lambda shape, dtype: random.integers(0, 8, shape).astype(dtype))
    p, q = tensor(n, name="p", dtype="bool"), tensor(n, name="q", dtype="bool")
    for name, reference in {"logical_and": np.logical_and, "logical_or": np.logical_or,
                            "logical_xor": np.logical_xor}.items():
        check(getattr(ops, name)(p, q), reference, FEW)


def test_where():
    c = tensor(m, name="c", dtype="bool")
    check(ops.where(c, tensor(n, m), tensor(n, 1, name="y")), np.where, FEW)


def test_multiply_and_add():
    check(ops.ewise_fma(tensor(n, m), tensor(n, 1, name="y"), tensor(m, name="z")),
          lambda x, y, z: x * y + z, FEW)


def test_shapes():
    x = tensor(n, m)
    check(ops.expand_dims(x, axis=1), lambda v: v[:, None, :], FEW)
    check(ops.squeeze(tensor(n, 1, m, 1)), lambda v: v[:, 0, :, 0], FEW)
    check(ops.squeeze(tensor(n, 1, m, 1), axes=[-1]), lambda v: v[..., 0], FEW)
    check(ops.flatten(x), lambda v: v.reshape(-1), FEW)
    check(ops.exp(ops.flatten(ops.exp(x))), lambda v: np.exp(np.exp(v).reshape(-1)), FEW,
          inside)
    check(ops.batch_flatten(tensor(n, m, k)), lambda v: v.reshape(v.shape[0], v.shape[1] * v.shape[2]), FEW)
    check(ops.reshape(tensor(n, 2, 2), shape=[n, 4]), lambda v: v.reshape(-1, 4), FEW)
    check(ops.reshape(tensor(n, 6), shape=[n, 2, -1]), lambda v: v.reshape(v.shape[0], 2, 3), FEW)
    check(ops.transpose(tensor(n, m, k)), lambda v: v.transpose(), FEW)
    check(ops.transpose(tensor(n, m, k), axes=[1, 2, 0]), lambda v: v.transpose(1, 2, 0), FEW)
    check(ops.tile(x, reps=[2, 3]), lambda v: np.tile(v, (2, 3)), FEW)
    check(ops.tile(x, reps=[2, 1, 3]), lambda v: np.tile(v, (2, 1, 3)), FEW)
    check(ops.reverse(x, axes=[0]), lambda v: v[::-1], FEW)
    check(ops.reverse(x, axes=[0, 1]), lambda v: v[::-1, ::-1], FEW)
    check(ops.tril(tensor(n, n)), np.tril, FEW)
    check(ops.triu(tensor(k, n, n), k=-1), lambda v: np.triu(v, -1), FEW)


def test_broadcast_to():
    kernel = compile([ops.broadcast_to(tensor(m), shape=[n, m])])
    for rows in (0, 1, 5):
        v = array((7,))
        [got] = kernel(v, n=rows)
        np.testing.assert_array_equal(np.asarray(got), np.broadcast_to(v, (rows, 7)))


def test_splits_and_joins():
    x = tensor(n, 6)
    check(ops.split(x, sections=3, axis=1), lambda v: np.split(v, 3, 1), FEW)
    check(ops.split(x, indices=[1, 4], axis=1), lambda v: np.split(v, [1, 4], 1), FEW)
    a, b, c = tensor(n, m, name="a"), tensor(k, m, name="b"), tensor(n, m, name="c")
    check(ops.concatenate([a, b, c], axis=0), lambda *v: np.concatenate(v, 0), FEW)
    check(ops.concatenate([a, c], axis=-1), lambda *v: np.concatenate(v, -1), FEW)
    check(ops.stack([a, c], axis=1), lambda *v: np.stack(v, 1), FEW)
    check(ops.stack([a, c, a], axis=-1), lambda p, q: np.stack([p, q, p], -1), FEW)


def test_slices():
    x = tensor(n, 9)
    for begin, end, stride in [(1, 7, 1), (0, 9, 2), (-3, 100, 1), (7, 1, -2), (-1, -100, -1),
                               (5, 2, 1)]:
        check(ops.strided_slice(x, begin=[begin], end=[end], strides=[stride], axes=[1]),
              lambda v: v[:, slice(begin, None if stride < 0 and end < -9 else end, stride)], FEW)
    check(ops.strided_slice(x, begin=[1], end=[100]), lambda v: v[1:100], FEW)
    check(ops.strided_slice(x, begin=[-2], end=[100]), lambda v: v[-2:100], FEW)


def test_pads():
    x = tensor(n, m)
    before, after = [1, 2], [0, 3]
    widths = [(1, 0), (2, 3)]
    check(ops.pad(x, before=before, after=after, value=1.5),
          lambda v: np.pad(v, widths, constant_values=1.5), FEW)
    large = [dict(n=4, m=6, k=1), dict(n=9, m=4, k=1)]
    check(ops.pad(x, before=before, after=after, mode="edge"),
          lambda v: np.pad(v, widths, mode="edge"), large, evaluated=large)
    check(ops.pad(x, before=before, after=after, mode="reflect"),
          lambda v: np.pad(v, widths, mode="reflect"), large, evaluated=large)


def test_depth_and_space():
    x = tensor(n, 8, m, k)

    def to_space(v, order):
        b, c, h, w = v.shape
        if order == "DCR":
            return v.reshape(b, 2, 2, c // 4, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(b, c // 4, 2 * h, 2 * w)
        return v.reshape(b, c // 4, 2, 2, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(b, c // 4, 2 * h, 2 * w)

    for mode in ("DCR", "CRD"):
        check(ops.depth_to_space(x, block=2, mode=mode), lambda v: to_space(v, mode), FEW)
        there = ops.depth_to_space(x, block=2, mode=mode)
        check(ops.space_to_depth(there, block=2, mode=mode), lambda v: v, FEW)


def test_layouts():
    x = tensor(n, 32, m, k)

    def blocked(v):
        return v.reshape(v.shape[0], 2, 16, v.shape[2], v.shape[3]).transpose(0, 1, 3, 4, 2)

    packed = ops.layout_transform(x, **{"from": "NCHW", "to": "NCHW16c"})
    check(packed, blocked, FEW)
    check(ops.layout_transform(packed, **{"from": "NCHW16c", "to": "NCHW"}), lambda v: v, FEW)
    check(ops.layout_transform(x, **{"from": "NCHW", "to": "NHWC"}),
          lambda v: v.transpose(0, 2, 3, 1), FEW)


def test_takes():
    x, at = tensor(n, 5, m), tensor(k, 2, name="at", dtype="int32")
    make = indices_below(5)
    check(ops.take(x, at, axis=1), lambda x, at: np.take(x, at, 1), FEW, make)
    check(ops.take(x, at, axis=1, mode="wrap"), lambda x, at: np.take(x, at, 1, mode="wrap"), FEW)
    check(ops.take(x, at, axis=1, mode="clip"), lambda x, at: np.take(x, at, 1, mode="clip"), FEW)
    along = tensor(n, k, m, name="along", dtype="int64")
    check(ops.gather(x, along, axis=1), lambda x, along: np.take_along_axis(x, along, 1), FEW, make)
    pairs = tensor(k, 2, name="pairs", dtype="int64")
    check(ops.gather_nd(tensor(5, 5, m), pairs), lambda x, pairs: x[pairs[:, 0], pairs[:, 1]], FEW, make)
    batched = tensor(n, k, 1, name="batched", dtype="int64")
    check(ops.gather_nd(x, batched, batch_dims=1),
          lambda x, batched: np.take_along_axis(x, batched, 1), FEW, make)


def test_makers():
    at = tensor(n, name="at", dtype="int32")
    check(ops.one_hot(at, depth=7), lambda i: np.eye(7, dtype=np.float32)[i], FEW, indices_below(7))
    for values in FEW:
        [r] = compile([ops.range(extent=[n], start=2, step=3, type="int32")])(n=values["n"])
        np.testing.assert_array_equal(np.asarray(r), 2 + 3 * np.arange(values["n"], dtype=np.int32))
        [f] = compile([ops.full(shape=[n, 3], value=2.5)])(n=values["n"])
        np.testing.assert_array_equal(np.asarray(f), np.full((values["n"], 3), 2.5, np.float32))


@pytest.mark.parametrize("dtype", ["float16", "int64", "bool"])
def test_element_types(dtype):
    x = tensor(n, m, dtype=dtype)
    check(ops.transpose(x), lambda v: v.T, FEW)
    check(ops.concatenate([x, x], axis=0), lambda v: np.concatenate([v, v]), FEW)
    if dtype != "bool":
        check(ops.add(x, x), lambda v: v + v, FEW, tolerance=2e-3)


def test_every_operator_is_tested():
    """Each name of the registry stands in a test; tests may add some."""
    files = pathlib.Path(__file__).parent.glob("graph_*_test.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    tested = set(UNARY) | set(BINARY)
    missing = [name for name in ops.operators()
               if name not in tested and f"ops.{name}(" not in text and f'"{name}": ' not in text
               and f'register("{name}"' not in text and f'("{name}", lambda' not in text]
    assert missing == []
