"""Arrays, packed functions, and functions that are ready to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..graph import find_packed, register_packed
from ._prim_func import PrimFunc
from .target import Target


class NDArray(numpy.ndarray):
    """numpy's array, with TVM's methods."""

    def numpy(self) -> Any:
        return numpy.asarray(self)

    asnumpy = numpy

    def copyto(self, target: Any) -> Any:
        numpy.asarray(target)[...] = self
        return target


def ndarray(value: Any) -> NDArray:
    """An array that shares memory with the value."""
    return numpy.asarray(value).view(NDArray)


def cpu(index: int = 0) -> str:
    """The device of all programs."""
    if index != 0:
        raise ValueError(f"cpu({index}): there is cpu(0)")
    return "cpu"


def device_of(device: Any) -> str:
    """The device that a program asks for. None means the only one."""
    if device not in (None, "cpu"):
        raise ValueError(f"there is no device {device!r}: programs run on tvm.cpu()")
    return "cpu"


def register_func(name: str | Callable[..., Any], f: Any = None, override: bool = False) -> Any:
    """Gives a function a name for programs, which call it with arrays, shapes, ints and texts."""
    if not isinstance(name, str):
        name, f = name.__name__, name

    def register(function: Callable[..., Any]) -> Any:
        register_packed(name, given(function), replaces=override)
        return function

    return register if f is None else register(f)


def given(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NDArrays, as programs call it."""
    return lambda *values: function(*map(returned, values))


def returned(value: Any) -> Any:
    """A value of a program, with its arrays as NDArrays."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(returned, value))
    return ndarray(value) if hasattr(value, "__dlpack__") else value


class DataType(str):
    """The name of a type of elements."""


def get_global_func(name: str) -> Callable[..., Any]:
    """The function that register_func has registered."""
    return find_packed(name)


def build(func: Any, target: Any = None, **_: Any) -> Callable[..., Any]:
    """A function of arrays that computes a PrimFunc, for this CPU."""
    if not isinstance(func, PrimFunc):
        raise TypeError(f"tvm.build takes a PrimFunc, and not {func!r}: te.create_prim_func makes "
                        "one")
    Target(target or "llvm")  # refuses other targets
    return func.built()
