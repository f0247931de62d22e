"""Functions of expressions."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from .. import graph as g
from .._strata import Code, _graph
from ._expr import (Call, Constant, Expr, GlobalVar, If, Op, Tuple, TupleGetItem, Var, expr,
                    post_order)
from ._function_builder import build_function
from ._operators import BY_GRAPH_NAME, relay_name
from ._relay_text import Constants, function_text
from ._types import type_of_graph


class Function(Expr):
    """A function of parameters, with one expression as its body. It holds a GraphFunction. If it
    calls functions, the GraphFunction is in its module, which knows their types."""

    _module: g.Module | None = None

    def __init__(self, params: Sequence[Var], body: Any, ret_type: Any = None,
                 type_params: Any = None, attrs: Any = None) -> None:
        self.stated_type = ret_type
        self._given = list(params), expr(body)
        self._graph: g.GraphFunction | None = None
        if not callees_of(self._given[1]):
            builder = g.GraphBuilder()
            build_function(builder, "main", {v: v.value for v in params}, self._given[1])
            g.verify(builder.module())
            self._graph = builder.module().functions["main"]

    @classmethod
    def of_graph(cls, graph: g.GraphFunction, module: g.Module | None = None) -> Function:
        """The view of a graph function of a module."""
        made = cls.__new__(cls)
        made._graph, made.stated_type = graph, type_of_graph(graph.result_type)
        made._module = module
        return made

    @property
    def graph(self) -> g.GraphFunction:
        if self._graph is None:
            _graph.refuse(Code.E0601_malformed_graph, "a function of Relay",
                          f"it calls {', '.join(map(str, callees_of(self._given[1])))}",
                          "put it into an IRModule, and take it from there")
        return self._graph

    @property
    def is_built(self) -> bool:
        return self._graph is not None

    @functools.cached_property
    def params(self) -> list[Var]:
        if not self.is_built:
            return self._given[0]
        return [Var(parameter) for parameter in self.graph.parameters]

    @functools.cached_property
    def body(self) -> Any:
        return _expression(self.graph) if self.is_built else self._given[1]

    @property
    def attrs(self) -> dict[str, int]:
        """Primitive=1 of a fused function."""
        return {"Primitive": 1} if self.is_built and _is_fused(self.graph) else {}

    @property
    def ret_type(self) -> Any:
        return self.body.checked_type

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Function) or not (self.is_built and other.is_built):
            return self is other
        return module_of(self.graph) == module_of(other.graph)

    def __hash__(self) -> int:
        return hash(module_of(self.graph)) if self.is_built else id(self)

    def __repr__(self) -> str:
        return function_text("fn ", self, Constants(), fused_functions(self._module))

    def astext(self, show_meta_data: bool = True) -> str:
        return repr(self)


def _is_fused(graph: g.GraphFunction) -> bool:
    return bool(graph.attributes.get("primitive"))


def fused_functions(module: g.Module | None) -> dict[str, g.GraphFunction]:
    """The functions made by fusion, by name."""
    functions = module.functions if module else {}
    return {name: graph for name, graph in functions.items() if _is_fused(graph)}


def callees_of(body: Expr) -> list[GlobalVar]:
    """The functions that an expression calls, each once."""
    ops = [part.op for part in post_order(body) if isinstance(part, Call)]
    return list(dict.fromkeys(op for op in ops if isinstance(op, GlobalVar)))


def module_of(*functions: g.GraphFunction) -> g.Module:
    """The module of these functions."""
    module = g.Module()
    for function in functions:
        module = _graph.with_function(module, function)
    return module


def with_functions(module: g.Module, functions: Mapping[str, Function]) -> g.Module:
    """The module with these functions; they replace functions of the same names. They may call each
    other. If a function is called before it is built, its ret_type must say what it returns."""
    left: dict[str, Function] = {}
    for name, f in functions.items():
        if f.is_built and f.graph.name == name:
            module = _graph.with_function(module, f.graph)
        else:
            left[name] = f
    others = [f for name, f in module.functions.items() if name not in left]
    builder = g.GraphBuilder(module_of(*others))
    called = {name: [v.name_hint for v in callees_of(f.body)] for name, f in left.items()}

    def build(name: str) -> None:
        f = left.pop(name)
        params = {v: g.variable(v.name_hint, v.value.type) for v in f.params}
        if name in _reached(name, called):
            stated = f.stated_type.graph if f.stated_type else g.ValueType()
            builder.declare(name, list(params.values()), stated)
        for callee in called[name]:
            if callee in left:
                build(callee)
        build_function(builder, name, params, f.body)

    for name in called:
        if name in left:
            build(name)
    if called:
        g.verify(builder.module())
    for name in called:
        module = _graph.with_function(module, builder.module().functions[name])
    return module


def _reached(name: str, called: Mapping[str, Sequence[str]]) -> set[str]:
    """The functions that a function calls, directly or through others."""
    reached: set[str] = set()
    open_ = list(called[name])
    while open_:
        callee = open_.pop()
        if callee not in reached:
            reached.add(callee)
            open_ += called.get(callee, ())
    return reached


def _leaf(leaf: g.Value, known: Mapping[g.Value, Expr]) -> Expr:
    """A leaf of strata.graph as an expression."""
    if leaf.kind == "tuple":
        return Tuple([_leaf(field, known) for field in leaf.operands])
    if leaf.kind == "global":
        return GlobalVar(str(leaf.name))
    return known.get(leaf) or (Constant if leaf.kind == "constant" else Var)(leaf)


def _expression(graph: g.GraphFunction) -> Expr:
    """The body as one expression."""
    return _body(graph.body, {p: Var(p) for p in graph.parameters})


def _body(body: g.Body, known: dict[g.Value, Expr]) -> Expr:
    for block in body.blocks:
        for binding in block.bindings:
            known[binding.value] = _bound(binding, known)
    return _leaf(body.result, known)


def _bound(binding: g.Binding, known: dict[g.Value, Expr]) -> Expr:
    if not binding.bodies:
        return expression_of(binding, known)
    sides = [_body(side, known) for side in binding.bodies]
    return If(_leaf(binding.definition.operands[0], known), *sides, value=binding.value)


def expression_of(binding: g.Binding, known: Mapping[g.Value, Expr] = {}) -> Expr:
    """The value of a binding as an expression, from the expressions of earlier variables."""
    definition = binding.definition
    args = [_leaf(operand, known) for operand in definition.operands]
    if definition.kind == "alias":
        return args[0]
    if definition.kind == "field":
        return TupleGetItem(args[0], int(definition.index or 0), definition=definition,
                            value=binding.value)
    if definition.kind == "function":
        return Call(GlobalVar(str(definition.name)), args, definition=definition,
                    value=binding.value)
    if definition.kind != "operator":
        _graph.refuse(Code.E0603_unknown_operator, "an expression of Relay",
                      f"{binding} is not a call of an operator or of a function",
                      "read its blocks and bindings: strata.graph's function has them")
    row = BY_GRAPH_NAME.get(str(definition.name))
    if row and row.takes_list and not (len(args) == 1 and isinstance(args[0], Tuple)):
        args = [Tuple(args)]
    return Call(Op(relay_name(definition)), args, definition=definition, value=binding.value)
