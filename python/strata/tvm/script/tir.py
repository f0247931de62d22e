"""T: functions of loops and blocks, in the script form.

    @T.prim_func
    def exp(x: T.handle, y: T.handle):
        n = T.var("int64")
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        for i in T.grid(n):
            with T.block("Y"):
                vi = T.axis.spatial(n, i)
                Y[vi] = T.exp(X[vi])

Each store defines a whole buffer. So it is a compute, and the function is a function of tensors.
"""

from __future__ import annotations

import types
from typing import Any

from .. import tir as _tir
from .._missing import unknown as _unknown
from .._prim_func import PrimFunc as _PrimFunc
from ._prim_func_parser import Axis as _Axis
from ._prim_func_parser import parsed as _parsed
from ._source import SYMBOL as _SYMBOL
from ._source import Script as _Script
from ._source import is_in_class as _is_in_class


def prim_func(func: types.FunctionType) -> Any:
    """The function that the text describes. In the class of a module, the class reads it."""
    return _Script("prim_func", func) if _is_in_class(func) else _parsed(func)


class handle:
    """An array. match_buffer gives its shape."""


class _BufferType:
    """T.Buffer(shape, dtype), or T.Buffer[shape, dtype]: the type of a parameter."""

    def __call__(self, shape: Any, dtype: str = "float32") -> Any:
        return (tuple(shape) if isinstance(shape, (tuple, list)) else (shape,), dtype)

    def __getitem__(self, given: Any) -> Any:
        return self(*given) if isinstance(given, tuple) and isinstance(given[0], tuple) \
            else self(given)


Buffer = _BufferType()
axis = _Axis


def var(dtype: str = "int64", name: str | None = None) -> Any:
    """n = T.var("int64") is a symbol n."""
    return _SYMBOL


def int64(value: Any = _SYMBOL) -> Any:
    """A number; without one, a symbol named like the variable that gets it."""
    return value


int32 = int64


def float32(value: Any) -> Any:
    return _tir.const(float(value), "float32")


def float64(value: Any) -> Any:
    return _tir.const(float(value), "float64")


def reduce_axis(lower: Any, upper: Any) -> Any:
    """The range of a reduced iterator, in the older form of block."""
    return _Reduced(lower, upper)


class _Reduced:
    def __init__(self, lower: Any, upper: Any) -> None:
        self.lower, self.upper = lower, upper


def _only_in_a_script(name: str) -> Any:
    def refuse(*_: Any, **__: Any) -> Any:
        raise TypeError(f"T.{name} stands in the text of a T.prim_func only")

    refuse.__name__ = name
    return refuse


match_buffer, alloc_buffer = _only_in_a_script("match_buffer"), _only_in_a_script("alloc_buffer")
grid, serial, block = map(_only_in_a_script, ("grid", "serial", "block"))
init, reads, writes = map(_only_in_a_script, ("init", "reads", "writes"))
func_attr = _only_in_a_script("func_attr")


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and name in vars(_tir):
        return vars(_tir)[name]
    raise _unknown(__name__, name, {**vars(_tir), **globals()})


PrimFunc = _PrimFunc
