"""Relay: functions of expressions.

    x = relay.var("x", shape=(1, 64, 56, 56))
    f = relay.Function([x], relay.nn.relu(relay.add(x, x)))
    mod = tvm.IRModule.from_expr(f)

Operators and their attributes have Relay's names. Types are known when a call is made, so a
mistake has its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import graph as _g
from .._expr import Attrs as Attrs
from .._expr import Call as Call
from .._expr import Constant as Constant
from .._expr import Expr as Expr
from .._expr import GlobalVar as GlobalVar
from .._expr import If as If
from .._expr import Op as Op
from .._expr import Tuple as Tuple
from .._expr import TupleGetItem as TupleGetItem
from .._expr import Var as Var
from .._expr import const as const
from .._function import Function as Function
from .._missing import getter
from .._operators import functions_of as _functions_of
from .._types import TensorType as TensorType
from .._types import TupleType as TupleType
from .._types import Type as Type
from . import analysis as analysis
from . import expr as expr
from . import expr_functor as expr_functor
from . import nn as nn
from . import op as op
from . import transform as transform
from .build_module import bind_params_by_name as bind_params_by_name
from .build_module import create_executor as create_executor
from .expr_functor import ExprMutator as ExprMutator
from .expr_functor import ExprVisitor as ExprVisitor

globals().update(_functions_of(""))
__getattr__ = getter(__name__)


def var(name_hint: str, type_annotation: Any = None, shape: Sequence[Any] | None = None,
        dtype: str = "float32") -> Var:
    """A variable for a parameter: of a type, of a shape and a type of elements, or an unknown
    tensor."""
    if type_annotation is not None and shape is not None:
        raise ValueError(f"var({name_hint}): give a type or a shape, and not both")
    if type_annotation is not None:
        kind = type_annotation.graph
    else:
        kind = _g.ValueType.tensor() if shape is None else _g.ValueType.tensor(tuple(shape), dtype)
    return Var(_g.variable(name_hint, kind))
