"""Operators by name."""

from __future__ import annotations

from typing import Any

from .._alterations import register as _register
from .._expr import Op as Op
from .._missing import getter
from .._operators import functions_of as _functions_of
from .._operators import row_of as _row_of
from . import nn as nn

globals().update(_functions_of(""))
__getattr__ = getter(__name__)


def get(op_name: str) -> Op:
    """The operator of this name."""
    return Op(_row_of(op_name).relay)


def register_alter_op_layout(op_name: str, alter_layout: Any = None, level: int = 10) -> Any:
    """Registers how AlterOpLayout should store the calls of an operator: alter_layout(attrs,
    inputs, tinfos, out_type) returns the call with other layouts, or None."""
    return _register(op_name, alter_layout, level)
