"""The machine in Python."""

import os
import pathlib
import re

import numpy as np
import pytest

import strata as st
from strata import vm


def add_then_multiply():
    b = vm.ExecBuilder()
    with b.function("main", num_inputs=1):
        b.emit_call("vm.builtin.move", args=[np.array([2, 3], np.float32)], dst=b.r(100))
        b.emit_call("test.add", args=[b.r(0), b.imm(10)], dst=b.r(50))
        b.emit_call("test.multiply", args=[b.r(50), b.r(100)], dst=b.r(7))
        b.emit_ret(b.r(7))
    return b.get()


KERNELS = {"test.add": lambda a, b: np.asarray(a) + np.float32(b),
           "test.multiply": lambda a, b: np.asarray(a) * np.asarray(b)}


def test_a_program_runs():
    executable = add_then_multiply()
    machine = vm.VirtualMachine(executable, KERNELS)
    assert np.array_equal(machine["main"](np.array([1, 2], np.float32)), [22, 36])
    assert "call test.add in: %0, i10 dst: %2" in executable.astext()
    assert executable.stats().splitlines()[1:] == [
        "Constant shapes (# 0): []", "Constant pool (# 1): [float32(2,)]", "Globals (#1): [main]",
        "Packed functions (#3): [vm.builtin.move, test.add, test.multiply]"]


def test_a_file_and_a_program_have_the_same_text(tmp_path):
    b = vm.ExecBuilder()
    with b.function("func0", num_inputs=2):
        b.emit_call("time", args=[], dst=b.r(100))
        b.emit_call("time", args=[], dst=b.r(101))
        b.emit_call("vm.builtin.make_tuple",
                    args=[b.r(0), b.r(1), b.r(100), b.r(101), vm.Shape((2, 3)), "text", 2**60],
                    dst=b.r(5))
        b.emit_if(b.r(0), 2)
        b.emit_goto(1)
        b.emit_ret(b.r(5))
    executable = b.get()
    executable.save(str(tmp_path / "e.vm"))
    assert vm.Executable.load(str(tmp_path / "e.vm")).astext() == executable.astext()
    made = {}
    exec(executable.aspython(), made)
    assert made["executable"].astext() == executable.astext()
    assert made["executable"].stats() == executable.stats()
    assert "call time in: dst: %2" in " ".join(executable.astext().split())
    machine = vm.VirtualMachine(made["executable"], {"time": lambda: 7})
    assert machine["func0"](1, 2) == (1, 2, 7, 7, (2, 3), "text", 2**60)


def test_what_does_not_fit_is_refused():
    b = vm.ExecBuilder()
    with pytest.raises(vm.VmError, match="instruction 0: %0 is read before it is written"):
        with b.function("f"):
            b.emit_ret(b.r(3))
    with pytest.raises(ZeroDivisionError):
        with b.function("f"):
            raise ZeroDivisionError
    with pytest.raises(vm.VmError, match="56 bits"):
        b.imm(2**55)
    with b.function("f", num_inputs=1):
        b.emit_call("test.fails", args=[b.r(0)], dst=b.r(1))
        b.emit_ret(b.r(1))
    with pytest.raises(vm.VmError, match='no function is called "test.fails"'):
        vm.VirtualMachine(b.get())
    calls = []

    def fails(x):
        calls.append(x)
        if len(calls) == 1:
            raise KeyError("once")
        return x

    machine = vm.VirtualMachine(b.get(), {"test.fails": fails})
    with pytest.raises(KeyError):
        machine["f"](3)
    assert machine["f"](3) == 3
    with pytest.raises(vm.VmError, match="not an executable that can be read"):
        vm.Executable.load(__file__)


def two_functions():
    """scaled(x, factor) = x * factor, and makes(factor), the function with this factor."""
    b = vm.ExecBuilder()
    with b.function("scaled", num_inputs=2):
        b.emit_call("test.multiply", args=[b.r(1), b.r(0)], dst=b.r(2))
        b.emit_ret(b.r(2))
    with b.function("makes", num_inputs=1):
        b.emit_call("vm.builtin.make_closure", args=[b.f("scaled"), b.r(0)], dst=b.r(1))
        b.emit_ret(b.r(1))
    with b.function("invokes", num_inputs=2):
        b.emit_call("vm.builtin.invoke_closure", args=[b.vm_state(), b.r(0), b.r(1)], dst=b.r(2))
        b.emit_ret(b.r(2))
    with b.function("hands_out", num_inputs=1):
        b.emit_call("test.apply", args=[b.f("test.square"), b.r(0)], dst=b.r(1))
        b.emit_ret(b.r(1))
    return b.get()


