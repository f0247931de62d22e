"""Modules built for the machine, and their names in strata.tvm."""

import numpy as np
import pytest

import strata.tvm as tvm
from strata import vm
from strata.graph import (GraphBuilder, ValueType, build, call_packed, ops, register_packed, run, te,
                          transform, variable)
from strata.tvm import relax, tir

n, m = te.var("n"), te.var("m")


def softmax_module():
    x = variable("x", ValueType.tensor((n, m), "float32"))
    b = GraphBuilder()
    with b.function("main", [x]):
        with b.dataflow():
            y = b.emit_output(ops.softmax(ops.add(ops.exp(x), x)))
        b.emit_function_output(y)
    return b.module()


def test_a_module_is_built_and_called():
    module = softmax_module()
    built = build(module)
    assert built.executable.functions == ["main"]
    assert sorted(built.kernels) == ["fused_exp_add_softmax"]
    machine = vm.VirtualMachine(built)
    for shape in [(3, 5), (1, 1), (0, 4)]:
        x = np.linspace(-1, 1, shape[0] * shape[1], dtype=np.float32).reshape(shape)
        e = np.exp(np.exp(x) + x)
        np.testing.assert_allclose(machine["main"](x), e / e.sum(1, keepdims=True), rtol=1e-5)
    with pytest.raises(vm.VmError, match="%x, .*: its elements are float64, and float32"):
        machine["main"](np.ones((2, 2)))
    interpreted = vm.VirtualMachine(build(module, interpreted=True))
    np.testing.assert_allclose(interpreted["main"](x), machine["main"](x), rtol=1e-5)


def test_packed_functions_of_python_are_called():
    @register_packed("graph_build_test.rows_above", replaces=True)
    def rows_above(x, bound):
        x = np.asarray(x)
        return x[x[:, 0] > np.asarray(bound)]

    x = variable("x", ValueType.tensor((n, 2), "float32"))
    b = GraphBuilder()
    with b.function("main", [x]):
        rows = b.emit(call_packed("graph_build_test.rows_above", [x, 0.5],
                                  ValueType.tensor(rank=2, dtype="float32")))
        b.emit_function_output(b.emit(ops.exp(b.match_shape(rows, (m, 2)))))
    module = b.module()
    x_array = np.array([[1, 2], [0, 1], [3, 4]], np.float32)
    result = vm.VirtualMachine(build(module))["main"](x_array)
    np.testing.assert_allclose(result, np.exp(x_array[[0, 2]]), rtol=1e-5)


def test_the_passes_of_the_lowering():
    module = transform.FuseOps()(softmax_module())
    for make in (transform.ToNonDataflow, transform.CallKernelRewrite, transform.PlanMemory,
                 transform.MemoryLower, transform.KillAfterLastUse, transform.ShapeLower):
        module = make()(module)
        assert str(make()(module)) == str(module)
    assert "shape_slots=3" in str(module)
    with transform.PassContext(config={"PlanMemory.whole": True}):
        whole = build(transform.FuseOps()(softmax_module()))
    assert "vm.builtin.plan_arena" in whole.executable.astext()
    x = np.ones((2, 3), np.float32)
    np.testing.assert_allclose(vm.VirtualMachine(whole)["main"](x), run(softmax_module(), "main", x))


def test_relax_builds_and_runs():
    rows, columns = tir.Var("rows", "int64"), tir.Var("columns", "int64")
    x = relax.Var("x", [rows, columns], relax.DynTensorType(2, "float32"))
    bb = relax.BlockBuilder()
    with bb.function("main", [x]):
        with bb.dataflow():
            gv = bb.emit_output(bb.emit_te(
                lambda a: te.compute(a.shape, lambda i, j: a[i, j] + 1.0), x))
        bb.emit_func_output(gv)
    executable = relax.vm.build(bb.get(), tvm.target.Target("llvm"))
    machine = relax.VirtualMachine(executable, tvm.cpu())
    given = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(machine["main"](tvm.nd.array(given)).numpy(), given + 1)
    lowered = relax.transform.CallTIRRewrite()(relax.transform.ToNonDataflow()(bb.get()))
    lowered = relax.transform.VMShapeLower()(relax.transform.VMMemoryLower()(lowered))
    assert "vm.builtin.alloc_shape_heap" in str(lowered.graph)
