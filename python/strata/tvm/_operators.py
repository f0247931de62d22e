"""Relay's operators: their names, arguments and attributes, and those of strata.graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import graph as g
from .._strata import Code, _graph
from ._missing import unknown
from ._operator_rows import ROWS, Needed, Row

BY_GRAPH_NAME = {row.graph: row for row in reversed(ROWS.values())}


def row_of(name: str) -> Row:
    """The operator with this name in Relay."""
    if name not in ROWS:
        raise unknown("strata.tvm.relay", name, list(ROWS))
    return ROWS[name]


def definition_of(op: Any, args: Sequence[Any], given: Mapping[str, Any]) -> g.Value:
    """The call of strata.graph."""
    from ._expr import GlobalVar

    leaves = [argument.value for argument in args]
    if isinstance(op, GlobalVar):
        return g.call_function(op.name_hint, leaves)
    name = getattr(op, "name", op)
    if not isinstance(name, str):
        raise TypeError(f"a call of {op}: operators and functions of the module are called")
    row = row_of(name)
    if row.takes_list and len(leaves) == 1 and leaves[0].kind == "tuple":
        leaves = leaves[0].operands
    attributes: dict[str, Any] = {}
    known = {attribute.name: attribute for attribute in row.attributes}
    for name, value in given.items():
        if name not in known:
            _refuse_attribute(row, name)
        known[name].give(value, attributes, row, leaves)
    for attribute in row.attributes:
        if isinstance(attribute, Needed) and attribute.name not in given:
            attribute.give_default(attributes, row)
    return g.call(row.graph, leaves, **attributes)


def attributes_of(definition: g.Value) -> dict[str, Any]:
    """All attributes of a call, by Relay's names."""
    if definition.kind != "operator":
        return {}
    row = BY_GRAPH_NAME.get(str(definition.name))
    if row is None:
        return definition.attributes
    return {attribute.name: attribute.taken(definition.attributes, definition)
            for attribute in row.attributes}


def relay_name(definition: g.Value) -> str:
    """Relay's name of the operator of a call; strata.graph's name if Relay has no such operator."""
    row = BY_GRAPH_NAME.get(str(definition.name))
    return row.relay if row else str(definition.name)


def _refuse_attribute(row: Row, name: str) -> None:
    import difflib

    names = [attribute.name for attribute in row.attributes]
    nearest = difflib.get_close_matches(name, names, 1)
    _graph.refuse(Code.E0603_unknown_operator, row.relay,
                  f"there is no attribute {name}",
                  f"write {nearest[0]}" if nearest else f"there are {', '.join(names) or 'none'}")


def function_of(row: Row) -> Callable[..., Any]:
    """The operator as a Python function: arguments first, attributes in their order or by name."""
    from ._expr import Call, Op, expr

    def operator(*given: Any, **named: Any) -> Any:
        values = list(given[:len(row.args)])
        attributes = dict(zip((a.name for a in row.attributes), given[len(row.args):]))
        for name in row.args[len(values):]:
            if name not in named:
                raise TypeError(f"{row.relay} takes {', '.join(row.args)}: {name} is missing")
            values.append(named.pop(name))
        return Call(Op(row.relay), [expr(value) for value in values], {**attributes, **named})

    operator.__name__ = operator.__qualname__ = row.relay.rsplit(".", 1)[-1]
    operator.__doc__ = f"{row.relay}({', '.join([*row.args, *(a.name for a in row.attributes)])})"
    return operator


def functions_of(prefix: str) -> dict[str, Callable[..., Any]]:
    """The operators whose names begin with "nn.", or that have no dot."""
    found = {}
    for name, row in ROWS.items():
        folder, _, short = name.rpartition(".")
        if folder == prefix:
            found[short] = function_of(row)
    return found
