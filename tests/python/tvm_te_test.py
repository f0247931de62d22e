"""Tensor expressions as programs for TVM write them: strata.tvm.te and tir."""

import subprocess
import sys

import numpy as np
import pytest

import strata as st
import strata.tvm as tvm
from graph_check import array
from strata.graph import compile, evaluate
from strata.tvm import te, tir


def test_loads_and_their_producers():
    n = te.var("n")
    left, right = te.placeholder((n,), name="left"), te.placeholder((n,), name="right")
    total = te.compute(left.shape, lambda i: left[i] + right[i], name="total", tag="broadcast")
    again = te.compute((n,), lambda i: total[i] + right[i], name="again")
    body = again.op.body[0]
    assert isinstance(body, tir.Add) and not isinstance(body, tir.Mul)
    assert isinstance(body.a, tir.ProducerLoad) and body.a.producer == total
    assert body.b.producer == right and len(body.a.indices) == len(body.b.indices) == 1
    assert again.op.input_tensors == [total, right]
    assert isinstance(left.op, te.PlaceholderOp) and isinstance(again.op, te.ComputeOp)
    square = te.compute((n,), lambda i: left[i] * left[i])
    assert square.op.input_tensors == [left]
    at = te.placeholder((n,), "int64", name="at")
    gathered = te.compute((n,), lambda i: left[at[i]])
    assert gathered.op.input_tensors == [at, left]


def test_a_post_order_visit():
    n = te.size_var("n")
    a, b, e = (te.placeholder((n,), name=name) for name in "ABE")
    d = te.compute((n,), lambda i: a[i] + b[i] + e[i])
    seen = []
    tir.stmt_functor.post_order_visit(d.op.body[0], lambda part: seen.append(part))
    assert [str(part) for part in seen if not isinstance(part, tir.Var)] == [
        "A[i]", "B[i]", "A[i] + B[i]", "E[i]", "A[i] + B[i] + E[i]"]
    assert d.op.input_tensors == [a, b, e]


def test_two_outputs_of_one_operation():
    n0, n1 = te.var("n0"), te.var("n1")
    a0, a1 = te.placeholder((n0, n1), name="A0"), te.placeholder((n0, n1), name="A1")
    b0, b1 = te.compute((n0, n1), lambda i, j: (a0[i, j] + 2, a1[i, j] * 3), name="B")
    assert b0.op.output(0) == b0.op.output(0) == b0 and b0.op.output(1) == b1 != b0
    assert {b0.op.output(1): 1}[b1] == 1 and (b0.value_index, b1.value_index) == (0, 1)
    assert len(b0.op.body) == 2 and b1.op.input_tensors == [a0, a1]
    with pytest.raises(IndexError, match="B has 2 outputs"):
        b0.op.output(2)
    x, y = array((3, 4)), array((3, 4))
    for got, want in zip(compile([b0, b1])(x, y), (x + 2, y * 3)):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6)


def test_dims_compare_by_their_values():
    n, m = te.var("n"), tir.Var("m", "int32")
    a = te.placeholder((n, 2 * m), name="a")
    assert tuple(a.shape) == (n, m * 2) and n == n and n != m and not n == m
    assert n + m - m == n and a.shape[0] == n and {n * 4: 1}[4 * n] == 1
    assert n.dtype == "int64" and n.name == "n" and isinstance(n, tir.Var)
    with pytest.raises(TypeError, match="an Expr has no value"):
        bool(a[0, 0] == n)
    b = te.compute((n, 2 * m), lambda i, j: tir.if_then_else(i == n - 1, 1.0, a[i, j]))
    v = array((3, 4))
    want = v.copy()
    want[2] = 1
    np.testing.assert_array_equal(np.asarray(compile([b])(v, m=2)[0]), want)


def test_tensors_are_added_as_numpy_does():
    n = te.var("n")
    a, b = te.placeholder((n, 4), name="a"), te.placeholder((4,), name="b")
    v, w = array((3, 4)), array((4,))
    for made, want in ((a + b, v + w), (b - a, w - v), (2 * a, 2 * v), (1 - b, 1 - w),
                       (a / 4, v / 4)):
        arguments = {t: x for t, x in ((a, v), (b, w)) if t in made.op.input_tensors}
        np.testing.assert_allclose(np.asarray(evaluate([made], arguments)[0]), want, rtol=1e-6)
    assert str((a + 1).op.body[0]) == "a[i0, i1] + 1.0f32"
    with pytest.raises(TypeError, match="unsupported operand"):
        a + "one"
    with pytest.raises(st.Error, match=r"E0602(.|\n)*tvm_te_test\.py(.|\n)*4"):
        a + te.placeholder((5,), name="five")


