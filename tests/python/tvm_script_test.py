"""The script form of programs for TVM: modules and R.function."""

from __future__ import annotations  # symbols are not defined before they are named

import numpy as np
import pytest

import strata as st
import strata.tvm as tvm
from graph_check import array
from strata.graph import Shape, register_packed, run
from strata.tvm import relax
from strata.tvm.script import relax as R
from strata.tvm.script import tir as T
from tvm_check import TWO_EXTENTS, check, checked, refused


@register_packed("test.script.increment")
def increment(x):
    np.asarray(x)[...] += 1


@register_packed("test.script.doubled")
def doubled(shape):
    return Shape(2 * extent for extent in shape)


@register_packed("test.script.spread")
def spread(source, target):
    np.asarray(target)[...] = np.repeat(np.asarray(source), 2)


# ---- modules ----


@tvm.script.ir_module
class MyIRModule:
    @T.prim_func
    def tir_exp_func(x: T.handle, y: T.handle):
        T.func_attr({"global_symbol": "tir_exp_func"})
        n = T.var("n")
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        with T.grid(n) as i:
            Y[i] = T.exp(X[i])

    @R.function
    def relax_func(x: R.Tensor[(n, k), "float32"], w: R.Tensor[_, "float32"]):
        with R.dataflow():
            lv0 = R.match_shape(w, (k, m))
            lv1: R.Tensor[(n, m), "float32"] = R.dot(x, lv0)
            lv2: R.Tensor[(n * m,), "float32"] = R.flatten(lv1)
            lv3: R.Shape = (n * m,)
            gv0 = R.call_tir(tir_exp_func, [lv2], lv3, dtype="float32")
            R.outputs(gv0)

        R.call_packed("test.script.increment", gv0)
        return gv0


def test_my_ir_module():
    mod = checked(MyIRModule)
    assert str(mod) == """\
kernel @tir_exp_func(X: Tensor[(n), float32]) {
  Y(i): Tensor[(n), float32] = exp(X[i])
  return Y
}
def @relax_func(%x: Tensor[(n, k), float32], %w: Tensor[_, float32]) -> Tensor[(m * n), float32] {
  dataflow {
    %lv = match_shape(%w, (k, m))
    %lv1 = matmul(%x, %lv)
    %lv2 = flatten(%lv1)
    %lv3 = (m * n)
    %gv = call_kernel(%lv3, @tir_exp_func, (%lv2))
    output %gv
  }
  %gv1 = call_packed("test.script.increment", (%gv))
  %gv
}
"""
    for rows, columns in TWO_EXTENTS:
        x, w = array((rows, columns)), array((columns, 4))
        check(mod, "relax_func", [x, w], np.exp((x @ w).ravel()) + 1)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*extent 0 of %w is 4, and k is 3"):
        run(mod.graph, "relax_func", array((2, 3)), array((4, 2)))


def test_functions_of_a_module_call_each_other():
    @tvm.script.ir_module
    class Calls:
        @R.function
        def twice(x: R.Tensor[(n,), "float32"]) -> R.Tensor[(n,), "float32"]:
            y = R.add(x, x)
            return y

        @R.function
        def main(x: R.Tensor[(n, 2), "float32"]):
            flat = R.flatten(x)
            pair = (twice(flat), flat)
            first = pair[0]
            return first

    v = array((3, 2))
    check(checked(Calls), "main", [v], 2 * v.ravel())


# ---- functions ----


@R.function
def shape_example(x: R.Tensor[(n, 2, 2), "f32"]):
    with R.dataflow():
        # known extents, and a shape that is a value
        lv0: R.Tensor[(n, 4), "f32"] = R.reshape(x, (n, 4))
        lv1: R.Tensor[(n * 4,), "f32"] = R.flatten(lv0)
        lv2: R.Shape = (n * 4,)
        # a shape that a packed function computes
        lv3: R.Shape = R.call_packed("test.script.doubled", lv2)
        lv4: R.Tensor[lv3, "f32"] = R.call_tir(lv3, "test.script.spread", [lv1])
        # extents that only the data shows
        lv5: R.Tensor[_, "f32"] = R.unique(lv4)
        lv6: R.Tensor[(m,), "f32"] = R.match_shape(lv5, (m,))
        gv0: R.Tensor[(m,), "f32"] = R.exp(lv6)
        R.outputs(gv0)
    return gv0


@R.function
def no_shapes(x: R.Tensor[_, _]):
    with R.dataflow():
        lv0 = R.log(x)
        lv1 = R.flatten(lv0)
        lv2 = R.match_shape(lv1, (m,))
        gv0 = R.exp(lv2)
        R.output(gv0)
    return gv0


@R.function
def doubled_extents(x: R.Tensor[_, "float32"]) -> R.Shape:
    n, m = T.var("int64"), T.var("int64")
    R.match_shape(x, (n, m))
    return (n * 2, m * 3)


@T.prim_func
def exp_of_two(x: T.handle, y: T.handle):
    X = T.match_buffer(x, (n, m))
    Y = T.match_buffer(y, (n, m))
    for i, j in T.grid(n, m):
        Y[i, j] = T.exp(X[i, j])


@R.function
def myfunc(x: R.Tensor((rows, columns), "float32")):
    with R.dataflow():
        lv0 = R.call_dps((rows, columns), exp_of_two, [x])
        gv0 = R.call_dps((rows * columns,), "test.script.flatten", [lv0])
        R.outputs(gv0)
    return gv0


