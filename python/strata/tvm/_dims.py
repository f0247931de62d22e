"""Dims: expressions over symbols that Python's == compares by their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _strata
from ..graph import normal_dim
from ..graph.te import post_order_visit


class _Comparison(_strata.Expr):
    """a == b as an expression. As a bool: does it hold for all values?"""

    _holds: bool | None

    def __bool__(self) -> bool:  # type: ignore[override]  # expressions always refuse
        if self._holds is None:
            return super().__bool__()  # refuses, since elements or iterators are compared
        return self._holds


def _is_equal(a: Any, b: Any) -> bool | None:
    """Are two dims provably equal? None if these are not dims."""
    parts: list[str] = []
    for value in (a, b):
        post_order_visit(_strata.Expr(value), lambda part: parts.append(part.op))
    if {"access", "variable", "invalid"} & set(parts):
        return None
    difference = normal_dim(_strata.Expr(a) - b)
    return isinstance(difference, int) and difference == 0


class Dim(_strata.Expr):
    """A dim. n == m is true if the two are provably equal."""

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, super().__eq__, True)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, super().__ne__, False)

    def _compared(self, other: Any, compare: Callable[[Any], Any], wanted: bool) -> Any:
        if not isinstance(other, (int, _strata.Expr, _strata.Param, _strata.Var)):
            return NotImplemented
        made, equal = _Comparison(compare(other)), _is_equal(self, other)
        made._holds = None if equal is None else equal == wanted
        return made

    def __hash__(self) -> int:
        return hash(str(normal_dim(self)))

    @property
    def name(self) -> str:
        return str(self)

    @property
    def dtype(self) -> str:
        return "int64"


def _arithmetic(name: str) -> Callable[[Dim, Any], Any]:
    operation = getattr(_strata.Expr, name)

    def method(self: Dim, other: Any) -> Any:
        made = operation(self, other)
        return made if made is NotImplemented else Dim(made)

    return method


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    for _method in (f"__{_name}__", f"__r{_name}__"):
        setattr(Dim, _method, _arithmetic(_method))


def dim(value: Any) -> Any:
    """An int, or a Dim."""
    return value if isinstance(value, int) else Dim(value)


def var(name: str = "tindex", dtype: str = "int64") -> Dim:
    """A symbol: an integer that is known when a kernel is called. Dims are int64, whatever dtype
    says."""
    return Dim(_strata.Param(name))
