"""Tensor expressions, as programs for TVM write them. The common parts are in strata.graph.te."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import strata as _st

from ..graph import Operation as Operation
from ..graph import te as _te
from ..graph.te import Tensor as Tensor
from ..graph.te import all as all
from ..graph.te import any as any
from ..graph.te import max as max
from ..graph.te import min as min
from ..graph.te import prod as prod
from ..graph.te import sum as sum
from . import tir as _tir
from ._dims import var as size_var
from ._dims import var as var
from ._kinds import kind
from ._missing import getter
from ._prim_func import create_prim_func as create_prim_func
from .tir import (abs, acos, asin, atan, ceil, cos, cosh, erf, exp, floor, floordiv, floormod,
                  if_then_else, log, max_value, min_value, power, round, sigmoid, sin, sinh, sqrt,
                  tan, tanh, trunc)
from .tir import const as const
from .tir import post_order_visit as post_order_visit

__getattr__ = getter(__name__)


PlaceholderOp = kind("PlaceholderOp", Operation, lambda op: op.kind == "placeholder")
ComputeOp = kind("ComputeOp", Operation, lambda op: op.kind == "compute")
ExternOp = kind("ExternOp", Operation, lambda op: op.kind == "extern")


def placeholder(shape: Any, dtype: Any = "float32", name: str = "placeholder") -> Tensor:
    """Data from outside."""
    return _te.placeholder(shape, dtype, name)


def compute(shape: Any, fcompute: Callable[..., Any], name: str = "compute", tag: str = "",
            attrs: Any = None) -> Any:
    """Like strata.graph.te.compute. tag and attrs are ignored: what they tell TVM follows from the
    expression."""
    return _te.compute(shape, fcompute, name)


def reduce_axis(dom: tuple[Any, Any], name: str = "rv") -> _st.Var:
    """An iterator that a reduction runs over: lower <= name < upper."""
    return _te.reduce_axis(dom, name)


def comm_reducer(fcombine: Callable[..., Any], fidentity: Callable[..., Any],
                 name: str = "reduce") -> Callable[..., Any]:
    """A reduction of a value, or of a tuple of values, by a function of two of them. The author
    promises that the function is associative and commutative."""

    def reducer(expr: Any, axis: Any) -> Any:
        is_tuple = isinstance(expr, (list, tuple))
        values = [_st.Expr(value) for value in (expr if is_tuple else [expr])]
        identity = fidentity(*(value.type.name for value in values))
        made = _st.Reducer(name, list(identity) if is_tuple else [identity],
                           fcombine if is_tuple else lambda x, y: [fcombine(x[0], y[0])])
        return _st.reduce(made, list(axis) if isinstance(axis, (list, tuple)) else [axis], values)

    return reducer


def extern(shape: Any, inputs: Sequence[Tensor], fcompute: Callable[[Any, Any], Any],
           name: str = "extern", dtype: Any = None) -> Any:
    """The result of a packed function, which writes it: fcompute(ins, outs) returns
    tvm.tir.call_packed(name, ..) with these arrays and with ints."""
    is_list = isinstance(shape, list) and not isinstance(shape[0], (int, _st.Expr))
    count = len(shape) if is_list else 1
    ins = [_tir.Buffer(k, tensor) for k, tensor in enumerate(inputs)]
    outs = [_tir.Buffer(len(ins) + k) for k in range(count)]
    call = fcompute(ins, outs)
    if not isinstance(call, _tir.PackedCall):
        raise TypeError(f"{name}: fcompute returns {call!r}, and no tvm.tir.call_packed(..)")
    return _te.extern(shape, inputs, lambda i, o: call.run([*i, *o]), name, dtype)
