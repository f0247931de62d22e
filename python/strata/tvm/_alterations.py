"""The wanted layouts of calls of Relay's operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import graph as g
from ..graph import transform as _t
from ._expr import Attrs, Call, Constant, Var
from ._operator_rows import Row, Stored, wanted_layouts
from ._operators import attributes_of, row_of
from ._types import type_of_graph

# Alterations by operator and level.
_registered: dict[tuple[str, int], Callable[..., Any]] = {}


def register(op_name: str, alter: Any = None, level: int = 10) -> Any:
    """Registers the alteration of an operator at a level; without an alteration, a decorator."""
    row_of(op_name)

    def decorate(alter: Callable[..., Any]) -> Callable[..., Any]:
        _registered[op_name, level] = alter
        return alter

    return decorate if alter is None else decorate(alter)


def alterations() -> list[Any]:
    """The registered alterations, as strata.graph takes them."""
    return [_alteration(row_of(name), level, alter)
            for (name, level), alter in _registered.items()]


def _alteration(row: Row, level: int, alter: Callable[..., Any]) -> Any:
    def layouts(attributes: dict[str, Any], operands: list[g.Value], result: g.ValueType) -> Any:
        call = g.call(row.graph, operands, **attributes)
        attrs = Attrs(attributes_of(call))
        inputs = [(Constant if operand.kind == "constant" else Var)(operand)
                  for operand in operands]
        types = [type_of_graph(operand.type) for operand in operands]
        wanted: dict[str, str] = {}
        before = wanted_layouts.set(wanted)
        try:
            made = alter(attrs, inputs, types, type_of_graph(result))
        finally:
            wanted_layouts.reset(before)
        if made is None:
            return None
        if not (isinstance(made, Call) and made.op.name == row.relay and made.args == inputs
                and attributes_of(made.definition) == dict(attrs)):
            raise TypeError(f"the alteration of {row.relay} returns {made}: return the same call "
                            "with other layouts, or None")
        return _layouts_of(row, wanted)

    return _t.alteration(row.graph, level=level)(layouts)


def _layouts_of(row: Row, wanted: dict[str, str]) -> tuple[list[str | None], str | None]:
    """The layouts of the arguments, and that of the result. By default the result has the layout of
    the first argument."""
    arguments: list[str | None] = [None] * len(row.args)
    result = None
    for attribute in row.attributes:
        if isinstance(attribute, Stored) and attribute.argument is not None:
            arguments[attribute.argument] = wanted.get(attribute.name)
        elif isinstance(attribute, Stored):
            result = wanted.get(attribute.name)
    return arguments, result or arguments[0]
