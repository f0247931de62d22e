"""Operators by name."""

from __future__ import annotations

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
