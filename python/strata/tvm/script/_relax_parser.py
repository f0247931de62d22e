"""An R.function, from its syntax tree to a builder."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Mapping
from typing import Any

import strata as st

from ... import graph as g
from .._dims import Dim
from .._dims import var as symbol
from ..relax import BlockBuilder, Call, Expr, Function, GlobalVar, Var, call_packed
from . import _annotations as words
from ._source import SYMBOL, Source, Statements


def build(function: types.FunctionType, builder: BlockBuilder, names: Mapping[str, Any]) -> None:
    """Adds the function that the text describes to the builder's module."""
    _Parser(Source(function), builder, names).function()


def parsed(function: types.FunctionType) -> Function:
    """The function that the text describes, in a module of its own."""
    builder = BlockBuilder()
    build(function, builder, {})
    made: Function = builder.get()[function.__name__]
    return made


def callee(name: str) -> Callable[..., Call]:
    """A function of the module, as a text calls it."""
    return lambda *args: Call(GlobalVar(name), args)


class _Parser(Statements):
    instead = "strata.graph.GraphBuilder has branches and more"

    def __init__(self, source: Source, builder: BlockBuilder, names: Mapping[str, Any]) -> None:
        self.source, self.builder = source, builder
        self.node: Any = source.node
        self.names: dict[str, Any] = {**words.NAMES, **names}
        self.outputs: dict[str, ast.AST] | None = None  # of the open dataflow block
        self.last: dict[str, ast.stmt] = {}  # where the block defines its outputs

    def function(self) -> None:
        params = [self.parameter(argument) for argument in self.node.args.args]
        *body, last = self.node.body
        for statement in body:
            if isinstance(statement, ast.Return):
                self.source.refuse(statement, "the function returns before its end")
        if not isinstance(last, ast.Return) or last.value is None:
            self.source.refuse(last, "the function ends without a result", "return a value")
        scope = self.builder.function(self.node.name, params)
        self.source.at(self.node, scope.__enter__)
        try:
            self.body(body)
            self.returns(last)
        except BaseException as error:
            scope.__exit__(type(error), error, error.__traceback__)
            raise
        self.source.at(last, lambda: scope.__exit__(None, None, None))

    def parameter(self, argument: ast.arg) -> Var:
        kind = words.OBJECT if argument.annotation is None else self.annotation(
            argument.annotation, defines=True)
        made = words.variable(argument.arg, kind)
        self.names[argument.arg] = made
        return made

    def returns(self, statement: ast.Return) -> None:
        value = self.value(statement.value)
        self.source.at(statement, lambda: self.builder.emit_func_output(value))

    # ---- statements ----

    def do_With(self, statement: ast.With) -> None:
        [item] = statement.items
        if self.source.evaluated(item.context_expr, self.names) is not words.DATAFLOW:
            self.source.refuse(statement, "there is no such scope", "write with R.dataflow():")
        *body, last = statement.body
        outputs = self.output_names(last)
        before = dict(self.names)
        self.last = {name: s for s in body for name in _defined(s) if name in outputs}
        for name, place in outputs.items():
            if name not in self.last:
                self.source.refuse(place, f"{name} is an output, and the block does not define it",
                                   "define it in the block, or leave it out")
        scope = self.builder.dataflow()
        self.source.at(statement, scope.__enter__)
        self.outputs = outputs
        try:
            self.body(body)
        except BaseException as error:
            scope.__exit__(type(error), error, error.__traceback__)
            raise
        finally:
            self.outputs = None
        self.source.at(statement, lambda: scope.__exit__(None, None, None))
        seen = {name: value for name, value in self.names.items()
                if name in outputs or name in before or isinstance(value, Dim)}
        self.names = seen

    def output_names(self, last: ast.stmt) -> dict[str, ast.AST]:
        call = last.value if isinstance(last, ast.Expr) else None
        if not isinstance(call, ast.Call) or not self.is_called(call, words.OUTPUTS):
            self.source.refuse(last, "the block ends without its outputs",
                               "end it with R.outputs(..)")
        for argument in call.args:
            if not isinstance(argument, ast.Name):
                self.source.refuse(argument, "an output is the name of a variable")
        return {argument.id: argument for argument in call.args if isinstance(argument, ast.Name)}

    def is_called(self, call: ast.Call, function: Any) -> bool:
        return self.source.evaluated(call.func, self.names) is function

    def do_Expr(self, statement: ast.Expr) -> None:
        if isinstance(statement.value, ast.Constant):
            return
        if isinstance(statement.value, ast.Call):
            if self.is_called(statement.value, words.OUTPUTS):
                self.source.refuse(statement, "outputs are those of a dataflow block, at its end",
                                   "write it once, as the last line of with R.dataflow():")
            if self.is_called(statement.value, words.FUNC_ATTR):
                return
        self.bind(statement, self.value(statement.value))

    def do_Assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) != 1:
            self.source.refuse(statement.targets[1], "a line defines one name")
        [target] = statement.targets
        if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            for name, value in zip(target.elts, statement.value.elts):
                self.define(statement, name, value, None)
        else:
            self.define(statement, target, statement.value, None)

    def do_AnnAssign(self, statement: ast.AnnAssign) -> None:
        if statement.value is None:
            self.source.refuse(statement, "a value is missing")
        self.define(statement, statement.target, statement.value, statement.annotation)

    def define(self, statement: ast.stmt, target: Any, value: Any, stated: Any) -> None:
        if not isinstance(target, ast.Name):
            self.source.refuse(target, "a name stands here")
        made = self.value(value)
        kind = None if stated is None else self.annotation(stated, defines=False)
        if made is SYMBOL:
            self.names[target.id] = symbol(target.id)
        elif isinstance(made, (Expr, tuple, list, int, float)):
            if isinstance(made, Call) and made.packed and kind is not None:
                made = call_packed(made.packed[0], *map(Expr, made.packed[1]), type_args=kind)
            bound = self.bind(statement, made, target.id)
            if kind is not None:
                self.require(statement, bound, kind, target.id)
            self.names[target.id] = bound
        else:
            self.names[target.id] = made

    def bind(self, statement: ast.stmt, value: Any, name: str | None = None) -> Var:
        """A variable for a value; match_shape makes its own."""
        is_output = name is not None and self.last.get(name) is statement \
            and self.outputs is not None
        if isinstance(value, words.Match):
            bound = self.source.at(
                statement, lambda: self.builder.match_shape(value.value, value.pattern))
            value = bound
            if not is_output:
                return bound
        emit = self.builder.emit_output if is_output else self.builder.emit
        return self.source.at(statement, lambda: emit(value))

    # ---- values and types ----

    def value(self, node: Any) -> Any:
        """A value: Python's value of the expression. A pattern defines symbols."""
        if isinstance(node, ast.Call) and self.is_called(node, words.MATCH_SHAPE):
            if len(node.args) != 2:
                self.source.refuse(node, "match_shape takes a value and the dims of its extents")
            self.symbols(node.args[1])
        return self.source.evaluated(node, self.names)

    def symbols(self, shape: ast.AST) -> None:
        """Unknown names in a shape are symbols."""
        for part in ast.walk(shape):
            if isinstance(part, ast.Name) and part.id != "_" and part.id not in self.names \
                    and not isinstance(self.source.outside.get(part.id), (int, st.Expr)):
                self.names[part.id] = symbol(part.id)

    def annotation(self, node: Any, defines: bool) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = ast.copy_location(ast.parse(node.value, mode="eval").body, node)
        if defines:
            for part in ast.walk(node):
                if isinstance(part, (ast.Tuple, ast.List)):
                    for dim in part.elts:
                        if not (isinstance(dim, ast.Constant) and isinstance(dim.value, str)) and \
                                not _is_type(dim):
                            self.symbols(dim)
        made = self.source.evaluated(node, self.names)
        if not isinstance(made, words.Annotation):
            self.source.refuse(node, f"{ast.unparse(node)} is not a type",
                               "there are R.Tensor, R.Shape, R.Tuple and R.Object")
        return made

    def require(self, statement: Any, bound: Var, kind: Any, name: str) -> None:
        """Checks that a value is of the type that the author states."""
        problem = words.conflict(g.type_of(bound.value), kind.graph)
        if problem:
            self.source.refuse(statement.annotation, f"{name} is {bound.value.type}, and {problem}",
                               "state what it is; match_shape checks what is not known before")


def _defined(statement: ast.stmt) -> list[str]:
    targets: list[Any] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _is_type(node: ast.AST) -> bool:
    """In the annotation of a tuple, is it a type rather than a dim?"""
    return any(isinstance(part, ast.Attribute) for part in ast.walk(node))
