"""Modules, equality, attributes of operators."""

from __future__ import annotations

from typing import Any

from .. import transform as transform
from .._expr import GlobalVar as GlobalVar
from .._expr import Op as Op
from .._missing import getter
from .._module import IRModule as IRModule
from .._types import TensorType as TensorType
from .._types import TupleType as TupleType
from .._types import Type as Type
from . import instrument as instrument

__getattr__ = getter(__name__)


def structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False) -> bool:
    """Are two modules, functions or kernels equal up to the names of their variables?"""
    return bool(lhs == rhs)


def assert_structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False) -> None:
    """AssertionError, with both texts, if they are not."""
    if not structural_equal(lhs, rhs):
        raise AssertionError(f"these are not equal:\n{lhs}\n{rhs}")
