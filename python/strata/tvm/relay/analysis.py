"""Questions about expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._expr import post_order
from .._function import Function
from .._missing import getter
from .._module import free_vars as free_vars

__getattr__ = getter(__name__)


def post_order_visit(expr: Any, fvisit: Callable[[Any], object]) -> None:
    """Calls fvisit once on each expression, operands first, and on a function last."""
    is_function = isinstance(expr, Function)
    for parameter in expr.params if is_function else ():
        fvisit(parameter)
    for part in post_order(expr.body if is_function else expr):
        if not (is_function and part in expr.params):
            fvisit(part)
    if is_function:
        fvisit(expr)
