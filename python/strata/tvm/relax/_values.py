"""The values of Relax: leaves of strata.graph, and calls that a builder binds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

import strata as st

from ... import graph as g
from ..._strata import _graph
from .._build import ndarray
from .._dims import dim
from .._expr import GlobalVar as GlobalVar
from .._missing import unknown
from .._prim_func import PrimFunc
from .._types import ShapeType, Type, relax_type

# Relax's early names of operators, where strata.graph has other names.
_OTHER_NAMES = {"dot": "matmul", "nn.matmul": "matmul", "nn.dense": "dense", "nn.relu": "relu",
                "nn.softmax": "softmax", "nn.flatten": "flatten"}


class Expr:
    """A value of strata.graph: a leaf, or a call without a variable."""

    def __init__(self, value: g.Value) -> None:
        self.value = value

    @property
    def checked_type(self) -> Any:
        return relax_type(g.type_of(self.value))

    @property
    def shape(self) -> Any:
        """A ShapeExpr of the extents if they are known, else a call that computes them."""
        dims = g.type_of(self.value).dims
        return Expr(g.shape_of(self.value)) if dims is None else ShapeExpr(dims)

    @property
    def shape_(self) -> Any:
        return self.shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return repr(self.value)

    def __getitem__(self, index: int) -> Expr:
        return TupleGetItem(self, index)


class Var(Expr):
    """Var(name, extents, type): a parameter, or the variable of a call.

    Extents without a type mean an array of float32. Without extents, a DynTensorType says the rank.
    A ShapeType with extents means a shape with these numbers."""

    def __init__(self, name_hint: str, shape_annotation: Any = None,
                 type_annotation: Type | None = None) -> None:
        dims = None if shape_annotation is None else tuple(_dims(shape_annotation))
        if isinstance(type_annotation, ShapeType):
            kind = g.ValueType.shape(dims)
        elif type_annotation is None:
            kind = g.ValueType() if dims is None else g.ValueType.tensor(dims, "float32")
        elif dims is None:
            kind = type_annotation.graph
        else:
            rank = getattr(type_annotation, "rank", -1)
            kind = g.ValueType.tensor(dims, type_annotation.graph.dtype,
                                      rank=None if rank in (-1, None) else rank)
        super().__init__(g.variable(name_hint, kind))

    @property
    def name_hint(self) -> str:
        return str(self.value.name)


class DataflowVar(Var):
    """A variable that is seen only inside its dataflow block."""


class Constant(Expr):
    """An array."""

    @property
    def data(self) -> Any:
        return ndarray(numpy.asarray(self.value.array))


class ShapeExpr(Expr):
    """A shape of these dims."""

    def __init__(self, values: Sequence[Any]) -> None:
        super().__init__(g.shape_value(tuple(_dims(values))))

    @property
    def values(self) -> list[Any]:
        return [dim(d) for d in self.value.dims or ()]

    def __getitem__(self, index: int) -> Any:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)


class Tuple(Expr):
    """A tuple of values."""

    def __init__(self, fields: Sequence[Any]) -> None:
        self.fields = [expr(field) for field in fields]
        super().__init__(g.tuple_value([field.value for field in self.fields]))

    def __getitem__(self, index: int) -> Any:
        return self.fields[index]

    def __len__(self) -> int:
        return len(self.fields)


class TupleGetItem(Expr):
    """A field of a tuple."""

    def __init__(self, tuple_value: Expr, index: int) -> None:
        super().__init__(g.field(tuple_value.value, index))


class ExternFunc:
    """A packed function, by its name."""

    def __init__(self, global_symbol: str) -> None:
        self.global_symbol = global_symbol


# A call of a packed function: its name, arguments and type of the result.
Packed = tuple[str, "list[g.Value]", "g.ValueType | None"]


class Call(Expr):
    """Call(op, args, attrs): the call of an operator, a packed function or a function of the
    module."""

    def __init__(self, op: Any, args: Any = (), attrs: Any = None, type_args: Any = None) -> None:
        given = [expr(argument).value for argument in _list(() if args is None else args)]
        self.packed: Packed | None = None
        if isinstance(op, ExternFunc):
            result = _list(type_args)[0].graph if type_args else None
            self.packed = (op.global_symbol, given, result)
            super().__init__(g.call_packed(op.global_symbol, given, result))
        elif isinstance(op, GlobalVar):
            super().__init__(g.call_function(op.name_hint, given))
        else:
            super().__init__(g.call(getattr(op, "name", op), given, **dict(attrs or {})))

    @classmethod
    def of(cls, value: g.Value) -> Call:
        """The call from a value of strata.graph."""
        made = cls.__new__(cls)
        Expr.__init__(made, value)
        made.packed = None
        return made


class KernelCall(Expr):
    """A call of a kernel. The kernel comes into the module when the call is bound."""

    def __init__(self, func: PrimFunc, args: Any, shapes: list[Any], integers: Any) -> None:
        self.func, self.shapes, self.integers = func, shapes, integers
        self.args = _list(args)

    @property
    def value(self) -> Any:  # type: ignore[override]
        raise TypeError(f"the call of {self.func.name} has no variable yet: emit binds it")

    def added(self, builder: g.GraphBuilder, arguments: list[g.Value]) -> g.Value:
        """The call with these arguments of a kernel that is now in the builder's module."""
        kernel = self.func.kernel
        name = builder.add_kernel(self.func.name, kernel.inputs, kernel.outputs)
        dims = [_number(symbol, kernel, self.shapes, self.integers) for symbol in kernel.integers]
        extents = self.shapes if len(self.shapes) > 1 else self.shapes[0]
        return g.call_kernel(extents, name, arguments, dims)


