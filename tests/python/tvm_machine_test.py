"""The machine as programs for Relax's first design write it: strata.tvm.relax."""

import numpy as np
import pytest

import strata.tvm as tvm
from strata.graph import packed_names
from strata.tvm import relax
from strata.vm import VmError


@relax.register_func("test.vm.add", override=True)
def add(a, b):
    return tvm.nd.array(a.numpy() + b.numpy())


@tvm.register_func("test.vm.mul", override=True)
def mul(a, b):
    return tvm.nd.array(a.numpy() * b.numpy())


def array(*values):
    return tvm.nd.array(np.array(values, np.float32))


def test_a_program_has_relaxs_text_and_runs():
    ib = relax.ExecBuilder()
    with ib.function("func0", num_inputs=2):
        ib.emit_call("test.vm.add", args=[ib.r(0), ib.r(1)], dst=ib.r(2))
        ib.emit_call("vm.builtin.move", args=[ib.r(2)], dst=ib.r(3))
        ib.emit_call("test.vm.nop", args=[ib.r(3)], dst=ib.void_arg())
        ib.emit_ret(ib.r(3))
    ex = ib.get()
    assert [line.split() for line in ex.astext().splitlines() if line] == [
        ["@func0:"], "call test.vm.add in: %0, %1 dst: %2".split(),
        "call vm.builtin.move in: %2 dst: %3".split(), "call test.vm.nop in: %3 dst: void".split(),
        "ret ret %3".split()]
    assert "Packed functions (#3): [test.vm.add, vm.builtin.move, test.vm.nop]" in ex.stats()
    vm = relax.VirtualMachine(ex, tvm.cpu(), kernels={"test.vm.nop": lambda x: None})
    got = vm["func0"](array(1, 2), array(3, 5))
    assert np.array_equal(got.numpy(), [4, 7])
    made = {}
    exec(ex.aspython(), made)
    assert made["executable"].astext() == ex.astext()


def test_files_and_two_functions(tmp_path):
    ib = relax.ExecBuilder()
    with ib.function("func0", num_inputs=2):
        ib.emit_call("test.vm.add", args=[ib.r(0), ib.r(1)], dst=ib.r(2))
        ib.emit_ret(ib.r(2))
    with ib.function("func1", num_inputs=2):
        ib.emit_call("test.vm.mul", args=[ib.r(0), ib.r(1)], dst=ib.r(2))
        ib.emit_ret(ib.r(2))
    ib.get().save_to_file(str(tmp_path / "exec.bin"))
    ex = relax.load_exec_from_file(str(tmp_path / "exec.bin"))
    assert ex.astext() == ib.get().astext() == str(ex)
    vm = relax.VirtualMachine(ex, [tvm.cpu()])
    a, b = array(2, 3), array(4, 5)
    assert np.array_equal(vm["func0"](a, b).numpy(), [6, 8])
    assert np.array_equal(vm["func1"](a, b).numpy(), [8, 15])


def test_constants_of_all_kinds():
    ib = relax.ExecBuilder()
    with ib.function("main", num_inputs=1):
        factor = ib.emit_constant(array(2, 3))
        ib.emit_call("test.vm.mul", args=[ib.r(0), ib.c(factor)], dst=ib.r(1))
        dtype = tvm.DataType("float32")
        ib.emit_call("vm.builtin.alloc_storage", args=[ib.vm_state(), (96,), "cpu", dtype],
                     dst=ib.r(2))
        ib.emit_call("vm.builtin.alloc_tensor",
                     args=[ib.r(2), ib.imm(0), ib.convert_constant((4, 6)), dtype], dst=ib.r(3))
        ib.emit_call("vm.builtin.make_tuple", args=[ib.r(1), ib.r(3)], dst=ib.r(4))
        ib.emit_ret(ib.r(4))
    product, zeros = relax.VirtualMachine(ib.get(), tvm.cpu())["main"](array(5, 7))
    assert np.array_equal(product.numpy(), [10, 21])
    assert zeros.shape == (4, 6) and not zeros.any()


def test_branches_and_a_closure():
    ib = relax.ExecBuilder()
    with ib.function("main", num_inputs=3):
        ib.emit_if(ib.r(0), 3)
        ib.emit_call("test.vm.add", args=[ib.r(1), ib.r(2)], dst=ib.r(3))
        ib.emit_goto(2)
        ib.emit_call("test.vm.mul", args=[ib.r(1), ib.r(2)], dst=ib.r(3))
        ib.emit_ret(ib.r(3))
    with ib.function("closure", num_inputs=1):
        ib.emit_call("vm.builtin.make_closure", args=[ib.f("main"), ib.r(0)], dst=ib.r(1))
        ib.emit_ret(ib.r(1))
    vm = relax.VirtualMachine(ib.get(), tvm.cpu())
    a, b = array(2, 3), array(4, 5)
    assert np.array_equal(vm["main"](1, a, b).numpy(), [6, 8])
    assert np.array_equal(vm["main"](0, a, b).numpy(), [8, 15])
    assert np.array_equal(vm.invoke_closure(vm["closure"](0), a, b).numpy(), [8, 15])


def test_what_is_not_there():
    ib = relax.ExecBuilder()
    with ib.function("main", num_inputs=1):
        ib.emit_call("test.vm.nowhere", args=[ib.r(0)], dst=ib.r(1))
        ib.emit_ret(ib.r(1))
    with pytest.raises(VmError, match='no function is called "test.vm.nowhere"'):
        relax.VirtualMachine(ib.get(), tvm.cpu())
    with pytest.raises(ValueError, match="there is no device 'cuda'"):
        relax.VirtualMachine(ib.get(), "cuda")
    with pytest.raises(VmError, match="is read before it is written"):
        with ib.function("early"):
            ib.emit_ret(ib.r(3))
    assert {"test.vm.add", "test.vm.mul"} <= set(packed_names())
