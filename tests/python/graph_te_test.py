"""Tensor expressions with the names of TVM's te: what operations consist of, and what they compute."""

import os
import pathlib
import re

import numpy as np
import pytest

import strata as st
from graph_check import array
from strata.graph import compile, create_function, evaluate, ops, register, te


def test_the_parts_of_a_body():
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    c = te.compute((n,), lambda i: a[i] + b[i], name="C")
    d = te.compute((n,), lambda i: c[i] + b[i], name="D")
    body = d.op.body[0]
    assert body.op == "add"
    assert body.a.producer == c and body.b.producer == b
    assert len(body.a.indices) == 1
    assert d.op.input_tensors == [c, b]
    assert [str(v) for v in d.op.axis] == ["i"]
    assert d.op.reduce_axis == []
    assert c.op.name == "C" and c.dtype == "float32" and c.ndim == 1


def test_a_visit_sees_parts_before_the_whole():
    n = te.var("n")
    a, b, e = (te.placeholder((n,), name=name) for name in "ABE")
    d = te.compute((n,), lambda i: (a[i] + b[i]) + e[i])
    seen = []
    te.post_order_visit(d.op.body[0], lambda part: seen.append(repr(part)))
    seen = [part for part in seen if part != "i"]
    assert seen == ["A[i]", "B[i]", "A[i] + B[i]", "E[i]", "A[i] + B[i] + E[i]"]
    assert d.op.input_tensors == [a, b, e]


def test_several_outputs_of_one_operation():
    n0, n1 = te.var("n0"), te.var("n1")
    a0, a1 = te.placeholder((n0, n1), name="A0"), te.placeholder((n0, n1), name="A1")
    b0, b1 = te.compute((n0, n1), lambda i, j: (a0[i, j] + 2.0, a1[i, j] * 3.0), name="B")
    assert b0.op.num_outputs == 2 and (b0.value_index, b1.value_index) == (0, 1)
    assert b0 != b1 and len(b0.op.body) == 2
    assert b0.op.input_tensors == [a0, a1]
    x, y = array((3, 4)), array((3, 4))
    for got, want in zip(compile([b0, b1])(x, y), (x + 2, y * 3)):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6)


def test_indices_may_be_given_one_by_one():
    n, m = te.var("n"), te.var("m")
    x = te.placeholder((n, m), name="x")
    y = te.compute((m, n), lambda i, j: x[j][i])
    v = array((3, 5))
    [got] = compile([y])(v)
    np.testing.assert_array_equal(np.asarray(got), v.T)


def test_reductions():
    n, m = te.var("n"), te.var("m")
    x = te.placeholder((n, m), name="x")
    k, l = te.reduce_axis((0, m), name="k"), te.reduce_axis((0, n), name="l")
    row = te.compute((n,), lambda i: te.sum(x[i, k], axis=k))
    whole = te.compute((), lambda: te.max(x[l, k], axis=[l, k]))
    where = te.compute((n,), lambda i: st.argmax(k, x[i, k]))
    v = array((4, 6))
    for got in (compile([row, whole, where[1]])(v), evaluate([row, whole, where[1]], {x: v})):
        np.testing.assert_allclose(np.asarray(got[0]), v.sum(1), rtol=1e-5, atol=1e-5)
        assert np.asarray(got[1]) == v.max()
        np.testing.assert_array_equal(np.asarray(got[2]), v.argmax(1))


def test_two_axes_of_one_name_are_two():
    n, m = te.var("n"), te.var("m")
    a, w = te.placeholder((n, m), name="A"), te.placeholder((n,), name="k")
    k, also_k = te.reduce_axis((0, n), "k"), te.reduce_axis((0, m), "k")
    i = te.reduce_axis((0, m), "i")
    assert k.name == str(k) == "k" and repr(also_k) == "Var('k', 0i32, m)"
    whole = te.compute((), lambda: te.sum(
        a[k, also_k] * w[k] + st.cast("float32", also_k), axis=[k, also_k]))
    assert [str(v) for v in whole.op.reduce_axis] == ["k", "k_1"]
    rows = te.compute((n,), lambda j: te.max(a[j, i], axis=i), name="i")
    rv, also_rv = te.reduce_axis((0, n)), te.reduce_axis((0, m))
    unnamed = te.compute((), lambda: te.prod(a[rv, also_rv], axis=[rv, also_rv]))
    x, weights = array((3, 5)), array((3,))
    compiled = compile([whole, rows, unnamed])
    given = [x if t == a else weights for t in compiled.arguments]
    want = [(x * weights[:, None] + np.arange(5)).sum(), x.max(axis=1), x.prod()]
    for got in (compiled(*given), evaluate([whole, rows, unnamed], {a: x, w: weights},
                                           {"n": 3, "m": 5})):
        for one, wanted in zip(got, want):
            np.testing.assert_allclose(np.asarray(one), wanted, rtol=1e-5)
    with pytest.raises(st.Error, match="E0101(.|\n)* k is not an iterator here"):
        te.compute((n,), lambda j: a[j, also_k])


