"""Reductions, products, windows, cells and functions on whole arrays, beside numpy.

Each is compiled once, for symbolic extents. The expected values are numpy's, or a plain loop's.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from graph_check import (FEW, SIZES, check, inside, k, m, n, positive, random, sigmoid,
                         tensor)
from strata.graph import compile, ops

REDUCTIONS = {"sum": np.sum, "mean": np.mean, "prod": np.prod,
              "l1_norm": lambda v, axis, keepdims: np.sum(np.abs(v), axis=axis, keepdims=keepdims),
              "l2_norm": lambda v, axis, keepdims: np.sqrt(np.sum(v * v, axis=axis, keepdims=keepdims)),
              "max": np.max, "min": np.min,
              "logsumexp": lambda v, axis, keepdims: np.log(np.sum(np.exp(v), axis=axis, keepdims=keepdims))}
FULL = [s for s in SIZES if s["n"] and s["m"]]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    x = tensor(n, m, k)
    sizes = FULL[:3]
    for axes, keepdims in [([1], False), ([0, 2], True), ([], False), ([-1], True)]:
        check(getattr(ops, name)(x, axes=axes, keepdims=keepdims),
              lambda v: REDUCTIONS[name](v.astype(float), axis=tuple(axes) if axes else None,
                                         keepdims=keepdims).astype(np.float32),
              sizes, tolerance=1e-3 if name == "prod" else 1e-4, evaluated=sizes)


def test_empty_reductions():
    check(ops.sum(tensor(n, m), axes=[1]), lambda v: v.sum(1), [dict(n=3, m=0, k=1)],
          evaluated=[])
    check(ops.max(tensor(n, m), axes=[1]), lambda v: np.full(3, -np.inf, np.float32),
          [dict(n=3, m=0, k=1)], evaluated=[dict(n=3, m=0, k=1)])


def test_reductions_of_truths_and_positions():
    x = tensor(n, m, dtype="bool")
    check(ops.any(x, axes=[1]), lambda v: v.any(1), FEW)
    check(ops.all(x, axes=[0]), lambda v: v.all(0), FEW)
    y = tensor(n, m, name="y", dtype="int32")
    check(ops.argmax(y, axis=1), lambda v: v.argmax(1), FULL)
    check(ops.argmin(y, axis=0, keepdims=True), lambda v: v.argmin(0)[None], FULL)
    check(ops.cumsum(y, axis=1), lambda v: np.cumsum(v, 1, dtype=np.int32), FEW)
    check(ops.cumsum(y, axis=0, reverse=True), lambda v: np.cumsum(v[::-1], 0, dtype=np.int32)[::-1], FEW)
    check(ops.cumsum(y, axis=1, exclusive=True),
          lambda v: np.cumsum(v, 1, dtype=np.int32) - v, FEW)


def normalized(v, axes, epsilon=1e-5):
    mean = v.mean(axes, keepdims=True)
    return (v - mean) / np.sqrt(((v - mean) ** 2).mean(axes, keepdims=True) + epsilon)


def test_softmaxes():
    def softmax(v, axis):
        e = np.exp(v - v.max(axis, keepdims=True))
        return e / e.sum(axis, keepdims=True)

    x = tensor(n, m)
    check(ops.softmax(x), lambda v: softmax(v, 1), FULL)
    check(ops.softmax(x, axis=0), lambda v: softmax(v, 0), FULL)
    check(ops.log_softmax(x), lambda v: np.log(softmax(v, 1)), FULL, tolerance=1e-4)


def test_normalizations():
    x, gamma, beta = tensor(n, m, k), tensor(k, name="gamma"), tensor(k, name="beta")
    sizes = FULL[:3]

    y = ops.layer_norm(x, gamma, beta, axes=[-1])
    check(y, (lambda x, gamma, beta: normalized(x, (2,)) * gamma + beta), sizes, tolerance=2e-4)
    y = ops.rms_norm(x, gamma)
    check(y, (lambda x, gamma: x / np.sqrt((x * x).mean(2, keepdims=True) + 1e-5) * gamma), sizes, tolerance=2e-4)
    x, gamma, beta = tensor(n, 6, m, k), tensor(6, name="gamma"), tensor(6, name="beta")
    y = ops.group_norm(x, gamma, beta, groups=3)
    check(y, (lambda x, gamma, beta: normalized(x.reshape(len(x), 3, -1), (2,)).reshape(x.shape)
                       * gamma[:, None, None] + beta[:, None, None]), sizes, tolerance=2e-4)
    mean, variance = tensor(6, name="mean"), tensor(6, name="variance")
    y = ops.batch_norm(x, gamma, beta, mean, variance)
    c = lambda v: v[:, None, None]
    check(y, (lambda x, gamma, beta, mean, variance:
                       (x - c(mean)) / np.sqrt(c(variance) + 1e-5) * c(gamma) + c(beta)), sizes, positive, tolerance=2e-4)


def test_products():
    x, w = tensor(n, k), tensor(m, k, name="w")
    check(ops.dense(x, w), lambda a, b: a @ b.T, tolerance=1e-4)
    check(ops.dense(tensor(n, 3, k), w), lambda a, b: a @ b.T, FEW, tolerance=1e-4)
    check(ops.matmul(x, tensor(k, m, name="w")), lambda a, b: a @ b, tolerance=1e-4)
    check(ops.matmul(tensor(3, n, k), tensor(k, m, name="w")), lambda a, b: a @ b, FEW, tolerance=1e-4)
    check(ops.matmul(tensor(3, 1, n, k), tensor(2, k, m, name="w")), lambda a, b: a @ b, FEW, tolerance=1e-4)
    check(ops.matmul(tensor(k), tensor(k, m, name="w")), lambda a, b: a @ b, FEW, tolerance=1e-4)
    check(ops.matmul(x, tensor(k, name="w")), lambda a, b: a @ b, FEW, tolerance=1e-4)
    check(ops.matmul(tensor(k, n), tensor(m, k, name="w"), transpose_a=True, transpose_b=True),
          lambda a, b: a.T @ b.T, FEW, tolerance=1e-4)
    check(ops.batch_matmul(tensor(3, n, k), tensor(3, m, k, name="w")),
          lambda a, b: a @ b.transpose(0, 2, 1), FEW, tolerance=1e-4)
    check(ops.matmul(tensor(n, k, dtype="int32"), tensor(k, m, name="w", dtype="int32")),
          lambda a, b: a @ b, FEW)
    check(ops.bias_add(tensor(n, m, k), tensor(m, name="b")), lambda v, b: v + b[:, None], FEW)


@pytest.mark.parametrize("equation", ["ij,jk->ik", "ij,kj", "ij->ji", "ii->i", "ij->", "ij,ij->i",
                                      "bij,bjk->bik", "i,j->ij"])
def test_einsum(equation):
    symbols = {"i": n, "j": m, "k": k, "b": 3}
    operands = equation.split("->")[0].split(",")
    tensors = [tensor(*[symbols[c] for c in letters], name=f"t{number}")
               for number, letters in enumerate(operands)]
    check(ops.einsum(tensors, equation=equation),
          lambda *v: np.asarray(np.einsum(equation, *v)), FEW, tolerance=1e-4)


def convolved(x, w, strides, before, after, dilation, groups):
    """A plain loop over the window of x (n, c, h, w)."""
    x = np.pad(x, [(0, 0), (0, 0), (before[0], after[0]), (before[1], after[1])])
    o, c, kh, kw = w.shape
    oh = (x.shape[2] - dilation[0] * (kh - 1) - 1) // strides[0] + 1
    ow = (x.shape[3] - dilation[1] * (kw - 1) - 1) // strides[1] + 1
    y = np.zeros((x.shape[0], o, max(oh, 0), max(ow, 0)), np.float64)
    for g in range(groups):
        outputs = slice(g * o // groups, (g + 1) * o // groups)
        for a in range(kh):
            for b in range(kw):
                window = x[:, g * c:(g + 1) * c, a * dilation[0]:, b * dilation[1]:]
                window = window[:, :, :strides[0] * oh:strides[0], :strides[1] * ow:strides[1]][:, :, :oh, :ow]
                y[:, outputs] += np.einsum("nchw,oc->nohw", window, w[outputs, :, a, b])
    return y.astype(np.float32)


PICTURES = [dict(n=2, m=9, k=11), dict(n=1, m=5, k=6), dict(n=0, m=7, k=7)]


@pytest.mark.parametrize("strides,padding,dilation,groups", [
    ([1, 1], [0, 0], [1, 1], 1), ([2, 1], [1, 2], [1, 1], 1), ([1, 2], [1, 1, 0, 2], [2, 1], 1),
    ([1, 1], [1, 1], [1, 1], 2)])
def test_conv2d(strides, padding, dilation, groups):
    x, w = tensor(n, 4, m, k), tensor(6, 4 // groups, 3, 2, name="w")
    y = ops.conv2d(x, w, strides=strides, padding=padding, dilation=dilation, groups=groups)
    before, after = padding[:2], padding[-2:]
    check(y, lambda a, b: convolved(a, b, strides, before, after, dilation, groups), PICTURES,
          tolerance=1e-4, evaluated=PICTURES[1:])


def test_conv1d():
    x, w = tensor(n, 3, m), tensor(5, 3, 3, name="w")
    check(ops.conv1d(x, w, padding=[1], strides=[2]),
          lambda a, b: convolved(a[:, :, None], b[:, :, None], [1, 2], [0, 1], [0, 1], [1, 1], 1)[:, :, 0],
          PICTURES, tolerance=1e-4, evaluated=PICTURES)


def test_conv2d_transpose():
    def scattered(x, w, strides, padding, extra):
        batch, c, h, width = x.shape
        _, o, kh, kw = w.shape
        full = np.zeros((batch, o, (h - 1) * strides[0] + kh + extra[0], (width - 1) * strides[1] + kw + extra[1]))
        for i in range(h):
            for j in range(width):
                full[:, :, i * strides[0]:i * strides[0] + kh, j * strides[1]:j * strides[1] + kw] += np.einsum(
                    "nc,cokl->nokl", x[:, :, i, j], w)
        return full[:, :, padding[0]:full.shape[2] - padding[0],
                    padding[1]:full.shape[3] - padding[1]].astype(np.float32)

    x, w = tensor(n, 3, m, k), tensor(3, 2, 3, 4, name="w")
    for strides, padding, extra in [([1, 1], [0, 0], [0, 0]), ([2, 3], [1, 0], [1, 0])]:
        check(ops.conv2d_transpose(x, w, strides=strides, padding=padding, output_padding=extra),
              lambda a, b: scattered(a, b, strides, padding, extra), PICTURES, tolerance=1e-4,
              evaluated=PICTURES[1:])


def pooled(x, window, strides, padding, ceil_mode, function):
    """A plain loop; outside of x is NaN."""
    batch, c, h, w = x.shape
    sizes = []
    for extent, k_, s, p in zip((h, w), window, strides, padding):
        count = (math.ceil if ceil_mode else math.floor)((extent + 2 * p - k_) / s) + 1
        if ceil_mode and (count - 1) * s >= extent + p:
            count -= 1
        sizes.append(max(count, 0))
    y = np.zeros((batch, c, *sizes), np.float32)
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            top, left = i * strides[0] - padding[0], j * strides[1] - padding[1]
            part = x[:, :, max(top, 0):top + window[0], max(left, 0):left + window[1]]
            y[:, :, i, j] = function(part)
    return y


@pytest.mark.parametrize("window,strides,padding,ceil_mode", [
    ([2, 2], [2, 2], [0, 0], False), ([3, 2], [1, 2], [1, 1], False), ([3, 3], [2, 2], [1, 1], True)])
def test_pools(window, strides, padding, ceil_mode):
    x = tensor(n, 3, m, k)
    options = dict(window=window, strides=strides, padding=padding, ceil_mode=ceil_mode)
    check(ops.max_pool2d(x, **options),
          lambda v: pooled(v, window, strides, padding, ceil_mode, lambda p: p.max((2, 3))), PICTURES, evaluated=PICTURES)
    check(ops.avg_pool2d(x, **options),
          lambda v: pooled(v, window, strides, padding, ceil_mode, lambda p: p.mean((2, 3))), PICTURES, evaluated=PICTURES)
    if not ceil_mode:
        check(ops.avg_pool2d(x, count_include_pad=True, **options),
              lambda v: pooled(v, window, strides, padding, False,
                               lambda p: p.sum((2, 3)) / (window[0] * window[1])), PICTURES, evaluated=PICTURES)


def test_global_pools():
    x = tensor(n, 3, m, k)
    check(ops.global_max_pool2d(x), lambda v: v.max((2, 3), keepdims=True), PICTURES[:2], evaluated=PICTURES[:2])
    check(ops.global_avg_pool2d(x), lambda v: v.mean((2, 3), keepdims=True), PICTURES[:2], evaluated=PICTURES[:2])


def resized(v, size, method, coordinates):
    half = Fraction(1, 2)

    def places(extent, count):
        if coordinates == "half_pixel":
            return [(i + half) * Fraction(extent, count) - half for i in range(count)]
        if coordinates == "asymmetric":
            return [i * Fraction(extent, count) for i in range(count)]
        return [Fraction(i * (extent - 1), max(count - 1, 1)) for i in range(count)]

    rows, columns = places(v.shape[2], size[0]), places(v.shape[3], size[1])
    if method == "nearest":
        near = (lambda p: math.ceil(p - half)) if coordinates == "half_pixel" else math.floor
        r = np.clip([near(p) for p in rows], 0, v.shape[2] - 1)
        c = np.clip([near(p) for p in columns], 0, v.shape[3] - 1)
        return v[:, :, r][:, :, :, c]

    def along(v, p, axis):
        low = np.array([math.floor(place) for place in p])
        a, b = np.clip(low, 0, v.shape[axis] - 1), np.clip(low + 1, 0, v.shape[axis] - 1)
        weight = np.array([float(place - math.floor(place)) for place in p])
        weight = weight.reshape([-1 if d == axis else 1 for d in range(4)])
        return v.take(a, axis) * (1 - weight) + v.take(b, axis) * weight

    return along(along(v, columns, 3), rows, 2).astype(np.float32)


@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners"])
def test_resize(method, coordinates):
    x = tensor(n, 2, m, k)
    for size in ([12, 7], [4, 16]):
        check(ops.resize2d(x, size=size, method=method, coordinates=coordinates),
              lambda v: resized(v, size, method, coordinates), PICTURES[:2], tolerance=1e-4,
              evaluated=PICTURES[:2])


@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners"])
def test_resize_of_more_pixels_than_float32_counts(coordinates):
    width = 2**25 + 3
    x = tensor(1, 1, 1, n, dtype="uint8")
    same = compile([ops.resize2d(x, size=[1, n], method="nearest", coordinates=coordinates)])
    v = random.integers(0, 256, (1, 1, 1, width), np.uint8)
    np.testing.assert_array_equal(np.asarray(same(v)[0]), v)
    few = compile([ops.resize2d(x, size=[1, 7], method="nearest", coordinates=coordinates)])
    np.testing.assert_array_equal(np.asarray(few(v)[0]), resized(v, (1, 7), "nearest", coordinates))
    fine = compile([ops.resize2d(tensor(1, 1, 1, n), size=[1, 7], coordinates=coordinates)])
    f = v.astype(np.float32)
    np.testing.assert_allclose(np.asarray(fine(f)[0]), resized(f, (1, 7), "linear", coordinates),
                               rtol=1e-5)


def test_cells():
    x, h, c = tensor(n, k), tensor(n, m, name="h"), tensor(n, m, name="c")
    w, r, bias = tensor(4 * m, k, name="w"), tensor(4 * m, m, name="r"), tensor(4 * m, name="bias")
    cell = ops.lstm_cell(x, h, c, w, r, bias)

    def lstm(x, h, c, w, r, bias):
        i, f, g, o = np.split(x @ w.T + h @ r.T + bias, 4, 1)
        new = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(new), new

    check(cell, lstm, FULL[:3], tolerance=1e-3, evaluated=FULL[:3])
    w, r = tensor(3 * m, k, name="w"), tensor(3 * m, m, name="r")
    cell = ops.gru_cell(x, h, w, r, tensor(3 * m, name="b"), tensor(3 * m, name="rb"))

    def gru(x, h, w, r, b, rb):
        (ar, az, an), (sr, sz, sn) = np.split(x @ w.T + b, 3, 1), np.split(h @ r.T + rb, 3, 1)
        reset, update = sigmoid(ar + sr), sigmoid(az + sz)
        return (1 - update) * np.tanh(an + reset * sn) + update * h

    check(cell, gru, FULL[:3], tolerance=1e-3, evaluated=FULL[:3])


def test_functions_on_whole_arrays():
    x = tensor(n, m, dtype="int32")
    check(ops.sort(x), lambda v: np.sort(v, 1), FEW)
    check(ops.sort(x, axis=0, descending=True), lambda v: -np.sort(-v, 0), FEW)
    check(ops.argsort(x), lambda v: np.argsort(v, 1, kind="stable"), FEW)
    check(ops.exp(ops.sort(ops.exp(tensor(n, m)))), lambda v: np.exp(np.sort(np.exp(v), 1)), FEW, inside)
    y = tensor(n, 8, name="y")
    check(ops.top_k(y, k=3), lambda v: (-np.sort(-v, 1)[:, :3], np.argsort(-v, 1, kind="stable")[:, :3]), FEW)
    flat = tensor(n, dtype="int64")
    check(ops.unique(flat), np.unique, FEW)
    check(ops.nonzero(x), lambda v: np.array(np.nonzero(v)), FEW)
    later = ops.add(ops.unique(flat), ops.full(shape=[], value=1, type="int64"))
    check(later, lambda v: np.unique(v) + 1, FEW)
    values = np.array([3, np.nan, -1, np.inf, 2], np.float32)
    [down] = compile([ops.sort(tensor(n), descending=True)])(values)
    np.testing.assert_array_equal(np.asarray(down), np.array([np.inf, 3, 2, -1, np.nan], np.float32))
