"""Functions in Relay's syntax."""

from __future__ import annotations

from typing import Any

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
    """The lines of a body. A value has a number as soon as its first reader is met, in the order of
    a walk that meets operands before the value, and a branch before what only its sides read."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.lines: list[str] = []
        self.texts: dict[Expr, str] = {}  # of what has been met: its right side
        self.names: dict[Expr, str] = {}
        self.paths: dict[Expr, Path] = {}

    def body(self, result: Expr) -> list[str]:
        self.paths = paths_of(post_order(result))
        return self.side(result, ())

    def side(self, result: Expr, path: Path) -> list[str]:
        """The lines of a side of a branch, or of the whole."""
        outside, self.lines = self.lines, []
        self.meet(result, path)
        lines = [*(f"{line};" for line in self.lines), self.tail(result)]
        self.lines = outside
        return lines

    def tail(self, result: Expr) -> str:
        return self.names.get(result, self.texts[result])

    def meet(self, result: Expr, path: Path) -> None:
        """The texts of all parts of this path that the result is made of."""
        for part in post_order(result):
            if part not in self.texts and self.paths[part] == path:
                self.texts[part] = self.right_side(part)

    def name(self, part: Expr) -> str:
        if not isinstance(part, (Computed, If, Tuple)):
            return self.leaf(part)
        if part not in self.names:
            self.names[part] = f"%{len(self.names)}"
            self.lines.append(f"{self.names[part]} = {self.texts[part]}")
        return self.names[part]

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
        """if (%c) { .. } else { .. }; what both sides read stands before it."""
        path, sides = self.paths[part], [part.true_branch, part.false_branch]
        text = f"if ({self.name(part.cond)}) "
        inside = [inner for side in sides for inner in post_order(side)]
        for inner in dict.fromkeys(inside):
            if self.paths[inner] == path and isinstance(inner, (Computed, If, Tuple)):
                self.name(inner)
        blocks = [_indented(self.side(side, (*path, (part, is_true))))
                  for side, is_true in zip(sides, (True, False))]
        return text + f"{{\n{blocks[0]}\n}} else {{\n{blocks[1]}\n}}"


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
    """An expression alone."""
    return "\n".join(_Printer(Constants()).body(part))


def function_text(head: str, function: Any, constants: Constants) -> str:
    """head(%x: type, ..) -> type { .. }"""
    parameters = ", ".join(f"%{v.name_hint}: {type_text(v.value.type)}" for v in function.params)
    body = _indented(_Printer(constants).body(function.body))
    result = type_text(function.body.value.type)
    return f"{head}({parameters}) -> {result} {{\n{body}\n}}\n"