def test_functions():
    @register_packed("test.script.flatten")
    def flatten(source, target):
        np.asarray(target)[...] = np.asarray(source).ravel()

    for extents in TWO_EXTENTS:
        v = array(extents)
        check(checked(myfunc.module), "myfunc", [v], np.exp(v).ravel())
        assert run(doubled_extents.module.graph, "doubled_extents", v) == (extents[0] * 2,
                                                                         extents[1] * 3)
    for extent in (3, 1, 0):
        v = array((extent, 2, 2))
        check(checked(shape_example.module), "shape_example", [v], np.exp(np.unique(v)))
    for extents in [(6,), (2, 3), (1, 2, 3), (2, 0, 3)]:
        v = np.abs(array(extents)) + np.float32(0.1)
        check(checked(no_shapes.module), "no_shapes", [v], v.ravel())
    assert [v.name_hint for v in shape_example.params] == ["x"]
    assert run(checked(doubled_extents.module).graph, "doubled_extents",
               np.ones((32, 16), np.float32)) == (64, 48)


def test_forms_of_a_function():
    @R.function
    def forms(x: R.Tensor(("n", 2), "float32"), y: R.Tensor("float32", ndim=1), z: R.Object):
        """What it does."""
        R.func_attr({"Primitive": 1})
        n = T.int64()
        y = R.match_shape(y, (n,))
        y = R.add(y, y)
        total: R.Tensor((), "float32") = R.sum(x, axes=[0, 1])
        with R.dataflow():
            y = R.multiply(y, total)
            gv = y
            known = R.match_shape(x, (n, 2))
            R.output(gv, known)
        pair: R.Tuple(R.Tensor((n,), "float32"), R.Tensor) = (gv, known)
        return (pair, (n, 2))

    v, w = array((3, 2)), array((3,))
    (got, same), shape = run(checked(forms.module).graph, "forms", v, w, None)
    np.testing.assert_allclose(np.asarray(got), 2 * w * v.sum(), rtol=1e-5)
    assert np.array_equal(same, v) and shape == (3, 2)


def test_names_of_early_programs():
    @R.function
    def early(x: Tensor[(n, m), "f32"], w: Tensor[_, "f32"]):
        with relax.dataflow():
            known = relax.match_shape(w, (n, m))
            total = relax.add(x, known)
            relax.output(total)
        return total

    v, w = array((2, 3)), array((2, 3))
    check(checked(early.module), "early", [v, w], v + w)


# ---- listings that are broken, and how they are mended ----


def test_names_that_do_not_exist():
    with refused("no lv9", "E0604", "column 23: there is no lv9"):
        @R.function
        def broken(x: R.Tensor[(n,), "float32"]):
            lv0 = R.exp(x)
            y = R.add(lv9, lv0)  # no lv9
            return y

    @R.function
    def mended(x: R.Tensor[(n,), "float32"]):
        lv0 = R.exp(x)
        y = R.add(lv0, lv0)
        return y

    v = array((3,))
    check(checked(mended.module), "mended", [v], 2 * np.exp(v))
    with pytest.raises(AttributeError, match="has no expp; instead: there is exp"):
        @R.function
        def operator(x: R.Tensor[(n,), "float32"]):
            y = R.expp(x)
            return y


def test_mistakes_in_functions():
    with refused("add", "E0602", "add"):
        @R.function
        def extents(x: R.Tensor[(n,), "float32"], y: R.Tensor[(n + 1,), "float32"]):
            z = R.add(x, y)  # add
            return z
    with refused("stated", "E0604", "2 * n is stated for extent 0"):
        @R.function
        def stated(x: R.Tensor[(n,), "float32"]):
            y: R.Tensor[(2 * n,), "float32"] = R.exp(x)  # stated
            return y
    with refused("unknown", "E0604", "match_shape checks"):
        @R.function
        def unknown(x: R.Tensor[(n,), "float32"], y: R.Tensor[_, "float32"]):
            z: R.Tensor[(n,), "float32"] = R.exp(y)  # unknown
            return z
    with refused("no result", "E0604", "ends without a result"):
        @R.function
        def nothing(x: R.Tensor[(n,), "float32"]):
            y = R.exp(x)  # no result
    with refused("late", "E0604", "the block ends without its outputs"):
        @R.function
        def late(x: R.Tensor[(n,), "float32"]):
            with R.dataflow():
                y = R.exp(x)
                R.outputs(y)
                z = R.exp(y)  # late
            return y
    with refused("outer", "E0604", "x is an output, and the block does not define it"):
        @R.function
        def outer(x: R.Tensor[(n,), "float32"]):
            with R.dataflow():
                y = R.exp(x)
                R.outputs(x, y)  # outer
            return y
    with refused("outside", "E0604", "outputs are those of a dataflow block"):
        @R.function
        def outside(x: R.Tensor[(n,), "float32"]):
            y = R.exp(x)
            R.outputs(y)  # outside
            return y
    with refused("local", "E0604", "there is no y"):
        @R.function
        def local(x: R.Tensor[(n,), "float32"]):
            with R.dataflow():
                y = R.exp(x)
                z = R.exp(y)
                R.outputs(z)
            return y  # local
    with refused("no type", "E0604", "3 is not a type"):
        @R.function
        def no_type(x: 3):  # no type
            return x
    with refused("while", "E0604", "While is not read here"):
        @R.function
        def loop(x: R.Tensor[(n,), "float32"]):
            while x:  # while
                pass
            return x
    with pytest.raises(TypeError, match="its text is in no file"):
        exec("@R.function\ndef f(x):\n  return x\n", {"R": R})
