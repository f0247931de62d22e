"""The machine of the operator graph: four instructions, executables, and their machine.

    b = vm.ExecBuilder()
    with b.function("func0", num_inputs=2):
        b.emit_call("vm.op.add", args=[b.r(0), b.r(1)], dst=b.r(2))
        b.emit_ret(b.r(2))
    y = vm.VirtualMachine(b.get(), {"vm.op.add": np.add})["func0"](x1, x2)
    z = vm.VirtualMachine(strata.graph.build(module))["main"](x)

docs/machine.md says what the instructions mean. Arrays are those of numpy, or of any package with
DLPack, and are not copied. Errors are VmErrors.
"""

from __future__ import annotations

import contextlib as _contextlib
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from typing import Any as _Any

from ._strata import _graph
from ._strata._graph import Closure as Closure
from ._strata._graph import Executable as Executable
from ._strata._graph import VmError as VmError
from .graph._shape import Shape as Shape
from .graph import register_packed as register_function

__all__ = ["Closure", "ExecBuilder", "Executable", "Shape", "VirtualMachine", "VmError",
           "register_function"]


class ExecBuilder(_graph.ExecBuilder):
    """Makes executables, instruction by instruction."""

    @_contextlib.contextmanager
    def function(self, name: str, num_inputs: int = 0) -> _Iterator[None]:
        """The instructions in this scope are those of the function. The first registers are its
        inputs. After an exception, the builder drops the function."""
        self.begin_function(name, num_inputs)
        try:
            yield
            self.end_function()
        except BaseException:
            self.abandon_function()
            raise


class VirtualMachine(_graph.VirtualMachine):
    """Runs an executable, or what strata.graph.build has built. Names are looked up among its
    functions, then in "kernels", a dictionary of Python functions, then among those of
    register_function."""

    def __getitem__(self, name: str) -> _Callable[..., _Any]:
        return lambda *arguments: self.call(name, *arguments)
