"""The spelling of the original Tiramisu's Python module, for programs written for it.

    import strata.tiramisu as tm

Each word stands for Strata's command of the same meaning. Each command is proved legal when it is
given, or refused with a counter-example (strata.Error).
"""

from __future__ import annotations

import typing
from collections.abc import Sequence

import strata as st

p_boolean, p_int8, p_int16, p_int32 = st.boolean, st.i8, st.i16, st.i32
p_int64, p_uint8, p_uint16, p_uint32 = st.i64, st.u8, st.u16, st.u32
p_uint64, p_float32, p_float64 = st.u64, st.f32, st.f64


class primitive_t:
    """The types of scalars."""

    p_boolean, p_int8, p_int16, p_int32 = st.boolean, st.i8, st.i16, st.i32
    p_int64, p_uint8, p_uint16, p_uint32 = st.i64, st.u8, st.u16, st.u32
    p_uint64, p_float32, p_float64 = st.u64, st.f32, st.f64

_function: st.Function | None = None
_inputs: set[str] = set()  # the names of its inputs


def init(name: str) -> st.Function:
    """Begins the function that all later definitions belong to."""
    global _function
    _function = st.Function(name)
    _inputs.clear()
    return _function


def get_implicit_function() -> st.Function:
    if _function is None:
        raise RuntimeError("call init(name) first")
    return _function


def expr(value: typing.Any) -> st.Expr:
    """A number or a handle as an expression; expr(3).cast(p_float32) has a type."""
    return st.Expr(_plain(value))


def var(*arguments: typing.Any) -> st.Var:
    """var("i"), var("i", lower, upper) or var(p_int32, "i")."""
    if arguments and isinstance(arguments[0], st.Type):
        arguments = arguments[1:]
    return st.Var(*arguments)


def _plain(value: typing.Any) -> typing.Any:
    """The strata handle of an argument, also inside lists and pairs."""
    if isinstance(value, _Array):
        return value._handle
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item) for item in value)
    return value


class _Array:
    """The common parts of inputs and computations."""

    _handle: typing.Any
    __iter__ = None  # x[i] does not make x a sequence

    def __getitem__(self, indices: typing.Any) -> st.Expr:
        return typing.cast(st.Expr, self._handle[indices])

    def __call__(self, *indices: typing.Any) -> st.Expr:
        return typing.cast(st.Expr, self._handle(*indices))

    def get_buffer(self) -> st.Buffer:
        return typing.cast(st.Buffer, self._handle.buffer())

    def get_name(self) -> str:
        return typing.cast(str, self._handle.name)


class input(_Array):
    """input(name, names of dimensions, extents, type)."""

    def __init__(self, name: str, dimensions: Sequence[typing.Any],
                 extents: Sequence[typing.Any], type: st.Type) -> None:
        if len(dimensions) != len(extents):
            raise ValueError(f"input {name} has {len(dimensions)} dimensions and {len(extents)} "
                             "extents")
        self._handle = get_implicit_function().input(name, type, [_plain(e) for e in extents])
        _inputs.add(name)


Input = input


class computation(_Array):
    """computation(name, iterators, expression); or with a type instead of the expression, which
    set_expression then gives.

    Commands have the names and the order of arguments of strata.Computation.
    """

    root = st.root
    # The original's names, where Strata has other names.
    _OTHER_NAMES = {"set_expression": "define", "tag_parallel_level": "parallelize",
                    "tag_unroll_level": "unroll", "tag_vector_level": "vectorize",
                    "tag_gpu_level": "gpu", "loop_reversal": "reverse", "add_predicate": "where",
                    "set_low_level_schedule": "set_schedule", "set_access": "store_in"}

    def __init__(self, name: str, iterators: Sequence[st.Var], value: typing.Any) -> None:
        function = get_implicit_function()
        if isinstance(value, st.Type):
            self._handle = function.declare(name, iterators, value)
        else:
            self._handle = function.computation(name, iterators, _plain(value))

    @classmethod
    def _of(cls, handle: st.Computation) -> computation:
        made = cls.__new__(cls)
        made._handle = handle
        return made

    def __getattr__(self, name: str) -> typing.Any:
        if name.startswith("_"):
            raise AttributeError(name)
        command = getattr(self._handle, self._OTHER_NAMES.get(name, name))
        if not callable(command):
            return command

        def give(*arguments: typing.Any, **named: typing.Any) -> typing.Any:
            result = command(*_plain(arguments), **{k: _plain(v) for k, v in named.items()})
            if result is self._handle:
                return self
            return computation._of(result) if isinstance(result, st.Computation) else result

        return give

    def cache_shared(self, array: _Array, level: typing.Any, shape: Sequence[int] | None = None,
                     offsets: Sequence[typing.Any] = (), pad: bool = False) -> computation:
        """Keeps what each iteration of "level" reads of the array in shared memory, of this shape.

        Strata derives offsets and halos, and refuses a shape that is too small. Without a shape,
        "array" is a reader: its loop "level" computes this computation, in shared memory."""
        if shape is None:
            self._handle.cache_shared(array._handle, level)
            return self
        name = f"{array.get_name()}_shared"
        names = [f"{name}_{k}" for k in range(len(shape))]
        copy = self._handle.cache_shared_at(level, array._handle, name, names)
        copy.set_size([extent + 1 if pad and k == len(shape) - 1 else extent
                       for k, extent in enumerate(shape)])
        return computation._of(copy)



def codegen(arguments: Sequence[st.Buffer], object: str, cuda: bool = False,
            gen_python: bool = False) -> None:
    """Writes the object and its header. gen_python also writes the C source of a Python extension;
    the source says how to compile it."""
    function = get_implicit_function()
    function.codegen(arguments, object, target="host-cuda" if cuda else "host")
    if gen_python:
        from ._extension import write_extension

        write_extension(object, _inputs)
