"""T.prim_func in programs for TVM: loops, blocks, reductions, and their mistakes."""

from __future__ import annotations  # symbols are not defined before they are named

import numpy as np
import pytest

import strata.tvm as tvm
from graph_check import array
from strata.tvm import te
from strata.tvm.script import tir as T
from tvm_check import refused


@T.prim_func
def tir_element_wise(a: T.handle, c: T.handle) -> None:
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    A = T.match_buffer(a, (16, 8))
    C = T.match_buffer(c, (16, 8))
    B = T.alloc_buffer((16, 8))
    for i0, j0 in T.grid(16, 8):
        with T.block("B"):
            i, j = T.axis.remap("SS", [i0, j0])
            B[i, j] = A[i, j] * 2.0
    for i0, j0 in T.grid(16, 8):
        with T.block("C"):
            i, j = T.axis.remap("SS", [i0, j0])
            C[i, j] = B[i, j] + 1.0


def test_a_function_of_tensors_is_that_of_loops():
    def tensors():
        a = te.placeholder((16, 8), name="A")
        b = te.compute((16, 8), lambda x, y: a[x, y] * 2, name="B")
        return [a, te.compute((16, 8), lambda x, y: b[x, y] + 1, name="C")]

    tvm.ir.assert_structural_equal(te.create_prim_func(tensors()), tir_element_wise)
    a, c = tensors()
    assert te.create_prim_func([c, a]) != tir_element_wise
    v, w = array((16, 8)), np.zeros((16, 8), np.float32)
    tvm.build(tir_element_wise)(v, w)
    np.testing.assert_allclose(w, v * 2 + 1, rtol=1e-6)


@T.prim_func
def product(a: T.handle, b: T.handle, c: T.handle) -> None:
    n = T.var("int64")
    m = T.var("int64")
    k = T.var("int64")
    A = T.match_buffer(a, (n, k), "float32")
    B = T.match_buffer(b, (m, k), dtype="float32")
    C = T.match_buffer(c, [n, m])
    for i0, j0, k0 in T.grid(n, m, k):
        with T.block("C"):
            i, j, l = T.axis.remap("SSR", [i0, j0, k0])
            T.reads(A[i, l], B[j, l])
            T.writes(C[i, j])
            with T.init():
                C[i, j] = T.float32(0)
            C[i, j] += A[i, l] * B[j, l]


@T.prim_func
def product_in_the_older_form(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (n, k))
    B = T.match_buffer(b, (m, k))
    C = T.match_buffer(c, (n, m))
    with T.block([n, m, T.reduce_axis(0, k)], "C") as [i, j, l]:
        with T.init():
            C[i, j] = 0.0
        C[i, j] = C[i, j] + A[i, l] * B[j, l]


def test_reductions():
    n, m, k = te.var("n"), te.var("m"), te.var("k")
    a, b = te.placeholder((n, k), name="A"), te.placeholder((m, k), name="B")
    axis = te.reduce_axis((0, k), name="l")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, axis] * b[j, axis], axis=axis), name="C")
    assert product == product_in_the_older_form == te.create_prim_func([a, b, c])
    v, w, out = array((3, 5)), array((4, 5)), np.zeros((3, 4), np.float32)
    tvm.build(product)(v, w, out)
    np.testing.assert_allclose(out, v @ w.T, rtol=1e-5, atol=1e-5)

    @T.prim_func
    def largest(x: T.handle, y: T.handle):
        X = T.match_buffer(x, (n, k), "int32")
        Y = T.match_buffer(y, (n,), "int32")
        for i in T.serial(0, n):
            for j in T.serial(k):
                with T.block("Y"):
                    vi = T.axis.spatial(n, i)
                    vj = T.axis.reduce(k, j)
                    with T.init():
                        Y[vi] = T.min_value("int32")
                    Y[vi] = T.max(Y[vi], X[vi, vj])

    v, out = array((3, 5), "int32"), np.zeros(3, np.int32)
    tvm.build(largest)(v, out)
    np.testing.assert_array_equal(out, v.max(1))


