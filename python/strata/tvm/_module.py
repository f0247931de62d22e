"""Modules."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from .. import graph as g
from ._expr import Expr, GlobalVar, Var, post_order
from ._function import Function, fused_functions, with_functions
from ._prim_func import PrimFunc
from ._relay_text import Constants, function_text


# Do passes see modules with Relay's functions?
shows_relay: ContextVar[bool] = ContextVar("shows_relay", default=True)


class IRModule:
    """A Module of strata.graph. Relay's modules print in Relay's syntax, without its comments.
    Other modules print as in strata.graph."""

    def __init__(self, functions: Mapping[Any, Any] | None = None) -> None:
        self.is_relay = True
        self.graph = with_functions(g.Module(), {_text(name): function for name, function
                                                 in (functions or {}).items()})

    @classmethod
    def of_graph(cls, graph: g.Module, is_relay: bool | None = None) -> IRModule:
        """The view of a module. Inside a pass, it is of the kind that the pass got."""
        made = cls.__new__(cls)
        made.graph = graph
        made.is_relay = shows_relay.get() if is_relay is None else is_relay
        return made

    @classmethod
    def from_expr(cls, expr: Any, functions: Mapping[Any, Any] | None = None) -> IRModule:
        """A function, or an expression of its free variables, as @main."""
        if not isinstance(expr, Function):
            expr = Function(free_vars(expr), expr)
        return cls({**(functions or {}), "main": expr})

    def __setitem__(self, name: Any, function: Function) -> None:
        self.graph = with_functions(self.graph, {_text(name): function})

    def __getitem__(self, name: Any) -> Any:
        key = _text(name)
        if key in self.graph.functions:
            function = self.graph.functions[key]
            if self.is_relay:
                return Function.of_graph(function, self.graph)
            from .relax import Function as RelaxFunction

            return RelaxFunction(function, self)
        if key in self.graph.kernels:
            kernel = self.graph.kernels[key]
            return PrimFunc([*kernel.inputs, *kernel.outputs], key)
        there = [*self.graph.functions, *self.graph.kernels]
        raise KeyError(f"the module has no {key}: there is {', '.join(there) or 'nothing'}")

    @property
    def functions(self) -> dict[GlobalVar, Any]:
        names = [*self.graph.functions, *self.graph.kernels]
        return {GlobalVar(name): self[name] for name in names}

    def get_global_vars(self) -> list[GlobalVar]:
        return list(self.functions)

    def get_global_var(self, name: str) -> GlobalVar:
        self[name]
        return GlobalVar(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IRModule) and self.graph == other.graph

    def __hash__(self) -> int:
        return hash(self.graph)

    def __repr__(self) -> str:
        if not self.is_relay:
            return str(self.graph)
        constants, fused = Constants(), fused_functions(self.graph)
        return "\n".join(
            function_text(f"def @{name}", Function.of_graph(function), constants, fused)
            for name, function in self.graph.functions.items() if name not in fused)

    def astext(self, show_meta_data: bool = True) -> str:
        return repr(self)

    script = astext

    def show(self) -> None:
        print(self)


def _text(name: Any) -> str:
    return name.name_hint if isinstance(name, GlobalVar) else str(name)


def free_vars(expr: Expr) -> list[Any]:
    """The free variables of an expression, in the order of their first occurrence."""
    return [part for part in post_order(expr) if type(part) is Var]
