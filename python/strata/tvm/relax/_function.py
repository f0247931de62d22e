"""Views of functions: their blocks and bindings."""

from __future__ import annotations

from typing import Any

from ... import graph as g
from .._dims import dim
from .._expr import Op
from ._builder import variable
from ._values import Call, Constant, Expr, GlobalVar, ShapeExpr, Tuple, Var


class BoundCall(Call):
    """What a variable is bound to: op, its args and attrs."""

    @property
    def op(self) -> Any:
        kinds = {"kernel": "relax.call_tir", "packed kernel": "relax.call_tir",
                 "shape_of": "relax.shape_of"}
        if self.value.kind == "function":
            return GlobalVar(str(self.value.name))
        return Op(kinds.get(self.value.kind, str(self.value.name)))

    @property
    def args(self) -> list[Any]:
        operands = list(map(leaf, self.value.operands))
        if self.value.kind not in ("kernel", "packed kernel"):
            return operands
        count = sum(operand.value.type.kind == "shape" for operand in operands[:1])
        return [GlobalVar(str(self.value.name)), Tuple(operands[count:]), *operands[:count]]

    @property
    def attrs(self) -> dict[str, Any]:
        return self.value.attributes


class VarBinding:
    """var = value"""

    def __init__(self, binding: g.Binding) -> None:
        self.var, self.value = variable(binding.value), _defined(binding.definition)


class MatchShape:
    """var = match_shape(value, pattern)"""

    def __init__(self, binding: g.Binding) -> None:
        self.var, self.value = variable(binding.value), leaf(binding.definition.operands[0])
        self.pattern = [dim(d) for d in binding.definition.dims or ()]


class BindingBlock:
    """Bindings in their order."""

    def __init__(self, block: g.Block) -> None:
        self.bindings = [(MatchShape if b.definition.kind == "match_shape" else VarBinding)(b)
                         for b in block.bindings]


class DataflowBlock(BindingBlock):
    """A pure block."""


class SeqExpr:
    """Blocks, and the value of the last one."""

    def __init__(self, body: g.Body) -> None:
        self.blocks = [(DataflowBlock if block.is_dataflow else BindingBlock)(block)
                       for block in body.blocks]
        self.body = leaf(body.result)


class Function:
    """A function of a module. The function of a single text has a module of its own."""

    def __init__(self, graph: g.GraphFunction, module: Any = None) -> None:
        self.graph, self.module = graph, module

    @property
    def name(self) -> GlobalVar:
        return GlobalVar(self.graph.name)

    @property
    def params(self) -> list[Var]:
        return list(map(variable, self.graph.parameters))

    @property
    def body(self) -> SeqExpr:
        return SeqExpr(self.graph.body)

    def __repr__(self) -> str:
        return repr(self.graph)


def leaf(value: g.Value) -> Any:
    """A leaf of strata.graph as an expression of Relax."""
    if value.kind == "variable":
        return variable(value)
    if value.kind == "shape":
        return ShapeExpr(value.dims or ())
    if value.kind == "tuple":
        return Tuple(list(map(leaf, value.operands)))
    return (Constant if value.kind == "constant" else Expr)(value)


def _defined(definition: g.Value) -> Any:
    return leaf(definition.operands[0]) if definition.kind == "alias" else BoundCall.of(definition)
