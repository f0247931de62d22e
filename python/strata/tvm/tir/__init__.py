"""Scalar expressions, and the names of their kinds."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Sequence
from typing import Any

import strata as _st

from ...graph import Tensor as _Tensor
from ...graph import find_packed
from .._dims import var as _var
from .._kinds import kind
from .._missing import getter
from .._prim_func import PrimFunc as PrimFunc
from . import stmt_functor as stmt_functor
from .stmt_functor import post_order_visit as post_order_visit

__getattr__ = getter(__name__)

PrimExpr = _st.Expr


Var = kind("Var", _st.Expr, lambda e: e.op in ("parameter", "variable"), _var)
SizeVar = Var


def _kind(name: str, op: str, make: Callable[..., Any] | None = None) -> Any:
    return kind(name, _st.Expr, lambda e: e.op == op, make)


Add, Sub = _kind("Add", "add", operator.add), _kind("Sub", "sub", operator.sub)
Mul, Div = _kind("Mul", "mul", operator.mul), _kind("Div", "div", operator.truediv)
FloorDiv = _kind("FloorDiv", "div", operator.floordiv)
FloorMod = _kind("FloorMod", "mod", operator.mod)
Min, Max = _kind("Min", "min", _st.min), _kind("Max", "max", _st.max)
Select, Cast = _kind("Select", "select", _st.select), _kind("Cast", "cast", _st.cast)
EQ, NE = _kind("EQ", "eq", operator.eq), _kind("NE", "ne", operator.ne)
LT, LE = _kind("LT", "lt", operator.lt), _kind("LE", "le", operator.le)
GT, GE = _kind("GT", "gt", operator.gt), _kind("GE", "ge", operator.ge)
And = _kind("And", "logical_and", operator.and_)
Or = _kind("Or", "logical_or", operator.or_)
Not, Reduce = _kind("Not", "logical_not", operator.invert), _kind("Reduce", "reduce")
ProducerLoad, Call = _kind("ProducerLoad", "access"), _kind("Call", "call")
IntImm, FloatImm = _kind("IntImm", "constant"), _kind("FloatImm", "constant")

abs, exp, log, sqrt, floor, ceil = _st.abs, _st.exp, _st.log, _st.sqrt, _st.floor, _st.ceil
round, trunc, erf, power = _st.round, _st.trunc, _st.erf, _st.pow
sin, cos, tan, asin, acos, atan = _st.sin, _st.cos, _st.tan, _st.asin, _st.acos, _st.atan
sinh, cosh, tanh = _st.sinh, _st.cosh, _st.tanh


def sigmoid(x: Any) -> _st.Expr:
    return 1 / (1 + _st.exp(-_st.Expr(x)))


def min(a: Any, b: Any) -> _st.Expr:
    return _st.min(a, b)


def max(a: Any, b: Any) -> _st.Expr:
    return _st.max(a, b)


def floordiv(a: Any, b: Any) -> Any:
    return a // b


def floormod(a: Any, b: Any) -> Any:
    return a % b


indexdiv, indexmod = floordiv, floormod


def const(value: Any, dtype: str = "") -> _st.Expr:
    """A number of a type."""
    if dtype and isinstance(value, (builtins.int, builtins.float)):
        return _st.constant(dtype, value)
    return _st.cast(dtype, value) if dtype else _st.Expr(value)


def if_then_else(cond: Any, t: Any, f: Any) -> _st.Expr:
    """t where cond holds, else f. Only the side taken is evaluated."""
    return _st.select(cond, t, f)


def _joined(values: tuple[Any, ...], join: Callable[[Any, Any], Any]) -> Any:
    made = values[0]
    for value in values[1:]:
        made = join(made, value)
    return made


def all(*conditions: Any) -> Any:
    return _joined(conditions, lambda a, b: a & b)


def any(*conditions: Any) -> Any:
    return _joined(conditions, lambda a, b: a | b)


def _limit(dtype: str, sign: int) -> Any:
    if dtype.startswith(("float", "bfloat")):
        return const(sign * float("inf"), dtype)
    unsigned, bits = dtype.startswith("u"), int(dtype.lstrip("uint"))
    low = 0 if unsigned else -(1 << (bits - 1))
    return const(low if sign < 0 else low + (1 << bits) - 1, dtype)


def min_value(dtype: str) -> Any:
    return _limit(dtype, -1)


def max_value(dtype: str) -> Any:
    return _limit(dtype, 1)


class Buffer:
    """An array argument of an extern function, by its number."""

    def __init__(self, number: int, tensor: _Tensor | None = None) -> None:
        self.number = number
        self.tensor = tensor

    @property
    def data(self) -> Buffer:
        return self

    def access_ptr(self, *_: Any) -> Buffer:
        return self


class PackedCall:
    """A call of a packed function."""

    def __init__(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.name, self.arguments = name, arguments

    def run(self, arrays: Sequence[Any]) -> None:
        """Calls the function with arrays for its buffers."""
        find_packed(self.name)(*(arrays[a.number] if isinstance(a, Buffer) else a
                             for a in self.arguments))


def call_packed(name: str, *args: Any) -> PackedCall:
    """A call of a packed function on arrays, ints, floats and texts."""
    for argument in args:
        if not isinstance(argument, (Buffer, int, float, str)):
            raise TypeError(f"call_packed({name}): an argument is {argument!r}; give arrays, ints, "
                            "floats and texts. The function sees the extents of its arrays")
    return PackedCall(name, builtins.tuple(args))
