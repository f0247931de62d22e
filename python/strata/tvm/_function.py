"""Functions of expressions."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from .. import graph as g
from .._strata import Code, _graph
from ._expr import (Call, Computed, Constant, Expr, GlobalVar, Op, Tuple, TupleGetItem, Var, expr,
                    post_order)
from ._operators import BY_GRAPH_NAME, relay_name
from ._relay_text import Constants, function_text


class Function(Expr):
    """A function of parameters; its body is one expression. It holds a GraphFunction."""

    def __init__(self, params: Sequence[Var], body: Any, ret_type: Any = None,
                 type_params: Any = None, attrs: Any = None) -> None:
        self.graph = _built(params, body, "main")

    @classmethod
    def of_graph(cls, graph: g.GraphFunction) -> Function:
        """The view of a graph function."""
        made = cls.__new__(cls)
        made.graph = graph
        return made

    @functools.cached_property
    def params(self) -> list[Var]:
        return [Var(parameter) for parameter in self.graph.parameters]

    @functools.cached_property
    def body(self) -> Any:
        return _expression(self.graph)

    @property
    def ret_type(self) -> Any:
        return self.body.checked_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and module_of(self.graph) == module_of(other.graph)

    def __hash__(self) -> int:
        return hash(module_of(self.graph))

    def __repr__(self) -> str:
        return function_text("fn ", self, Constants())

    def astext(self, show_meta_data: bool = True) -> str:
        return repr(self)


def module_of(*functions: g.GraphFunction) -> g.Module:
    """The module of these functions."""
    module = g.Module()
    for function in functions:
        module = _graph.with_function(module, function)
    return module


def named(function: Function, name: str) -> g.GraphFunction:
    """The function under a name of a module."""
    if function.graph.name == name:
        return function.graph
    return _built(function.params, function.body, name)


def _built(params: Sequence[Var], body: Any, name: str) -> g.GraphFunction:
    result = expr(body)
    bound: dict[Expr, g.Value] = {}
    builder = g.GraphBuilder()

    def leaf(part: Expr) -> g.Value:
        if isinstance(part, Tuple):
            return g.tuple_value([leaf(field) for field in part.fields])
        return bound.get(part, part.value)

    with builder.function(name, [parameter.value for parameter in params]):
        with builder.dataflow():
            for part in post_order(result):
                if isinstance(part, Computed) and part != result:
                    bound[part] = builder.emit(part.rebuilt([leaf(a) for a in part.args]))
            if isinstance(result, Computed):
                last: Any = result.rebuilt([leaf(argument) for argument in result.args])
            else:
                last = leaf(result)
            output = builder.emit_output(last)
        builder.emit_function_output(output)
    g.verify(builder.module())
    return builder.module().functions[name]


def _leaf(leaf: g.Value, known: Mapping[g.Value, Expr]) -> Any:
    """A leaf of strata.graph as an expression."""
    if leaf.kind == "tuple":
        return Tuple([_leaf(field, known) for field in leaf.operands])
    if leaf.kind == "global":
        return GlobalVar(str(leaf.name))
    return known.get(leaf) or (Constant if leaf.kind == "constant" else Var)(leaf)


def _expression(graph: g.GraphFunction) -> Any:
    """The body as one expression."""
    known: dict[g.Value, Expr] = {p: Var(p) for p in graph.parameters}
    for block in graph.body.blocks:
        for binding in block.bindings:
            known[binding.value] = expression_of(binding, known)
    return _leaf(graph.body.result, known)


def expression_of(binding: g.Binding, known: Mapping[g.Value, Expr] = {}) -> Expr:
    """What a binding computes, of the expressions that are known by their variables."""
    definition = binding.definition
    args = [_leaf(operand, known) for operand in definition.operands]
    if definition.kind == "alias":
        return args[0]
    if definition.kind == "field":
        return TupleGetItem(args[0], int(definition.index or 0), definition=definition,
                            value=binding.value)
    if definition.kind != "operator":
        _graph.refuse(Code.E0603_unknown_operator, "an expression of Relay",
                      f"{binding} is no call of an operator",
                      "read its blocks and bindings: strata.graph's function has them")
    row = BY_GRAPH_NAME.get(str(definition.name))
    if row and row.takes_list and not (len(args) == 1 and isinstance(args[0], Tuple)):
        args = [Tuple(args)]
    return Call(Op(relay_name(definition)), args, definition=definition, value=binding.value)
