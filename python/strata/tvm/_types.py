"""Types of values, with TVM's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from ..graph import ValueType
from ._dims import dim


class Type:
    """The ValueType `graph`, as TVM shows it."""

    graph: ValueType

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.graph == other.graph

    def __hash__(self) -> int:
        return hash(self.graph)

    def __repr__(self) -> str:
        return type_text(self.graph)


class TensorType(Type):
    """An array of these extents and this type of elements."""

    def __init__(self, shape: Sequence[Any], dtype: str = "float32") -> None:
        self.graph = ValueType.tensor(tuple(shape), dtype)

    @property
    def shape(self) -> tuple[Any, ...]:
        return tuple(map(dim, self.graph.dims or ()))

    concrete_shape = shape

    @property
    def dtype(self) -> str | None:
        return self.graph.dtype

    @property
    def rank(self) -> int | None:
        return self.graph.rank

    ndim = rank


class TupleType(Type):
    """Values of these types."""

    def __init__(self, fields: Sequence[Type]) -> None:
        self.graph = ValueType.tuple([field.graph for field in fields])

    @property
    def fields(self) -> list[Type]:
        return [type_of_graph(field) for field in self.graph.fields]


T = TypeVar("T", bound=Type)


def of_graph(cls: type[T], graph: ValueType) -> T:
    """The type that wraps a ValueType."""
    made = cls.__new__(cls)
    made.graph = graph
    return made


def type_of_graph(graph: ValueType) -> Type:
    """The TensorType, TupleType or other Type of a ValueType."""
    classes: dict[str, type[Type]] = {"tensor": TensorType, "tuple": TupleType}
    return of_graph(classes.get(graph.kind, Type), graph)


def type_text(graph: ValueType) -> str:
    """In Relay's syntax: Tensor[(2, 3), float32]; float32 for a scalar."""
    if graph.kind == "tuple":
        fields = [type_text(field) for field in graph.fields]
        return f"({fields[0]},)" if len(fields) == 1 else f"({', '.join(fields)})"
    if graph.kind != "tensor":
        return str(graph)
    text = str(graph.dtype) if graph.dims == () else str(graph)
    return text.replace("boolean", "bool")


# ---- Relax's types, which say less of a value than a TensorType: its extents are apart ----


class DynTensorType(Type):
    """An array of a rank, -1 if unknown, and a type of elements, None if unknown."""

    def __init__(self, rank: int = -1, dtype: str | None = "float32",
                 ndim: int | None = None) -> None:
        rank = rank if ndim is None else ndim
        self.graph = ValueType.tensor(None, dtype or None, rank=None if rank < 0 else rank)

    @property
    def rank(self) -> int:
        return -1 if self.graph.rank is None else self.graph.rank

    ndim = rank

    @property
    def dtype(self) -> str | None:
        return self.graph.dtype


class ShapeType(Type):
    """The extents of an array, as a value."""

    def __init__(self) -> None:
        self.graph = ValueType.shape()


class ObjectType(Type):
    """Anything."""

    def __init__(self) -> None:
        self.graph = ValueType()


def relax_type(graph: ValueType) -> Type:
    """Relax's type for a value of this type."""
    if graph.kind == "tensor":
        return DynTensorType(-1 if graph.rank is None else graph.rank, graph.dtype)
    if graph.kind == "tuple":
        return TupleType([relax_type(field) for field in graph.fields])
    return ShapeType() if graph.kind == "shape" else of_graph(ObjectType, graph)