def test_conditions_casts_and_buffers_of_the_signature():
    @T.prim_func
    def padded(X: T.Buffer((6,), "float32"), Y: T.Buffer[(8,), "float64"]):
        with T.grid(8) as i:
            Y[i] = T.if_then_else(1 <= i and i < 7, X[i - 1], 0)

    v, out = array((6,)), np.zeros(8)
    tvm.build(padded)(v, out)
    np.testing.assert_array_equal(out, np.pad(v, 1).astype(np.float64))
    assert "cast" in padded.script()


def test_a_buffer_that_is_read_before_it_is_written():
    with refused("read early", "E0604", "B is read before it is written"):
        @T.prim_func
        def broken(a: T.handle, c: T.handle):
            A = T.match_buffer(a, (8,))
            C = T.match_buffer(c, (8,))
            B = T.alloc_buffer((8,))
            for i in T.grid(8):
                C[i] = B[i] + 1.0  # read early
            for i in T.grid(8):
                B[i] = A[i] * 2.0

    @T.prim_func
    def mended(a: T.handle, c: T.handle):
        A = T.match_buffer(a, (8,))
        C = T.match_buffer(c, (8,))
        B = T.alloc_buffer((8,))
        for i in T.grid(8):
            B[i] = A[i] * 2.0
        for i in T.grid(8):
            C[i] = B[i] + 1.0

    v, out = array((8,)), np.zeros(8, np.float32)
    tvm.build(mended)(v, out)
    np.testing.assert_allclose(out, v * 2 + 1, rtol=1e-6)
    with refused("no init", "E0604", "C is read before it is written"):
        @T.prim_func
        def sums(a: T.handle, c: T.handle):
            A = T.match_buffer(a, (8, 4))
            C = T.match_buffer(c, (8,))
            for i, k in T.grid(8, 4):
                C[i] += A[i, k]  # no init
    with refused("no Z", "E0604", "there is no Z"):
        @T.prim_func
        def loops(a: T.handle, c: T.handle):
            A = T.match_buffer(a, (8,))
            C = T.match_buffer(c, (8,))
            for i in T.grid(8):
                C[i] = A[i] + Z[i]  # no Z


def test_mistakes_in_loops():
    with refused("part", "E0604", "the store does not define all of Y"):
        @T.prim_func
        def part(x: T.handle, y: T.handle):
            X = T.match_buffer(x, (8,))
            Y = T.match_buffer(y, (8,))
            for i in T.grid(4):
                Y[i] = X[i]  # part
    with refused("twice", "E0604", "Y is written twice"):
        @T.prim_func
        def twice(x: T.handle, y: T.handle):
            X = T.match_buffer(x, (8,))
            Y = T.match_buffer(y, (8,))
            for i in T.grid(8):
                Y[i] = X[i]
                Y[i] = X[i] + 1.0  # twice
    with refused("more", "E0604", "Y is written for each j"):
        @T.prim_func
        def more(x: T.handle, y: T.handle):
            X = T.match_buffer(x, (8,))
            Y = T.match_buffer(y, (8,))
            for i, j in T.grid(8, 2):
                Y[i] = X[i]  # more
    with refused("first", "E0604", "Y begins with 1.0, and the reduction with 0"):
        @T.prim_func
        def first(x: T.handle, y: T.handle):
            X = T.match_buffer(x, (8, 4))
            Y = T.match_buffer(y, (8,))
            for i, j in T.grid(8, 4):
                with T.block():
                    with T.init():
                        Y[i] = 1.0
                    Y[i] += X[i, j]  # first
    with refused("indices", "E0109", "X"):
        @T.prim_func
        def indices(x: T.handle, y: T.handle):
            X = T.match_buffer(x, (8, 4))
            Y = T.match_buffer(y, (8,))
            for i in T.grid(8):
                Y[i] = X[i, i, i]  # indices
    with refused("unused", "E0604", "z is neither read nor written"):
        @T.prim_func
        def unused(x: T.handle, y: T.handle, z: T.handle):  # unused
            X = T.match_buffer(x, (8,))
            Y = T.match_buffer(y, (8,))
            for i in T.grid(8):
                Y[i] = X[i]
    with pytest.raises(TypeError, match="T.match_buffer stands in the text of a T.prim_func only"):
        T.match_buffer(3, (8,))
