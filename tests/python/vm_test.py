"""The machine in Python."""

import numpy as np
import pytest

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
    with pytest.raises(vm.VmError, match="no executable that can be read"):
        vm.Executable.load(__file__)