def _number(symbol: str, kernel: g.TensorKernel, shapes: list[Any], integers: Any) -> Any:
    """The value of a symbol that is not an extent of an argument: an extent of a result."""
    for output, shape in zip(kernel.outputs, shapes):
        for k, extent in enumerate(output.shape):
            if str(extent) == symbol and isinstance(shape, tuple):
                return shape[k]
    if integers is not None:
        return _list(integers)[kernel.integers.index(symbol)]
    raise ValueError(f"call_tir(@{kernel.name}): no extent of an argument or a result is {symbol}; "
                     f"give it by tir_vars=[{symbol}]")


def call_tir(first: Any, second: Any, third: Any, dtype: Any = None, tir_vars: Any = None) -> Expr:
    """call_tir(func, args, shape) or call_tir(shape, func, args): arrays of this shape, or of a
    list of shapes, which func writes: a PrimFunc, or a packed function by its name.

    dtype is the type of the arrays that a packed function writes; by default that of its first
    array.
    """
    is_first = isinstance(first, (PrimFunc, ExternFunc, GlobalVar, str))
    func, args, shape = (first, second, third) if is_first else (second, third, first)
    shapes = [_extents(s) for s in (shape if isinstance(shape, list) and shape and
                                    isinstance(shape[0], (tuple, list, Expr)) else [shape])]
    if isinstance(func, PrimFunc):
        return KernelCall(func, args, shapes, tir_vars)
    values = [expr(a).value for a in _list(args)]
    extents = shapes if len(shapes) > 1 else shapes[0]
    integers = [] if tir_vars is None else _list(tir_vars)
    if isinstance(func, GlobalVar):
        return Expr(g.call_kernel(extents, func.name_hint, values, integers))
    name = func if isinstance(func, str) else getattr(func, "global_symbol", None)
    if name is None:
        raise TypeError(f"call_tir: {func!r} is neither a PrimFunc nor a name")
    types = _list(dtype) if dtype is not None else [_first_dtype(values)] * len(shapes)
    return Expr(g.call_packed_kernel(extents, name, values, types, integers))


call_dps = call_tir


def _first_dtype(values: list[g.Value]) -> str:
    for value in values:
        if not value.is_call and value.type.kind == "tensor" and value.type.dtype:
            return value.type.dtype
    return "float32"


def call_packed(name: str, *args: Any, type_args: Any = None, attrs: Any = None) -> Call:
    """A call of a packed function, which may do anything."""
    return Call(ExternFunc(name), args, type_args=type_args)


def const(value: Any, dtype: str | None = None) -> Constant:
    """A constant."""
    return Constant(g.constant(numpy.array(value, dtype)))


def _list(args: Any) -> list[Any]:
    if isinstance(args, Tuple):
        return args.fields
    return list(args) if isinstance(args, (tuple, list)) else [args]


def _dims(values: Any) -> Any:
    return values.values if isinstance(values, ShapeExpr) else values


def _extents(shape: Any) -> Any:
    """A tuple of dims, or a value that is a shape."""
    if isinstance(shape, ShapeExpr):
        return tuple(shape.values)
    return shape.value if isinstance(shape, Expr) else tuple(shape)


def is_shape(value: Any) -> bool:
    """Is a tuple or list of Python a shape? Yes if all its items are dims."""
    return isinstance(value, (tuple, list)) and bool(value) and all(
        isinstance(item, st.Expr) or type(item) is int for item in value)


def expr(value: Any) -> Expr | GlobalVar:
    """A value as an expression: a tuple of dims becomes a shape, another tuple a tuple."""
    if isinstance(value, (Expr, GlobalVar)):
        return value
    if is_shape(value):
        return ShapeExpr(value)
    if isinstance(value, (tuple, list)):
        return Tuple(value)
    return Constant(g.constant(value))


def operator(name: str) -> Any:
    """The operator of this name, as a function that makes calls."""
    there = _OTHER_NAMES.get(name, name)
    if there not in g.ops.operators():
        raise unknown("strata.tvm.relax.op", name, [*g.ops.operators(), *_OTHER_NAMES])
    row = getattr(g.ops, there)
    takes_list = _graph.operator_takes_list(there)
    count = None if takes_list else len(_graph.operator_arguments(there))
    names = _graph.operator_attributes(there)

    def apply(*given: Any, **attributes: Any) -> Any:
        """Tensors first, then attributes in their order, or by name."""
        values = [expr(value).value for value in given[:count]]
        if count is not None:
            attributes = {**dict(zip(names, given[count:])), **attributes}
        return Call.of(row(*values, **attributes))

    apply.__name__, apply.__doc__ = name, row.__doc__
    return apply
