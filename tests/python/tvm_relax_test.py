"""Relax's first design, as programs for TVM write them: strata.tvm.relax."""

import numpy as np
import pytest

import strata as st
import strata.tvm as tvm
from graph_check import array
from strata.graph import run
from strata.tvm import relax, te, tir
from strata.tvm import relax as rx
from tvm_check import TWO_EXTENTS, check, checked


def variables():
    n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
    matrix = rx.DynTensorType(rank=2, dtype="float32")
    return n, m, rx.Var("x", [n, m], matrix), rx.Var("y", [n, m], matrix)


def test_a_dataflow_block_and_names():
    m, n = tir.Var("m", "int32"), tir.Var("n", "int32")
    x = rx.Var("x", [m, n], rx.DynTensorType(rank=2, dtype="float16"))
    y = rx.Var("y", [n], rx.DynTensorType(rank=1, dtype="float16"))
    ib = rx.BlockBuilder()
    with ib.function("func", [x, y]):
        with ib.dataflow():
            lv0 = ib.emit(rx.op.add(x, y))
            lv1 = ib.emit(rx.op.multiply(lv0, y))
            gv0 = ib.emit_output(lv1)
        ib.emit_func_output(gv0)
    assert [v.name_hint for v in (lv0, lv1, gv0)] == ["lv", "lv1", "gv"]
    assert isinstance(lv1, rx.DataflowVar) and not isinstance(gv0, rx.DataflowVar)
    func = checked(ib.get())["func"]
    assert func.params == [x, y] and func.body.body == gv0 and func.name.name_hint == "func"
    assert gv0.shape[0] == m and gv0.shape[1] == n and gv0.shape[0] != n
    assert gv0.checked_type.rank == 2 and gv0.checked_type.dtype == "float16"
    [block] = func.body.blocks
    assert isinstance(block, rx.DataflowBlock) and len(block.bindings) == 3
    first = block.bindings[0]
    assert first.var == lv0 and isinstance(first.value, rx.Call)
    assert first.value.op.name == "add" and first.value.args == [x, y]
    assert block.bindings[2].value == lv1


def test_relax_func():
    """Two blocks: a dataflow one of two bindings, a plain one of one."""
    n, m, x, y = variables()
    ib = relax.BlockBuilder()
    with ib.function([x, y], "relax_func"):
        with ib.dataflow():
            lv = ib.emit(relax.add(x, y))
            gv = ib.emit_output(relax.multiply(lv, y))
        gv1 = ib.emit(relax.exp(gv))
        ib.emit_func_output(gv1)
    mod = checked(ib.get())
    first, second = mod["relax_func"].body.blocks
    assert isinstance(first, rx.DataflowBlock) and len(first.bindings) == 2
    assert not isinstance(second, rx.DataflowBlock) and len(second.bindings) == 1
    assert [v.name_hint for v in (lv, gv, gv1)] == ["lv", "gv", "gv1"]
    for extents in TWO_EXTENTS:
        v, w = array(extents), array(extents)
        check(mod, "relax_func", [v, w], np.exp((v + w) * w))


def test_extents_that_a_match_defines():
    m, n = tir.Var("m", dtype="int32"), tir.Var("n", dtype="int32")
    x = rx.Var("tensor_value", type_annotation=rx.DynTensorType(-1, "float32"))
    y = rx.Var("shape_value", type_annotation=rx.ShapeType(), shape_annotation=[16, 8])
    ib = rx.BlockBuilder()
    with ib.function("func", [x, y]):
        with ib.dataflow():
            lv0 = ib.match_shape(x, [m, n])
            assert isinstance(lv0, rx.DataflowVar)
            assert lv0.shape[0] == m and lv0.shape[1] == n
            assert lv0.checked_type.rank == 2 and lv0.checked_type.dtype == "float32"
            lv1 = ib.match_shape(y, [m, n])
            assert lv1.checked_type == rx.ShapeType()
            gv0 = ib.emit_output(lv1)
        ib.emit_func_output(gv0)
    mod = checked(ib.get())
    first, second = mod["func"].body.blocks[0].bindings[:2]
    assert isinstance(first, rx.MatchShape) and isinstance(second, rx.MatchShape)
    assert first.value == x and first.var == lv0 and first.pattern == [m, n]
    assert second.value == y and second.var == lv1 and second.pattern[1] == n
    assert run(mod.graph, "func", np.ones((16, 8), np.float32), (16, 8)) == (16, 8)
    with pytest.raises(st.Error, match="E0602(.|\n)*extent 1 of %shape_value is 8"):
        run(mod.graph, "func", np.ones((16, 9), np.float32), (16, 8))