def test_a_gather_has_the_indices_first():
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), "int64", "B")
    c = te.compute((n,), lambda i: a[b[i]])
    assert [t.name for t in c.op.input_tensors] == ["B", "A"]


def test_tensors_become_a_function_that_is_scheduled_as_any():
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    c = te.compute((n,), lambda i: a[i] + b[i], name="C")
    function, arguments = create_function("add", [a, b, c])
    assert [buffer.name for buffer in arguments] == ["A", "B", "C"]
    assert "computation C of C float32 (i)" in function.text()
    kernel = function.jit(arguments)
    x, y = array((5,)), array((5,))
    np.testing.assert_array_equal(np.asarray(kernel(x, y)), x + y)


def test_mistakes_name_the_line():
    n = te.var("n")
    x = te.placeholder((n, n), name="x")
    k = te.reduce_axis((0, n), name="k")
    with pytest.raises(st.Error, match=r"E0117(.|\n)*graph_te_test\.py"):
        te.compute((n,), lambda i: te.sum(x[i, k], axis=k) + 1.0)
    with pytest.raises(st.Error, match=r"E0109(.|\n)*graph_te_test\.py"):
        te.compute((n,), lambda i: x[i, i, i] + 1.0)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_te_test\.py(.|\n)*float32(.|\n)*int32"):
        ops.add(x, te.placeholder((n, n), "int32"))
    with pytest.raises(st.Error, match="E0603(.|\n)*write axis"):
        ops.softmax(x, axes=1)
    with pytest.raises(AttributeError, match="sofmax"):
        ops.sofmax(x)
    with pytest.raises(TypeError, match="returns no expression"):
        te.compute((n,), lambda i: "one")
    with pytest.raises(st.Error, match="E0602(.|\n)*n is 2"):
        compile([ops.add(x, te.placeholder((n, n), name="y"))])(array((2, 2)), array((2, 3)))


def test_a_python_function_on_whole_arrays():
    n = te.var("n")
    x = te.placeholder((n, 2), name="x")

    def shifted(ins, outs):
        np.asarray(outs[0])[...] = np.asarray(ins[0]) + len(ins)
        np.asarray(outs[1])[...] = np.asarray(ins[0]).shape[0]

    y, count = te.extern([(n, 2), (1, 2 * n)], [x], shifted, name="shifted", dtype=["float32", "int32"])
    assert (y.op.kind, x.op.kind) == ("extern", "placeholder")
    v = array((3, 2))
    got = [np.asarray(a) for a in compile([y, count])(v)]
    np.testing.assert_array_equal(got[0], v + 1)
    np.testing.assert_array_equal(got[1], np.full((1, 6), 3))
    with pytest.raises(TypeError, match="dtype says that of the result"):
        te.extern((n,), [], shifted)


def test_functions_on_whole_arrays_that_fail():
    x = te.placeholder((te.var("n"),), "float16", "x")
    with pytest.raises(st.Error, match="cast it to float32"):
        ops.sort(x)


def test_the_program_of_the_page():
    page = pathlib.Path(os.environ["STRATA_SOURCE"], "docs", "graph.md").read_text(encoding="utf-8")
    program, tropical, positive, *_ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    x, w = array((3, 4)), array((5, 4))
    names = dict(x_array=x, w_array=w, numpy=np, register=register)
    exec(program, names)
    e = np.exp(np.maximum(x @ w.T, 0))
    np.testing.assert_allclose(np.asarray(names["y"]), e / e.sum(1, keepdims=True), rtol=1e-5)
    exec(tropical, names)
    [y] = compile([names["tropical"](te.placeholder((3, 4)), te.placeholder((5, 4)))])(x, w)
    np.testing.assert_allclose(np.asarray(y), (x[:, None] + w[None]).max(2), rtol=1e-6)
    exec(positive, names)
    [y] = compile([names["positive"](te.placeholder((te.var("n"),)))])(x[0])
    np.testing.assert_array_equal(np.asarray(y), x[0][x[0] > 0])
