"""Operators on float16, beside numpy's float32 on the same numbers.

A sum is rounded after each step, so its error grows with the number of terms.
"""

import numpy as np
import pytest

from graph_check import FEW, array, check, inside, indices_below, k, m, n, positive, sigmoid, tensor
from strata.graph import ops


def half(*shape, name="x"):
    return tensor(*shape, name=name, dtype="float16")


def exactly(reference):
    """Of float32 arguments, rounded once."""
    return lambda *arrays: np.asarray(reference(*[a.astype(np.float32) if a.dtype == np.float16 else a
                                                  for a in arrays]))


def check_half(result, *arguments, **options):
    assert result.dtype == "float16"
    check(result, *arguments, **options)


def softplus(x):
    return np.log1p(np.exp(x))


UNARY = {
    "relu": (lambda x: np.maximum(x, 0), array), "sigmoid": (sigmoid, array),
    "tanh": (np.tanh, array), "exp": (np.exp, array), "log": (np.log, positive),
    "sqrt": (np.sqrt, positive), "rsqrt": (lambda x: 1 / np.sqrt(x), positive),
    "abs": (np.abs, array), "negative": (np.negative, array), "sign": (np.sign, array),
    "floor": (np.floor, array), "round": (np.round, array), "is_nan": (np.isnan, array),
    "reciprocal": (lambda x: 1 / x, positive), "silu": (lambda x: x * sigmoid(x), array),
    "softplus": (softplus, array), "softsign": (lambda x: x / (1 + np.abs(x)), array),
    "mish": (lambda x: x * np.tanh(softplus(x)), array),
    "hard_swish": (lambda x: x * np.clip(x / 6 + 0.5, 0, 1), array),
    "sin": (np.sin, array), "cos": (np.cos, array), "atanh": (np.arctanh, inside),
}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    reference, make = UNARY[name]
    result = getattr(ops, name)(half(n, m))
    assert result.dtype == ("boolean" if name == "is_nan" else "float16")
    check(result, exactly(reference), FEW, make, tolerance=5e-3)


def test_special_values():
    values = np.array([0, -0.0, np.inf, -np.inf, np.nan, 65504, -65504, 6e-8, 0.5], np.float16)
    x = half(n)
    same = lambda shape, dtype: values
    sizes = [dict(n=9)]
    with np.errstate(over="ignore"):
        check_half(ops.add(x, x), lambda v: v + v, sizes, same, evaluated=sizes)
    check(ops.cast(x, type="float32"), lambda v: v.astype(np.float32), sizes, same, evaluated=sizes)
    check(ops.is_nan(x), np.isnan, sizes, same, evaluated=sizes)
    check_half(ops.relu(x), lambda v: np.maximum(v, 0), sizes, same, evaluated=sizes)
    large = np.array([65519, 65520, 1e30, -1e30, 2.9e-8, 3e-8, 1.00049, 1.0005], np.float32)
    sizes = [dict(n=8)]
    with np.errstate(over="ignore"):
        check_half(ops.cast(tensor(n), type="float16"), lambda v: v.astype(np.float16), sizes,
              lambda shape, dtype: large, tolerance=0, evaluated=sizes)


def test_binary():
    x, y = half(n, m), half(m, name="y")
    for name, reference in {"add": np.add, "subtract": np.subtract, "multiply": np.multiply,
                            "maximum": np.maximum, "minimum": np.minimum, "less": np.less,
                            "equal": np.equal, "greater_equal": np.greater_equal}.items():
        check(getattr(ops, name)(x, y), reference, FEW, tolerance=0)
    check_half(ops.divide(x, y), exactly(np.divide), FEW, positive, tolerance=2e-3)
    check_half(ops.power(x, y), exactly(np.power), FEW, positive, tolerance=1e-2)
    c = tensor(m, name="c", dtype="bool")
    check_half(ops.where(c, x, half(n, 1, name="z")), np.where, FEW)
    check_half(ops.clip(x, min=-0.5, max=1.0), lambda v: np.clip(v, -0.5, 1), FEW)
    check_half(ops.leaky_relu(x, alpha=0.25), lambda v: np.where(v < 0, v / 4, v), FEW, tolerance=1e-3)
    check_half(ops.gelu(x), exactly(lambda v: v * (0.5 + 0.5 * np.tanh(0.79788456 * (v + 0.044715 * v**3)))),
          FEW, tolerance=1e-2)


