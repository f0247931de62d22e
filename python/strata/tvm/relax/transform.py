"""The passes."""

from __future__ import annotations

from ...graph import transform as _t
from .._missing import getter
from ..relay.transform import DeadCodeElimination as DeadCodeElimination
from ..relay.transform import EliminateCommonSubexpr as EliminateCommonSubexpr
from ..relay.transform import FoldConstant as FoldConstant
from ..relay.transform import FuseOps as FuseOps
from ..transform import Pass as Pass
from ..transform import function_pass as function_pass

__getattr__ = getter(__name__)


def FMARewrite() -> Pass:
    """add(multiply(x, y), z) becomes ewise_fma(x, y, z)."""
    return Pass(_t.FMARewrite())


def Normalize() -> Pass:
    """Changes nothing: programs are in A-normal form."""
    return Pass(_t.ToANormalForm())
