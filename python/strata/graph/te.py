"""Tensor expressions, with the names and the order of arguments of TVM's te.

    n = te.var("n")
    a = te.placeholder((n, n), name="a")
    k = te.reduce_axis((0, n), name="k")
    b = te.compute((n,), lambda i: te.sum(a[i, k], axis=k), name="b")
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import _strata
from .._strata import _graph
from .._strata._graph import Tensor as Tensor

if TYPE_CHECKING:
    from .._strata import Expr, Operand, Param, TypeLike, Var


def var(name: str = "n", dtype: str = "int64") -> Param:
    """A symbol: an integer that is known when a kernel is called."""
    return _strata.Param(name)


size_var = var


def placeholder(shape: Sequence[Operand] | Operand, dtype: TypeLike = "float32",
                name: str = "placeholder") -> Tensor:
    """Data from outside."""
    return _graph.placeholder(name, dtype, shape)


def compute(shape: Sequence[Operand] | Operand, fcompute: Callable[..., Any],
            name: str = "compute") -> Any:
    """The tensor whose element at i, j, .. is fcompute(i, j, ..). If fcompute returns several
    expressions, or a reduction of tuples, a list of tensors."""
    names = []
    for parameter in inspect.signature(fcompute).parameters.values():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    made = _graph.compute(shape, names, fcompute, name)
    return made[0] if len(made) == 1 else made


def extern(shape: Any, inputs: Sequence[Tensor], fcompute: Callable[[Any, Any], object],
           name: str = "extern", dtype: Any = None) -> Any:
    """The result of a function on whole arrays: whenever the result is computed, fcompute(ins,
    outs) gets strata.Arrays, and writes outs. shape is the shape of the result; a list of shapes
    makes a list of results. Symbols in it are extents of inputs. dtype is a type or a list of
    types; it may be missing if all inputs have one type."""
    is_list = isinstance(shape, list) and not isinstance(shape[0], (int, _strata.Expr, _strata.Param))
    shapes = [tuple(s) for s in (shape if is_list else [shape])]
    types = {tensor.dtype for tensor in inputs}
    if dtype is None and len(types) != 1:
        raise TypeError(f"{name}: the inputs do not have one type, so dtype says that of the result")
    given = dtype if isinstance(dtype, (list, tuple)) else [dtype or types.pop()] * len(shapes)

    def call(*arrays: Any) -> list[Any]:
        symbols = {str(dim): extent for tensor, array in zip(inputs, arrays)
                   for dim, extent in zip(tensor.shape, array.shape)
                   if isinstance(dim, _strata.Expr) and dim.op == "parameter"}
        outs = [_strata.Array([_number(dim, symbols) for dim in extents], kind)
                for extents, kind in zip(shapes, given)]
        fcompute(list(arrays), outs)
        return outs

    made = _graph.external(name, list(zip(shapes, given)), list(inputs), call)
    return made if is_list else made[0]


def _number(dim: Operand, symbols: dict[str, int]) -> int:
    """The value of a dim."""
    [value] = _graph.evaluate([compute((), lambda: dim)], {}, symbols)
    number: int = memoryview(value)[()]
    return number


def reduce_axis(dom: tuple[Operand, Operand], name: str = "rv") -> Var:
    """An iterator that a reduction runs over: lower <= name < upper. Two of one name are
    different."""
    lower, upper = dom
    return _graph.reduce_axis(lower, upper, name)


def _reduction(reduction: Callable[..., Any]) -> Callable[[Operand, Var | Sequence[Var]], Expr]:
    def reduced(expr: Operand, axis: Var | Sequence[Var]) -> Any:
        return reduction(axis if isinstance(axis, (list, tuple)) else [axis], expr)

    reduced.__doc__ = reduction.__doc__
    return reduced


sum = _reduction(_strata.sum)
prod = _reduction(_strata.product)
min = _reduction(_strata.minimum)
max = _reduction(_strata.maximum)
any = _reduction(_strata.any)
all = _reduction(_strata.all)


def post_order_visit(expr: Expr, fvisit: Callable[[Expr], object]) -> None:
    """Calls fvisit on each part of an expression, parts before the whole."""
    _graph.visit(expr, fvisit)