def test_movements():
    x = half(n, m)
    check_half(ops.transpose(x), lambda v: v.T, FEW)
    check_half(ops.concatenate([x, half(k, m, name="y")], axis=0), lambda *v: np.concatenate(v), FEW)
    check_half(ops.pad(x, before=[1, 2], after=[0, 3], value=-1.5),
          lambda v: np.pad(v, [(1, 0), (2, 3)], constant_values=-1.5), FEW)
    check_half(ops.take(half(n, 5, m), tensor(k, name="at", dtype="int32"), axis=1),
          lambda x, at: np.take(x, at, 1), FEW,
          lambda shape, dtype: indices_below(5)(shape, dtype) if dtype == "int32" else array(shape, dtype))
    check_half(ops.flatten(x), lambda v: v.reshape(-1), FEW)
    check_half(ops.strided_slice(x, begin=[0], end=[100], strides=[2]), lambda v: v[0:100:2], FEW)
    check_half(ops.full(shape=[3, 2], value=0.1, type="float16"), lambda: np.full((3, 2), 0.1, np.float16),
          [dict()], evaluated=[dict()])


NONEMPTY = [dict(n=4, m=6, k=3), dict(n=1, m=1, k=1), dict(n=5, m=7, k=11)]


def test_reductions():
    x = half(n, m)
    for name, reference in {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min,
                            "prod": np.prod}.items():
        check_half(getattr(ops, name)(x, axes=[1]), exactly(lambda v: reference(v, axis=1)), NONEMPTY,
              tolerance=1e-2, evaluated=NONEMPTY)
    check(ops.argmax(x, axis=1), lambda v: np.argmax(v, 1), NONEMPTY, evaluated=NONEMPTY)
    check_half(ops.cumsum(x, axis=1), exactly(lambda v: np.cumsum(v, 1)), NONEMPTY, tolerance=1e-2,
          evaluated=NONEMPTY)
    check_half(ops.l2_norm(x, axes=[1]), exactly(lambda v: np.sqrt((v * v).sum(1))), NONEMPTY,
          tolerance=1e-2, evaluated=NONEMPTY)


def normalized(v, axis):
    return (v - v.mean(axis, keepdims=True)) / np.sqrt(v.var(axis, keepdims=True) + 1e-5)


def softmax(v):
    e = np.exp(v - v.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def test_normalizations():
    x = half(n, m)
    check_half(ops.softmax(x, axis=1), exactly(softmax), NONEMPTY, tolerance=1e-2, evaluated=NONEMPTY)
    check_half(ops.log_softmax(x, axis=1), exactly(lambda v: np.log(softmax(v))), NONEMPTY, tolerance=2e-2,
          evaluated=NONEMPTY)
    wide = [dict(n=3, m=16), dict(n=1, m=33)]
    check_half(ops.layer_norm(x, half(m, name="g"), half(m, name="b")),
          exactly(lambda v, g, b: normalized(v, 1) * g + b), wide, tolerance=5e-2, evaluated=wide)
    check_half(ops.rms_norm(x, half(m, name="g")),
          exactly(lambda v, g: v / np.sqrt((v * v).mean(1, keepdims=True) + 1e-5) * g), wide,
          tolerance=3e-2, evaluated=wide)


def test_products_and_windows():
    sizes = NONEMPTY
    check_half(ops.dense(half(n, k), half(m, k, name="w")), exactly(lambda a, b: a @ b.T), sizes,
          tolerance=3e-2, evaluated=sizes)
    check_half(ops.matmul(half(n, k), half(k, m, name="w")), exactly(lambda a, b: a @ b), sizes,
          tolerance=3e-2, evaluated=sizes)
    pictures = [dict(n=1, m=6, k=8)]
    check_half(ops.max_pool2d(half(n, 2, m, k), window=[2, 2], strides=[2, 2]),
          lambda v: v.reshape(*v.shape[:2], v.shape[2] // 2, 2, v.shape[3] // 2, 2).max((3, 5)), pictures,
          evaluated=pictures)
    check_half(ops.conv2d(half(n, 2, m, k), half(3, 2, 1, 1, name="w")),
          exactly(lambda a, b: np.einsum("nchw,oc->nohw", a, b[:, :, 0, 0])), pictures, tolerance=1e-2,
          evaluated=pictures)
    check_half(ops.resize2d(half(n, 2, m, k), size=[3, 4], method="nearest", coordinates="asymmetric"),
          lambda v: v[:, :, ::2, ::2], pictures, evaluated=pictures)
