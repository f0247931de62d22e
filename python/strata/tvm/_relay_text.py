"""Functions in Relay's syntax."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import graph as g
from ._expr import (Call, Computed, Constant, Expr, GlobalVar, If, Op, Tuple, TupleGetItem, Var,
                    post_order)
from ._function_builder import Path, paths_of
from ._operator_rows import ROWS, Attribute
from ._types import type_text

_SUFFIXES = {"float32": "f", "float64": "f64", "float16": "f16", "int64": "i64", "int16": "i16",
             "int8": "i8", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}


class Constants:
    """The arrays of a text: meta[relay.Constant][0], .."""

    def __init__(self) -> None:
        self.numbers: dict[Expr, int] = {}

    def text(self, constant: Constant) -> str:
        array = constant.data
        if array.ndim == 0:
            return _scalar(array)
        number = self.numbers.setdefault(constant, len(self.numbers))
        return f"meta[relay.Constant][{number}]"


def _scalar(array: Any) -> str:
    """2f, 2i64, 2: as short as the type of the number allows."""
    value, dtype = array.item(), str(array.dtype)
    if isinstance(value, float):
        shortest = str(array.dtype.type(value))
        value = shortest.removesuffix(".0")
    return f"{value}{_SUFFIXES.get(dtype, '')}"


class _Printer:
    """The lines of a body. A walk meets operands before their readers, and a branch before values
    that only its sides read. A value gets its number when the walk meets its first reader.

    The text of a fused function is before its call, as Relay's passes leave it."""

    def __init__(self, constants: Constants, fused: Mapping[str, g.GraphFunction],
                 around: _Printer | None = None) -> None:
        self.constants, self.fused = constants, fused
        self.numbers: Iterator[int] = around.numbers if around else itertools.count()
        self.taken: set[str] = around.taken if around else set()  # names of parameters
        self.lines: list[str] = []
        self.texts: dict[Expr, str] = {}  # the right sides of values met so far
        self.names: dict[Expr, str] = {}
        self.paths: dict[Expr, Path] = {}

    def function(self, head: str, function: Any, notes: Sequence[str] = ()) -> str:
        """head(%x: type, .., notes) -> type { .. }"""
        parameters = []
        for v in function.params:
            self.names[v] = f"%{_untaken(v.name_hint, self.taken)}"
            parameters.append(f"{self.names[v]}: {type_text(v.value.type)}")
        body = _indented(self.body(function.body))
        result = type_text(function.body.value.type)
        return f"{head}({', '.join([*parameters, *notes])}) -> {result} {{\n{body}\n}}"

    def body(self, result: Expr) -> list[str]:
        self.paths = paths_of(post_order(result))
        return self.side(result, ())

    def side(self, result: Expr, path: Path) -> list[str]:
        """The lines of a side of a branch, or of the whole body."""
        outside, self.lines = self.lines, []
        self.meet(result, path)
        tail = self.tail(result)
        lines = [*(f"{line};" for line in self.lines), tail]
        self.lines = outside
        return lines

    def tail(self, result: Expr) -> str:
        return self.names.get(result) or self.written(result)

    def meet(self, result: Expr, path: Path) -> None:
        """Prints all parts on this path that the result needs."""
        for part in post_order(result):
            if part not in self.texts and self.paths[part] == path:
                self.texts[part] = self.right_side(part)

    def name(self, part: Expr) -> str:
        if part not in self.names and isinstance(part, (Computed, If, Tuple)):
            text = self.written(part)
            self.names[part] = self.bound(text)
        return self.names.get(part) or self.leaf(part)

    def bound(self, text: str) -> str:
        """The name of a line."""
        name = f"%{next(self.numbers)}"
        self.lines.append(f"{name} = {text}")
        return name

    def written(self, part: Expr) -> str:
        """The right side. The text of a fused function is just before its call."""
        text, op = self.texts[part], part.op if isinstance(part, Call) else None
        if not isinstance(op, GlobalVar) or op.name_hint not in self.fused:
            return text
        from ._function import Function

        function = Function.of_graph(self.fused[op.name_hint])
        inside = _Printer(self.constants, {}, self)
        return self.bound(inside.function("fn ", function, ["Primitive=1"])) + \
            text.removeprefix(self.leaf(op))

    def leaf(self, part: Expr) -> str:
        if isinstance(part, Constant):
            return self.constants.text(part)
        if isinstance(part, GlobalVar):
            return f"@{part.name_hint}"
        return f"%{part.name_hint}" if isinstance(part, Var) else str(part.value)

    def right_side(self, part: Expr) -> str:
        if isinstance(part, Tuple):
            fields = [self.name(field) for field in part.fields]
            return f"({fields[0]},)" if len(fields) == 1 else f"({', '.join(fields)})"
        if isinstance(part, TupleGetItem):
            return f"{self.name(part.tuple_value)}.{part.index}"
        if isinstance(part, Call):
            operands = [self.name(argument) for argument in part.args]
            return f"{part.op}({', '.join(operands + _attributes(part))})"
        return self.branch(part) if isinstance(part, If) else self.leaf(part)

    def branch(self, part: If) -> str:
        """if (%c) { .. } else { .. }; values that both sides read come before it."""
        path, sides = self.paths[part], [part.true_branch, part.false_branch]
        text = f"if ({self.name(part.cond)}) "
        inside = [inner for side in sides for inner in post_order(side)]
        for inner in dict.fromkeys(inside):
            if self.paths[inner] == path and isinstance(inner, (Computed, If, Tuple)):
                self.name(inner)
        blocks = [_indented(self.side(side, (*path, (part, is_true))))
                  for side, is_true in zip(sides, (True, False))]
        return text + f"{{\n{blocks[0]}\n}} else {{\n{blocks[1]}\n}}"


def _untaken(wanted: str, taken: set[str]) -> str:
    """The name with a number that no other parameter of the text has."""
    names = itertools.chain([wanted], (f"{wanted}{k}" for k in itertools.count(1)))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


def _indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for text in lines for line in text.split("\n"))


def _attributes(call: Call) -> list[str]:
    row = ROWS.get(call.op.name) if isinstance(call.op, Op) else None
    known = {a.name: a for a in row.attributes} if row else {}
    texts = []
    for name, value in call.attrs.items():
        attribute = known.get(name, Attribute(name))
        if value != attribute.default or attribute.is_always_printed:
            texts.append(f"{name}={_value(value)}")
    return texts


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value:g}f"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(item) for item in value)}]"
    return str(value)


def expression_text(part: Expr) -> str:
    """The text of an expression by itself."""
    return "\n".join(_Printer(Constants(), {}).body(part))


def function_text(head: str, function: Any, constants: Constants,
                  fused: Mapping[str, g.GraphFunction]) -> str:
    """head(%x: type, ..) -> type { .. }; fused functions are where they are called."""
    return _Printer(constants, fused).function(head, function) + "\n"
