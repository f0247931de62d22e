"""R: functions of tensors and shapes, in the script form.

    @R.function
    def main(x: R.Tensor[(n, m), "float32"], w: R.Tensor[_, "float32"]):
        with R.dataflow():
            known = R.match_shape(w, (m, k))
            product = R.dot(x, known)
            gv = R.call_tir(exp, [product], (n, k), dtype="float32")
            R.outputs(gv)
        return gv
"""

from __future__ import annotations

import types
from typing import Any

from ... import graph as _graph
from .. import relax as _relax
from .._missing import unknown as _unknown
from ..relax import ExternFunc as ExternFunc
from ..relax import TupleGetItem as TupleGetItem
from ..relax import call_dps as call_dps
from ..relax import call_packed as call_packed
from ..relax import call_tir as call_tir
from ..relax import const as const
from . import _annotations
from ._annotations import FUNC_ATTR as func_attr
from ._annotations import MATCH_SHAPE as match_shape
from ._annotations import OBJECT as Object
from ._annotations import OUTPUTS as output
from ._annotations import SHAPE as Shape
from ._annotations import TENSOR as Tensor
from ._annotations import TUPLE as Tuple
from ._relax_parser import parsed as _parsed
from ._source import Script as _Script
from ._source import is_in_class as _is_in_class

outputs = output


def function(func: types.FunctionType) -> Any:
    """The function that the text describes. In the class of a module, the class reads it."""
    return _Script("function", func) if _is_in_class(func) else _parsed(func)


def dataflow() -> Any:
    """`with R.dataflow():` holds pure bindings, and ends with R.outputs(..)."""
    return _annotations.DATAFLOW


def shape_of(value: Any) -> Any:
    """The extents of a tensor, as a value."""
    return _relax.Expr(_graph.shape_of(value.value))


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return getattr(_relax.op, name)
    except AttributeError:
        raise _unknown(__name__, name, [*globals(), *_graph.ops.operators()]) from None
