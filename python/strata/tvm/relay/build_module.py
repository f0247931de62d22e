"""Programs with their parameters, and programs that run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy

from ... import graph as g
from .._build import ndarray
from .._expr import const
from .._function import Function
from .._missing import getter
from .._module import IRModule
from .expr_functor import ExprMutator

__getattr__ = getter(__name__)


def bind_params_by_name(func: Function, params: Mapping[str, Any]) -> Function:
    """The function with constants for the parameters of these names."""
    unknown = set(params) - {parameter.name_hint for parameter in func.params}
    if unknown:
        raise ValueError(f"the function has no parameter {', '.join(sorted(unknown))}")

    class Bind(ExprMutator):
        def visit_var(self, var: Any) -> Any:
            given = params.get(var.name_hint)
            return var if given is None else const(numpy.asarray(given))

    left = [parameter for parameter in func.params if parameter.name_hint not in params]
    return Function(left, Bind().visit(func.body))


class Executor:
    """evaluate() returns a function of arrays that runs the module."""

    def __init__(self, mod: IRModule) -> None:
        self.mod = mod

    def evaluate(self, expr: Any = None) -> Callable[..., Any]:
        def call(*arrays: Any) -> Any:
            result = g.run(self.mod.graph, "main", *arrays)
            return tuple(map(ndarray, result)) if isinstance(result, tuple) else ndarray(result)

        return call


def create_executor(kind: str = "graph", mod: IRModule | None = None, device: Any = None,
                    target: Any = None, params: Any = None) -> Executor:
    """Runs @main of a module, operator by operator."""
    if mod is None:
        raise ValueError("create_executor: give mod, an IRModule")
    if params:
        mod = IRModule({"main": bind_params_by_name(mod["main"], params)})
    return Executor(mod)
