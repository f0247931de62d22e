"""The syntax tree of an author's function. Its parts are evaluated at their lines."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from ..._strata import Code, Type, _graph


T = TypeVar("T")


class Word:
    """A word that has a meaning only in a text."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


_SHORT = {"f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8", "i32": "int32",
          "i64": "int64", "bool": "boolean"}


def element_type(name: Any) -> str:
    """The name of a type of elements: "float32", or "f32" for short."""
    full = _SHORT.get(name, name)
    if not hasattr(Type, str(full)):
        raise TypeError(f"{name!r} is not a type of elements: write \"float32\"")
    return str(full)


SYMBOL = Word("T.var()")  # a new symbol, named like the variable that gets it


class Source:
    """A function's text: its tree with the lines of the author's file."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function = function
        code = function.__code__
        try:
            lines, first = inspect.getsourcelines(function)
        except OSError:
            raise TypeError(f"{function.__name__}: its text is in no file, and the script form is "
                            "read from the text; write the program to a file") from None
        self.file = code.co_filename
        text = textwrap.dedent("".join(lines))
        self.indent = len(lines[0]) - len(lines[0].lstrip())
        tree = ast.parse(text)
        ast.increment_lineno(tree, first - 1)
        [self.node] = tree.body
        closure = inspect.getclosurevars(function).nonlocals
        self.outside = {**vars(builtins), **function.__globals__, **closure}

    def at(self, node: ast.AST, f: Callable[[], T]) -> T:
        """Calls f() as if from the node's line in the author's file, so that errors have that
        line."""
        call = ast.Call(ast.Name("call of the script", ast.Load()), [], [])
        made: T = self._evaluated(call, node, {"call of the script": f})
        return made

    def evaluated(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """The value of an expression. These names shadow those of the author's module."""
        try:
            return self._evaluated(_Conditions().visit(node), node, names)
        except NameError as error:
            name = str(error).split("'")[1]
            self.refuse(_find(node, name), f"there is no {name}",
                        "define it before, or correct the name")

    def _evaluated(self, tree: ast.expr, place: ast.AST, names: Mapping[str, Any]) -> Any:
        for part in ast.walk(tree):
            if isinstance(part, (ast.expr, ast.expr_context)) and not hasattr(part, "lineno"):
                ast.copy_location(part, place)
        expression = ast.fix_missing_locations(ast.copy_location(ast.Expression(tree), place))
        return eval(compile(expression, self.file, "eval"), self.function.__globals__,
                    _Names(names, self.outside))

    def refuse(self, node: Any, explanation: str, mend: str = "") -> NoReturn:
        """E0604, with the line and the column."""
        column = getattr(node, "col_offset", 0) + self.indent + 1

        def refuse() -> None:
            _graph.refuse(Code.E0604_unreadable_program, f"script({self.function.__name__})",
                          f"column {column}: {explanation}", mend)

        self.at(node, refuse)
        raise AssertionError

    def __repr__(self) -> str:
        return f"Source({self.function.__qualname__})"


class Statements:
    """Hands each statement to the method of its kind: do_Assign, .."""

    source: Source
    instead = ""  # what to write instead of other statements

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            handler = getattr(self, f"do_{type(statement).__name__}", None)
            if handler is None:
                self.source.refuse(statement, f"{type(statement).__name__} is not read here",
                                   self.instead)
            handler(statement)

    def do_Pass(self, statement: ast.Pass) -> None:
        pass


class _Names(Mapping[str, Any]):
    """Names of a script, then those of the author's module and of the functions around it."""

    def __init__(self, names: Mapping[str, Any], outside: Mapping[str, Any]) -> None:
        self._names, self._outside = names, outside

    def __getitem__(self, name: str) -> Any:
        return self._names[name] if name in self._names else self._outside[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._outside, **self._names})

    def __len__(self) -> int:
        return len({**self._outside, **self._names})


class _Conditions(ast.NodeTransformer):
    """Makes and, or, not and a < b < c expressions, which never become bools."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        return _joined(node.values, operator)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return ast.copy_location(ast.UnaryOp(ast.Invert(), node.operand), node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        sides = [node.left, *node.comparators]
        return _joined([ast.copy_location(ast.Compare(a, [op], [b]), node)
                        for a, op, b in zip(sides, node.ops, sides[1:])], ast.BitAnd())


def _joined(values: list[ast.expr], operator: ast.operator) -> ast.expr:
    made = values[0]
    for value in values[1:]:
        made = ast.copy_location(ast.BinOp(made, operator, value), value)
    return made


def _find(node: ast.AST, name: str) -> ast.AST:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id == name:
            return part
    return node


class Script:
    """A function in the class of a module. The decorator of the class reads it."""

    def __init__(self, kind: str, function: types.FunctionType) -> None:
        self.kind, self.function = kind, function


def is_in_class(function: types.FunctionType) -> bool:
    """Is it defined in the body of a class?"""
    *_, owner = ["<locals>", *function.__qualname__.split(".")][:-1]
    return owner != "<locals>"
