"""Relax, as it was first designed: blocks, dataflow, symbolic shapes.

    n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
    x = relax.Var("x", [n, m], relax.DynTensorType(2, "float32"))
    bb = relax.BlockBuilder()
    with bb.function("main", [x]):
        with bb.dataflow():
            gv = bb.emit_output(relax.op.exp(x))
        bb.emit_func_output(gv)
    mod = bb.get()
"""

from __future__ import annotations

from typing import Any

from ...graph import ops as _ops
from .._build import register_func as register_func
from .._missing import unknown as _unknown
from .._types import DynTensorType as DynTensorType
from .._types import ObjectType as ObjectType
from .._types import ShapeType as ShapeType
from .._types import TupleType as TupleType
from . import op as op
from . import transform as transform
from . import vm as vm
from ._builder import BlockBuilder as BlockBuilder
from ._function import BindingBlock as BindingBlock
from ._function import DataflowBlock as DataflowBlock
from ._function import Function as Function
from ._function import MatchShape as MatchShape
from ._function import SeqExpr as SeqExpr
from ._function import VarBinding as VarBinding
from ._values import Call as Call
from ._values import Constant as Constant
from ._values import DataflowVar as DataflowVar
from ._values import Expr as Expr
from ._values import ExternFunc as ExternFunc
from ._values import GlobalVar as GlobalVar
from ._values import ShapeExpr as ShapeExpr
from ._values import Tuple as Tuple
from ._values import TupleGetItem as TupleGetItem
from ._values import Var as Var
from ._values import call_dps as call_dps
from ._values import call_packed as call_packed
from ._values import call_tir as call_tir
from ._values import const as const
from ._values import operator as _operator
from .vm import ExecBuilder as ExecBuilder
from .vm import Executable as Executable
from .vm import VirtualMachine as VirtualMachine
from .vm import load_exec_from_file as load_exec_from_file


# Words of the script form, which early programs write with this name in front.
_OF_TEXTS = ("dataflow", "function", "match_shape", "output", "outputs")


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    if name in _OF_TEXTS:
        from ..script import relax as texts

        return getattr(texts, name)
    try:
        return _operator(name)
    except AttributeError:
        raise _unknown(__name__, name, [*globals(), *_ops.operators()]) from None