def test_computations_of_several_values():
    n, m, x, y = variables()
    z = rx.Var("z", [n, m], rx.DynTensorType(2, "float32"))

    def te_func(args, args_dict, msg):
        assert msg == "hello"
        a, b = args
        c = args_dict["C"]
        d = te.compute((n, m), lambda i, j: a[i, j] + b[i, j])
        return te.compute((n, m), lambda i, j: d[i, j] - c[i, j])

    bb = rx.BlockBuilder()
    with bb.function("rx_func", [x, y, z]):
        out = bb.emit_te(te_func, [x, y], {"C": z}, msg="hello")
        bb.emit_func_output(out)
    mod = checked(bb.get())
    call = mod["rx_func"].body.blocks[0].bindings[0].value
    assert call.op.name == "relax.call_tir" and call.args[0].name_hint == "te_func"
    assert list(call.args[1].fields) == [x, y, z] and call.args[2][0] == n
    a, b, c = (te.placeholder((n, m), name=name) for name in "ABC")
    wanted = te.create_prim_func([a, b, c, te_func((a, b), {"C": c}, "hello")])
    tvm.ir.assert_structural_equal(mod["te_func"], wanted)
    for extents in TWO_EXTENTS:
        v = [array(extents) for _ in range(3)]
        check(mod, "rx_func", v, v[0] + v[1] - v[2])


def test_equal_computations_are_one_kernel():
    n, m, x, y = variables()
    bb = rx.BlockBuilder()

    def te_func(a):
        return a + 1

    with bb.function("rx_func", [x, y]):
        first = bb.emit_te(te_func, x)
        second = bb.emit_te(te_func, y)
        third = bb.emit_te(lambda a, b: a * b, first, second)
        bb.emit_func_output(bb.emit_te(te_func, third, primfunc_name_hint="more"))
    mod = checked(bb.get())
    assert list(mod.graph.kernels) == ["te_func", "te_func1"]
    for extents in TWO_EXTENTS:
        v, w = array(extents), array(extents)
        check(mod, "rx_func", [v, w], (v + 1) * (w + 1) + 1)


def test_a_symbol_that_is_no_extent():
    n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
    x = rx.Var("x", [n, 2 * tir.floordiv(m, 2)], rx.DynTensorType(2, "float32"))
    s = rx.Var("s", [m], rx.ShapeType())
    bb = rx.BlockBuilder()
    with bb.function("main", [x, s]):
        bb.emit_func_output(bb.emit_te(lambda a: a + 1, x))
    mod = checked(bb.get())
    assert mod.graph.kernels["te_func"].integers == ["m"]
    v = array((3, 4))
    got = np.asarray(run(mod.graph, "main", v, (5,)))
    assert got.shape == (3, 4) and np.array_equal(got, v + 1)


def exp_and_flatten():
    n, m = tir.Var("n"), tir.Var("m")
    x = te.placeholder((n, m), name="x")
    from strata.graph import ops

    exp = te.compute((n, m), lambda i, j: tir.exp(x[i, j]), name="exp")
    return (te.create_prim_func([x, exp]).named("exp"),
            te.create_prim_func([x, ops.flatten(x)]).named("flatten"))


@pytest.mark.parametrize("is_first", [True, False])
def test_myfunc(is_first):
    n, m, x, _ = variables()
    exp, flatten = exp_and_flatten()
    bb = rx.BlockBuilder()
    with bb.function("myfunc", [x]):
        with bb.dataflow():
            if is_first:
                lv0 = bb.emit(rx.call_dps((n, m), exp, [x]))
                gv0 = bb.emit_output(rx.call_dps((m * n,), flatten, [lv0]))
            else:
                lv0 = bb.emit(rx.call_tir(exp, x, (n, m), dtype="float32"))
                gv0 = bb.emit_output(rx.call_tir(flatten, lv0, rx.ShapeExpr([m * n])))
        bb.emit_func_output(gv0)
    mod = checked(bb.get())
    assert list(mod.graph.kernels) == ["exp", "flatten"] and gv0.shape[0] == n * m
    for extents in TWO_EXTENTS:
        v = array(extents)
        check(mod, "myfunc", [v], np.exp(v).ravel())


