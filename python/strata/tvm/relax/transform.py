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


def ToNonDataflow() -> Pass:
    """Blocks are plain, and no variable is local."""
    return Pass(_t.ToNonDataflow())


def CallTIRRewrite() -> Pass:
    """Arrays are made where functions of tensors are called, which write to them."""
    return Pass(_t.CallKernelRewrite())


def StaticPlanBlockMemory() -> Pass:
    """Arrays that do not live at once share a storage."""
    return Pass(_t.PlanMemory())


def VMMemoryLower() -> Pass:
    """Arrays without a storage get one of their own."""
    return Pass(_t.MemoryLower())


def KillAfterLastUse() -> Pass:
    """Arrays and storages are killed right after their last use."""
    return Pass(_t.KillAfterLastUse())


def VMShapeLower() -> Pass:
    """Extents are numbers on a heap; what functions take and return is checked."""
    return Pass(_t.ShapeLower())
