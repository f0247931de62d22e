"""The machine of strata.vm, with Relax's names.

    ib = relax.ExecBuilder()
    with ib.function("func0", num_inputs=2):
        ib.emit_call("vm.op.add", args=[ib.r(0), ib.r(1)], dst=ib.r(2))
        ib.emit_ret(ib.r(2))
    vm = relax.VirtualMachine(ib.get(), tvm.cpu())
    y = vm["func0"](a, b)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ... import vm as _vm
from ..._strata._graph import VmOperand
from ...graph import CompiledModule
from ...graph import build as _build_module
from .._build import device_of as _device_of
from .._build import given as _given
from .._build import returned as _returned
from .._missing import getter
from .._module import IRModule
from ..target import Target as _Target

__getattr__ = getter(__name__)


class Executable:
    """What a machine runs: that of strata.vm is `graph`. One that was built has its kernels in
    `built`."""

    def __init__(self, graph: _vm.Executable, built: CompiledModule | None = None) -> None:
        self.graph, self.built = graph, built

    def stats(self) -> str:
        """The numbers of constants, functions and callees."""
        return self.graph.stats()

    def astext(self) -> str:
        """The text: one instruction per line."""
        return self.graph.astext()

    def aspython(self) -> str:
        """A Python program that makes an equal executable of strata.vm."""
        return self.graph.aspython()

    def save_to_file(self, file_name: str) -> None:
        self.graph.save(file_name)

    def __repr__(self) -> str:
        return self.astext()


def build(mod: IRModule, target: Any = None) -> Executable:
    """The module for this CPU: lowered, with its kernels compiled."""
    _Target(target or "llvm")  # refuses others
    built = _build_module(mod.graph)
    return Executable(built.executable, built)


def load_exec_from_file(path: str) -> Executable:
    """Loads what save_to_file has written."""
    return Executable(_vm.Executable.load(path))


class ExecBuilder(_vm.ExecBuilder):
    """Makes executables, instruction by instruction."""

    def void_arg(self) -> VmOperand:
        """No destination."""
        return self.void_register()

    def emit_constant(self, const: object) -> int:
        """The number of an array, a shape, a text or a type among the constants, for c(number)."""
        return self.constant(const).value

    def convert_constant(self, const: object) -> VmOperand:
        """The same as an operand."""
        return self.constant(const)

    def get(self) -> Executable:  # type: ignore[override]  # Relax's class
        """The executable built so far."""
        return Executable(super().get())


class VirtualMachine:
    """Runs an executable on this CPU. It looks for names among its functions, then in `kernels`,
    then among the functions of register_func."""

    def __init__(self, exec: Executable, device: Any = None, memory_cfg: Any = None,
                 kernels: Mapping[str, Callable[..., Any]] | None = None) -> None:
        for one in device if isinstance(device, (list, tuple)) else [device]:
            _device_of(one)
        functions = {name: _given(f) for name, f in (kernels or {}).items()}
        self.machine = (_vm.VirtualMachine(exec.built, functions) if exec.built
                        else _vm.VirtualMachine(exec.graph, functions))

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return lambda *args: _returned(self.machine.call(name, *args))

    def invoke_closure(self, closure: _vm.Closure, *args: object) -> Any:
        """The result of a function as a value."""
        return _returned(self.machine.invoke(closure, *args))