def test_packed_functions():
    @tvm.register_func("test.relax.twice")
    def twice(x, out):
        out[...] = 2 * x

    @tvm.register_func("test.relax.increment")
    def increment(x):
        x += 1

    n, m, x, _ = variables()
    bb = rx.BlockBuilder()
    with bb.function("main", [x]):
        with bb.dataflow():
            gv = bb.emit_output(rx.call_tir(rx.ExternFunc("test.relax.twice"), (x,), (n, m)))
        bb.emit(rx.Call(rx.ExternFunc("test.relax.increment"), [gv]))
        bb.emit(rx.call_packed("test.relax.increment", gv))
        bb.emit_func_output(gv)
    mod = checked(bb.get())
    for extents in TWO_EXTENTS:
        v = array(extents)
        check(mod, "main", [v], 2 * v + 2)
    # In a dataflow block everything is pure, at its author's word.
    shape = rx.Var("shape", [n], rx.ShapeType())
    bb = rx.BlockBuilder()
    with bb.function("main", [shape]):
        with bb.dataflow():
            gv = bb.emit_output(rx.call_packed("test.relax.same", shape, type_args=rx.ShapeType()))
        bb.emit_func_output(gv)
    assert 'call_packed("test.relax.same", (%shape), pure)' in str(checked(bb.get()))


def test_passes_keep_the_kind_of_a_module():
    n, m, x, y = variables()
    bb = rx.BlockBuilder()
    with bb.function("main", [x, y]):
        with bb.dataflow():
            gv = bb.emit_output(rx.op.add(rx.op.multiply(x, y), y))
        bb.emit_func_output(gv)
    mod = bb.get()
    seen = []

    @tvm.transform.module_pass(opt_level=0)
    def look(mod, ctx):
        seen.append(type(mod["main"]))
        return mod

    fused = tvm.transform.Sequential([relax.transform.FMARewrite(), look])(mod)
    assert seen == [rx.Function] and "ewise_fma(%x, %y, %y)" in str(fused)
    assert fused["main"].body.blocks[0].bindings[0].value.op.name == "ewise_fma"


def test_mistakes():
    n, m, x, y = variables()
    bb = rx.BlockBuilder()
    with pytest.raises(st.Error, match=r"E0601(.|\n)*tvm_relax_test\.py"):
        with bb.function("func", [x, y]):
            with bb.function("inner", [x]):
                pass
    with pytest.raises(st.Error, match=r"E0601(.|\n)*tvm_relax_test\.py"):
        with bb.function("func", [x, y]):
            gv0 = bb.emit(rx.op.add(x, y))
            bb.emit_func_output(gv0)
            bb.emit_func_output(gv0)
    with pytest.raises(st.Error, match="E0601"):
        with bb.function("func", [x, y]):
            bb.emit_func_output(bb.emit(rx.op.add(x, y)), [x])
    with pytest.raises(st.Error, match="E0601"):
        with bb.function("func"):
            bb.emit_func_output(bb.emit(rx.Call(rx.ExternFunc("test.nop"), None)))
    with pytest.raises(st.Error, match=r"E0602(.|\n)*tvm_relax_test\.py"):
        with bb.function("func", [x]):
            bb.emit(rx.op.add(x, rx.Var("z", [n + 1, m])))
    with bb.function("func", [x]):  # the builder stays usable
        bb.emit_func_output(bb.emit(rx.op.exp(x)))
    assert list(checked(bb.get()).graph.functions) == ["func"]
    with pytest.raises(AttributeError, match="relay has no build; instead: relax.vm.build"):
        tvm.relay.build
    with pytest.raises(AttributeError, match="relax.op has no expp; instead: there is exp"):
        rx.op.expp
