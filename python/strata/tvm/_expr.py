"""Expressions of programs: values of strata.graph, with TVM's names for their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy

from .. import graph as g
from ._build import NDArray, ndarray
from ._types import Type, type_of_graph


class Expr:
    """A value: a leaf of strata.graph, or the variable that a call will have."""

    def __init__(self, value: g.Value) -> None:
        self.value = value

    @property
    def checked_type(self) -> Type:
        return type_of_graph(self.value.type)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        from ._relay_text import expression_text

        return expression_text(self)

    def __add__(self, other: Any) -> Any:
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary("divide", other, self)

    def __getitem__(self, index: int) -> Any:
        if self.value.type.kind != "tuple":
            raise TypeError("only a tuple has fields")
        if not 0 <= index < len(self.value.type.fields):
            raise IndexError(f"a tuple of {len(self.value.type.fields)} has no field {index}")
        return TupleGetItem(self, index)


def _binary(name: str, a: Any, b: Any) -> Any:
    return call(name, [expr(a), expr(b)], {})


class Var(Expr):
    """A variable: a parameter of a function, or a result."""

    @property
    def name_hint(self) -> str:
        return str(self.value.name)

    @property
    def type_annotation(self) -> Type:
        return self.checked_type


class Constant(Expr):
    """An array."""

    @property
    def data(self) -> NDArray:
        return ndarray(numpy.asarray(self.value.array))


class Op:
    """An operator."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Op) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name


class GlobalVar(Expr):
    """The name of a function of the module, in Relay and in Relax."""

    def __init__(self, name_hint: str) -> None:
        super().__init__(g.global_value(name_hint))

    @property
    def name_hint(self) -> str:
        return str(self.value.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GlobalVar) and self.name_hint == other.name_hint

    def __hash__(self) -> int:
        return hash(self.name_hint)

    def __call__(self, *args: Any) -> Any:
        """A call of the function, in Relay or Relax like the arguments."""
        from .relax import Call as RelaxCall
        from .relax import Expr as RelaxExpr

        is_relax = any(isinstance(argument, RelaxExpr) for argument in args)
        return (RelaxCall if is_relax else Call)(self, args)


class Attrs(Mapping[str, Any]):
    """All attributes of a call, by the operator's names for them, in order."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(f"there is no attribute {name}: there are {list(self._values)}")
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


class Computed(Expr):
    """The value of a definition. Its operands are the leaves of `args`; a list of tensors counts as
    its items."""

    def __init__(self, definition: g.Value, args: Sequence[Expr], value: g.Value | None) -> None:
        if value is None:
            # The type of a function's result is known once the call is in its module.
            is_function = definition.kind == "function"
            value = g.variable("value", g.ValueType() if is_function else g.type_of(definition))
        super().__init__(value)
        self.definition, self.args = definition, list(args)

    def rebuilt(self, leaves: Sequence[g.Value]) -> g.Value:
        """The same definition with other operands."""
        return self.definition.with_operands(leaves)


class Call(Computed):
    """Call(op, args, attrs): the call of an operator, whose type is known at once; or of a function
    of the module, by its GlobalVar."""

    def __init__(self, op: Any, args: Sequence[Any], attrs: Any = None, type_args: Any = None, *,
                 definition: g.Value | None = None, value: g.Value | None = None) -> None:
        from ._operators import definition_of

        given = [expr(argument) for argument in args]
        super().__init__(definition or definition_of(op, given, dict(attrs or {})), given, value)
        self.op = op

    @property
    def attrs(self) -> Attrs:
        from ._operators import attributes_of

        return Attrs(attributes_of(self.definition))

    def of(self, args: Sequence[Any]) -> Call:
        """The same call with other arguments."""
        given = [expr(argument) for argument in args]
        return Call(self.op, given, definition=self.rebuilt([a.value for a in given]))

    def rebuilt(self, leaves: Sequence[g.Value]) -> g.Value:
        spread: list[g.Value] = []
        for leaf in leaves:
            is_list = leaf.kind == "tuple" and len(self.definition.operands) != len(leaves)
            spread += leaf.operands if is_list else [leaf]
        return self.definition.with_operands(spread)


class TupleGetItem(Computed):
    """A field of a tuple."""

    def __init__(self, tuple_value: Expr, index: int, *, definition: g.Value | None = None,
                 value: g.Value | None = None) -> None:
        super().__init__(definition or g.field(tuple_value.value, index), [tuple_value], value)
        self.tuple_value, self.index = tuple_value, index


class If(Expr):
    """One of two values, by a condition. Values that only one side reads are computed only
    there."""

    def __init__(self, cond: Any, true_branch: Any, false_branch: Any, *,
                 value: g.Value | None = None) -> None:
        self.cond = expr(cond)
        self.true_branch, self.false_branch = expr(true_branch), expr(false_branch)
        types = {self.true_branch.value.type, self.false_branch.value.type}
        kind = types.pop() if len(types) == 1 else g.ValueType()
        super().__init__(value or g.variable("value", kind))


class Tuple(Expr):
    """A tuple of values."""

    def __init__(self, fields: Sequence[Any]) -> None:
        self.fields = [expr(field) for field in fields]
        super().__init__(g.tuple_value([field.value for field in self.fields]))


def const(value: Any, dtype: str | None = None) -> Constant:
    """A constant. A float becomes a float32 and an int an int32, unless dtype says otherwise. An
    array keeps its type."""
    if dtype is None and isinstance(value, (bool, int, float)):
        dtype = {bool: "bool", int: "int32"}.get(type(value), "float32")
    return Constant(g.constant(numpy.array(value, dtype)))


def expr(value: Any) -> Any:
    """A value as an expression: tuples and lists become tuples, numbers and arrays constants."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, (tuple, list)):
        return Tuple(value)
    if not isinstance(value, (bool, int, float)) and not hasattr(value, "__dlpack__"):
        raise TypeError(f"{value!r} is not an expression, a number or an array")
    return const(value)


def call(name: str, args: Sequence[Expr], attrs: Mapping[str, Any]) -> Call:
    return Call(Op(name), args, attrs)


def post_order(result: Expr) -> list[Expr]:
    """All parts, each once, from left to right, with operands before their readers."""
    seen: set[Expr] = set()
    order: list[Expr] = []
    stack = [(result, False)]
    while stack:
        part, is_done = stack.pop()
        if is_done:
            order.append(part)
        elif part not in seen:
            seen.add(part)
            stack.append((part, True))
            stack += [(operand, False) for operand in reversed(operands_of(part))]
    return order


def operands_of(part: Expr) -> list[Expr]:
    """The expressions that a part is made of."""
    if isinstance(part, Tuple):
        return part.fields
    if isinstance(part, If):
        return [part.cond, part.true_branch, part.false_branch]
    return part.args if isinstance(part, Computed) else []