def test_axes_of_one_name_are_two():
    n = te.var("n")
    x = te.placeholder((n, 3, 4), name="x")
    axes = [te.reduce_axis((0, 3)), te.reduce_axis((0, 4))]
    total = te.compute((n,), lambda i: te.sum(x[i, axes[0], axes[1]], axis=axes), name="total")
    assert [k.name for k in total.op.reduce_axis] == ["rv", "rv_1"]
    assert str(total.op.body[0]) == "sum(rv in [0, 3), rv_1 in [0, 4) : x[i, rv, rv_1])"
    k = te.reduce_axis((0, 3), name="i")
    largest = te.compute((n,), lambda i: te.max(x[i, k, 0] + 1, axis=k), name="largest")
    assert [k.name for k in largest.op.reduce_axis] == ["i_1"]
    v = array((5, 3, 4))
    for computed in (compile([total, largest])(v), evaluate([total, largest], {x: v})):
        np.testing.assert_allclose(np.asarray(computed[0]), v.sum((1, 2)), rtol=1e-5)
        np.testing.assert_allclose(np.asarray(computed[1]), v[:, :, 0].max(1) + 1, rtol=1e-6)


def test_reducers_of_an_author():
    n = te.var("n")
    x = te.placeholder((3, n), name="x")
    k = te.reduce_axis((0, n), name="k")
    total = te.comm_reducer(lambda a, b: a + b, lambda t: tir.const(0, dtype=t))
    row = te.compute((3,), lambda i: total(x[i, k], axis=k))

    def larger(a, b):
        return (tir.Select(a[1] >= b[1], a[0], b[0]), tir.Select(a[1] >= b[1], a[1], b[1]))

    place = te.placeholder((3, n), "int32", name="place")
    argmax = te.comm_reducer(larger, lambda t, u: (tir.const(-1, t), te.min_value(u)))
    at, largest = te.compute((3,), lambda i: argmax((place[i, k], x[i, k]), axis=k))
    v, p = array((3, 7)), np.tile(np.arange(7, dtype=np.int32), (3, 1))
    got = [np.asarray(a) for a in evaluate([row, at, largest], {x: v, place: p})]
    np.testing.assert_allclose(got[0], v.sum(1), rtol=1e-5)
    np.testing.assert_array_equal(got[1], v.argmax(1))
    np.testing.assert_array_equal(got[2], v.max(1))


def test_a_packed_function_as_an_operation():
    @tvm.register_func("test.tvm.scale")
    def scale(x, factor, result, times):
        tvm.nd.array(x.numpy() * factor.numpy() * times).copyto(result)

    n = te.var("n")
    x, factor = te.placeholder((n, 2), name="x"), te.placeholder((), name="factor")
    y = te.extern((n, 2), [x, factor],
                  lambda ins, outs: tir.call_packed("test.tvm.scale", ins[0], ins[1], outs[0], 3))
    assert isinstance(y.op, te.ExternOp) and y.op.input_tensors == [x, factor]
    v = array((5, 2))
    np.testing.assert_allclose(np.asarray(compile([y])(v, np.float32(2))[0]), v * 6, rtol=1e-6)
    pair = te.extern([(2 * n,), (3,)], [x], lambda ins, outs: tir.call_packed("test.none", *outs),
                     dtype=["int32", "float32"])
    assert [t.dtype for t in pair] == ["int32", "float32"]
    with pytest.raises(st.Error, match=r'E0601(.|\n)*register_packed\("test.none"'):
        compile([pair[0]])(v)
    with pytest.raises(TypeError, match="and no tvm.tir.call_packed"):
        te.extern((n,), [x], lambda ins, outs: ins[0])


def element_wise():
    a = te.placeholder((8, 8), name="a")
    b = te.compute((8, 8), lambda x, y: a[x, y] * 2, name="b")
    return [a, te.compute((8, 8), lambda x, y: b[x, y] + 1, name="c")]


def test_a_function_of_tensors():
    made = te.create_prim_func(element_wise())
    assert made == te.create_prim_func(element_wise())
    a, c = element_wise()
    assert made != te.create_prim_func([c, a])
    assert made != te.create_prim_func([a, te.compute((8, 8), lambda x, y: a[x, y] + 1)])
    x, y = tvm.nd.array(array((8, 8))), tvm.nd.empty((8, 8))
    tvm.build(made, target="llvm")(x, y)
    np.testing.assert_allclose(y.numpy(), x.asnumpy() * 2 + 1, rtol=1e-6)


def test_names_that_are_not_here():
    with pytest.raises(AttributeError, match="strata.tvm.te has no create_schedule; instead"):
        te.create_schedule
    with pytest.raises(AttributeError, match="te has no computed; instead: there is compute"):
        te.computed
    with pytest.raises(ImportError):
        from strata.tvm import topi


def test_importing_strata_imports_none_of_it():
    told = subprocess.run([sys.executable, "-c", "import strata, sys; print([m for m in "
                           "sys.modules if m.startswith(('strata.tvm', 'strata.graph'))])"],
                          capture_output=True, text=True, check=True).stdout
    assert told == "[]\n"