def test_closures(tmp_path):
    x = np.array([1, 2], np.float32)
    machines = []

    def apply(closure, y):
        return machines[0].invoke(closure, y)

    kernels = {"test.multiply": KERNELS["test.multiply"], "test.apply": apply,
               "test.square": lambda y: np.asarray(y) ** 2}
    two_functions().save(str(tmp_path / "e.vm"))
    for executable in (two_functions(), vm.Executable.load(str(tmp_path / "e.vm"))):
        machine = vm.VirtualMachine(executable, kernels)
        machines[:] = [machine]
        threefold = machine["makes"](np.float32(3))
        assert isinstance(threefold, vm.Closure)
        assert threefold.function == "scaled" and threefold.num_captured == 1
        assert np.array_equal(machine.invoke(threefold, x), [3, 6])
        assert np.array_equal(machine["invokes"](threefold, x), [3, 6])
        assert np.array_equal(machine["hands_out"](x), [1, 4])
        with pytest.raises(vm.VmError, match="scaled takes 2 arguments, and gets 1"):
            machine.invoke(threefold)
        with pytest.raises(vm.VmError, match="a closure is invoked, not an array"):
            machine["invokes"](x, x)
        with pytest.raises(TypeError):
            machine.invoke("scaled", x)
        assert np.array_equal(machine.invoke(threefold, x), [3, 6])  # the machine stays usable


def test_types_are_constants_by_their_names():
    b = vm.ExecBuilder()
    with b.function("main", num_inputs=0):
        for k, kind in enumerate([st.f32, np.float32, np.dtype("float32"), "float32"]):
            b.emit_call("vm.builtin.alloc_storage", args=[b.vm_state(), 24, "cpu", kind],
                        dst=b.r(2 * k))
            b.emit_call("vm.builtin.alloc_tensor", args=[b.r(2 * k), 0, vm.Shape((2, 3)), kind],
                        dst=b.r(2 * k + 1))
        b.emit_call("vm.builtin.make_tuple", args=[b.r(2 * k + 1) for k in range(4)], dst=b.r(9))
        b.emit_ret(b.r(9))
    executable = b.get()
    assert executable.stats().count("float32") == 1
    for made in vm.VirtualMachine(executable)["main"]():
        assert np.array_equal(np.asarray(made), np.zeros((2, 3), np.float32))
    with pytest.raises(vm.VmError, match="not an object"):
        b.constant(np.complex64)


def address(array):
    return np.asarray(array).__array_interface__["data"][0]


def test_arrays_of_python_are_views_of_the_machines():
    """One array from numpy's memory through the machine, a Python function and back."""
    seen = []

    def increments(y):
        seen.append(y)
        np.asarray(y)[...] += 1

    b = vm.ExecBuilder()
    with b.function("main", num_inputs=1):
        b.emit_call("vm.builtin.reshape", args=[b.r(0), vm.Shape((2, 2))], dst=b.r(1))
        b.emit_call("test.increments", args=[b.r(1)])
        b.emit_call("vm.builtin.copy", args=[b.r(0)], dst=b.r(2))
        b.emit_call("test.increments", args=[b.r(2)])
        b.emit_call("vm.builtin.make_tuple", args=[b.r(1), b.r(2)], dst=b.r(3))
        b.emit_ret(b.r(3))
    x = np.arange(4, dtype=np.float32)
    view, copy = vm.VirtualMachine(b.get(), {"test.increments": increments})["main"](x)
    assert all(type(array) is st.Array for array in (view, copy, *seen))
    assert address(view) == address(seen[0]) == address(x)
    assert address(copy) == address(seen[1]) != address(x)
    assert view.shape == (2, 2) and np.array_equal(x, [1, 2, 3, 4])
    assert np.array_equal(np.asarray(copy), [2, 3, 4, 5])
    del x
    assert np.array_equal(np.asarray(view), [[1, 2], [3, 4]])


def test_the_program_of_the_page():
    page = pathlib.Path(os.environ["STRATA_SOURCE"], "docs", "machine.md").read_text()
    names = {}
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], names)
    assert np.array_equal(names["y"], [3, 3, 3, 3])


def test_what_was_killed_is_not_read(monkeypatch):
    b = vm.ExecBuilder()
    with b.function("after", num_inputs=1):
        b.emit_call("vm.builtin.kill", args=[b.r(0)])
        b.emit_ret(b.r(0))
    with b.function("alias", num_inputs=1):
        b.emit_call("vm.builtin.move", args=[b.r(0)], dst=b.r(1))
        b.emit_call("vm.builtin.kill", args=[b.r(0)])
        b.emit_ret(b.r(1))
    machine = vm.VirtualMachine(b.get())
    with pytest.raises(vm.VmError, match="%0 is read after it was killed"):
        machine["after"](np.zeros(2, np.float32))
    assert np.array_equal(machine["alias"](np.zeros(2, np.float32)), [0, 0])
    monkeypatch.setenv("STRATA_VERIFY", "1")
    poisoned = vm.VirtualMachine(b.get())["alias"](np.zeros(2, np.float32))
    assert np.isnan(np.asarray(poisoned)).all()
