"""The words in the text of an R.function: types, and the words of its statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ... import graph as g
from .._dims import Dim
from .._dims import var as symbol
from ..relax import Expr, Var
from ._source import Word, element_type

UNKNOWN, DATAFLOW = Word("_"), Word("R.dataflow()")


def OUTPUTS(*values: Any) -> None:
    raise TypeError("R.outputs(..) ends a dataflow block in the text of an R.function")


def FUNC_ATTR(attrs: Any) -> None:
    """Attributes of the function, which are ignored."""


class Match(NamedTuple):
    """match_shape(value, pattern), which a builder binds."""

    value: Expr
    pattern: tuple[Any, ...]


def MATCH_SHAPE(value: Expr, pattern: Sequence[Any]) -> Match:
    """The value, with these dims as extents."""
    return Match(value, tuple(pattern) if isinstance(pattern, (tuple, list)) else (pattern,))


class Annotation:
    """The type of a value, as an author states it."""

    def __init__(self, graph: g.ValueType) -> None:
        self._graph = graph

    @property
    def graph(self) -> g.ValueType:
        return self._graph


class TensorAnnotation(Annotation):
    """R.Tensor[(n, m), "float32"], R.Tensor((n, m), "float32"), R.Tensor[_, "float32"],
    R.Tensor(None, "float32", ndim=2), R.Tensor"""

    def __init__(self) -> None:
        super().__init__(g.ValueType.tensor())

    def __call__(self, shape: Any = None, dtype: Any = None, ndim: int | None = None) -> Annotation:
        if isinstance(shape, str):
            shape, dtype = None, shape
        kind = None if dtype is None or dtype is UNKNOWN else element_type(dtype)
        if shape is None or shape is UNKNOWN:
            return Annotation(g.ValueType.tensor(None, kind, rank=ndim))
        if isinstance(shape, Var):
            return Annotation(g.ValueType.tensor(shape.value, kind, rank=ndim))
        items = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        dims = tuple(symbol(d) if isinstance(d, str) else d for d in items)
        return Annotation(g.ValueType.tensor(dims, kind, rank=ndim))

    def __getitem__(self, given: Any) -> Annotation:
        return self(*given) if isinstance(given, tuple) and len(given) == 2 and \
            isinstance(given[1], (str, Word)) else self(given)


class ShapeAnnotation(Annotation):
    """R.Shape, R.Shape((n, m))"""

    def __init__(self) -> None:
        super().__init__(g.ValueType.shape())

    def __call__(self, dims: Any = None, ndim: int | None = None) -> Annotation:
        return Annotation(g.ValueType.shape(None if dims is None else tuple(dims), rank=ndim))

    __getitem__ = __call__


class TupleAnnotation:
    """R.Tuple(type, ..), R.Tuple[type, ..]"""

    def __call__(self, *fields: Annotation) -> Annotation:
        return Annotation(g.ValueType.tuple([field.graph for field in fields]))

    def __getitem__(self, fields: Any) -> Annotation:
        return self(*(fields if isinstance(fields, tuple) else (fields,)))


TENSOR, SHAPE, TUPLE = TensorAnnotation(), ShapeAnnotation(), TupleAnnotation()
OBJECT = Annotation(g.ValueType())
# Names that a text may use without "R.".
NAMES: dict[str, Any] = {"_": UNKNOWN, "Tensor": TENSOR, "Shape": SHAPE, "Tuple": TUPLE,
                         "Object": OBJECT}


def variable(name: str, kind: Annotation) -> Var:
    """A parameter."""
    made = Var.__new__(Var)
    Expr.__init__(made, g.variable(name, kind.graph))
    return made


def conflict(derived: g.ValueType, stated: g.ValueType) -> str:
    """Why a value of one type is not of the type that an author states; empty if it is."""
    if stated.kind == "object" or derived.kind == "object":
        return ""
    if stated.kind != derived.kind:
        return f"a {stated.kind} is stated"
    for what in ("dtype", "rank"):
        wanted, there = getattr(stated, what), getattr(derived, what)
        if wanted is not None and wanted != there:
            return f"{wanted} is stated"
    if stated.dims is None:
        return ""
    if derived.dims is None:
        return f"the extents {stated.dims} are stated"
    for k, (wanted, there) in enumerate(zip(stated.dims, derived.dims)):
        if not Dim(wanted) == there:
            return f"{wanted} is stated for extent {k}"
    return ""
