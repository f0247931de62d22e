"""BlockBuilder: strata.graph's builder with Relax's names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ... import graph as g
from ...graph.builder import _Scope
from .._module import IRModule
from ._values import Call, DataflowVar, Expr, KernelCall, Tuple, Var, expr


class BlockBuilder:
    """Builds a module binding by binding.

        bb = relax.BlockBuilder()
        with bb.function("main", [x, y]):
            with bb.dataflow():
                gv = bb.emit_output(relax.op.add(x, y))
            bb.emit_func_output(gv)
        mod = bb.get()
    """

    def __init__(self, mod: IRModule | None = None) -> None:
        self._graph = g.GraphBuilder(mod.graph if mod else g.Module())
        self._is_dataflow = False

    def function(self, name: Any, params: Any = None, attrs: Any = None) -> Any:
        """`with bb.function(name, params):` builds a function of these parameters. They may be
        given at its end instead."""
        if not isinstance(name, str):
            name, params = params, name
        given = None if params is None else [p.value for p in _vars(params)]
        return self._graph.function(name, given)

    def dataflow(self) -> Any:
        """`with bb.dataflow():` is a pure block. Only variables of emit_output are seen outside."""

        def begin() -> None:
            self._graph._begin_dataflow()
            self._is_dataflow = True

        def end() -> None:
            self._graph._end_dataflow()
            self._is_dataflow = False

        def abandon() -> None:
            self._graph._abandon_dataflow()
            self._is_dataflow = False

        return _Scope(begin, end, abandon, self)

    def emit(self, value: Any) -> Var:
        """Binds a new variable to the value."""
        made = self._graph.emit(self._value(value))
        return variable(made)

    def emit_output(self, value: Any) -> Var:
        """In a dataflow block: binds a variable that is seen outside of the block."""
        return variable(self._graph.emit_output(self._value(value)))

    def emit_func_output(self, output: Any, params: Any = None) -> None:
        """Gives the result of the function, and its parameters if function(..) has none."""
        given = None if params is None else [p.value for p in _vars(params)]
        self._graph.emit_function_output(self._value(output), given)

    def match_shape(self, value: Any, pattern: Sequence[Any]) -> Var:
        """The value, a tensor or a shape, with these dims as extents."""
        return variable(self._graph.match_shape(self._value(value), tuple(pattern)))

    def emit_te(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Var:
        """Binds a call of the kernel of func(*args, **kwargs). func gets tensors for values."""
        hint = kwargs.pop("primfunc_name_hint", None) or getattr(func, "__name__", "te_func")

        def named(*given: Any, **also: Any) -> Any:
            return func(*given, **also)

        named.__name__ = hint
        return variable(self._graph.emit_te(named, *map(_unwrapped, args), **_unwrapped(kwargs)))

    def lookup_var(self, var: Var) -> Expr | None:
        """What the variable is bound to."""
        found = self._graph.lookup(var.value)
        return None if found is None else Expr(found)

    lookup_binding = lookup_var

    def get(self) -> IRModule:
        """The module built so far."""
        return IRModule.of_graph(self._graph.module(), False)

    def _value(self, value: Any) -> g.Value:
        made = expr(value)
        if isinstance(made, KernelCall):
            return made.added(self._graph, list(map(self._value, made.args)))
        if isinstance(made, Tuple):
            return g.tuple_value([self._value(field) for field in made.fields])
        if self._is_dataflow and isinstance(made, Call) and made.packed:
            # A packed call in a dataflow block is pure: its author says so.
            name, arguments, result = made.packed
            return g.call_packed(name, arguments, result, pure=True)
        return made.value


def variable(value: g.Value) -> Var:
    """A variable of strata.graph as one of Relax."""
    kind = DataflowVar if value.is_local else Var
    made: Var = kind.__new__(kind)
    Expr.__init__(made, value)
    return made


def _vars(params: Any) -> list[Var]:
    return [params] if isinstance(params, Var) else list(params)


def _unwrapped(argument: Any) -> Any:
    """The values of strata.graph in an argument of emit_te."""
    if isinstance(argument, Expr):
        return argument.value
    if isinstance(argument, dict):
        return {key: _unwrapped(value) for key, value in argument.items()}
    if isinstance(argument, (list, tuple)) and not hasattr(argument, "_fields"):
        return type(argument)(map(_unwrapped, argument))
    return argument
