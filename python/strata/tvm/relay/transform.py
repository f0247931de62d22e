"""The passes."""

from __future__ import annotations

from typing import Any

from ...graph import transform as _t
from .._alterations import alterations
from .._missing import getter
from ..transform import Pass as Pass
from ..transform import function_pass as function_pass

__getattr__ = getter(__name__)


def InferType() -> Pass:
    """Changes nothing: types are known already."""
    return Pass(_t.InferType())


def FoldConstant(fold_qnn: bool = False) -> Pass:
    """Computes values that depend only on constants."""
    return Pass(_t.FoldConstant())


def EliminateCommonSubexpr(fskip: Any = None) -> Pass:
    """Of equal calls, only the first one stays. Calls with fskip(expr) stay too."""
    from .._function import expression_of

    skip = None if fskip is None else (lambda binding: fskip(expression_of(binding)))
    return Pass(_t.EliminateCommonSubexpr(skip))


def DeadCodeElimination(inline_once: bool = False, ignore_impurity: bool = False) -> Pass:
    """Drops values that nobody uses."""
    return Pass(_t.DeadCodeElimination())


def ToANormalForm() -> Pass:
    """Changes nothing: programs are in A-normal form."""
    return Pass(_t.ToANormalForm())


def FuseOps(fuse_opt_level: int = -1) -> Pass:
    """Operators that may be computed together become a function with Primitive=1, one kernel. At
    level 0 each operator gets a function of its own; -1 is the level of the context. The context's
    option relay.FuseOps.max_depth bounds the operators of one function."""
    return Pass(_t.FuseOps(fuse_opt_level))


def AlterOpLayout() -> Pass:
    """Stores tensors as the alterations of relay.op.register_alter_op_layout ask. Alterations
    registered later do not count."""
    return Pass(_t.AlterOpLayout(alterations()))
