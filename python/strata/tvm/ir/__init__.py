"""Modules, equality, attributes of operators."""

from __future__ import annotations

from typing import Any

from .. import transform as transform
from .._alterations import register as _register
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
    """Raises AssertionError with both texts if they are not equal."""
    if not structural_equal(lhs, rhs):
        raise AssertionError(f"these are not equal:\n{lhs}\n{rhs}")


def register_op_attr(op_name: str, attr_key: str, value: Any = None, level: int = 10) -> Any:
    """"FTVMAlterOpLayout" of an operator, like relay.op.register_alter_op_layout. Other attributes
    follow from what an operator computes."""
    if attr_key != "FTVMAlterOpLayout":
        raise ValueError(f"register_op_attr({op_name}): {attr_key} is not here: it follows from "
                         "what the operator computes; FTVMAlterOpLayout is here")
    return _register(op_name, value, level)
