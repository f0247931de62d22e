"""Values of programs, and the Python functions that programs call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, overload

from .._strata import _graph

F = TypeVar("F", bound=Callable[..., Any])


def call(name: str, arguments: object, /, **attributes: object) -> _graph.Value:
    """An unbound call of an operator on values: call("softmax", [x], axis=1) is ops.softmax(x,
    axis=1). E0603 for an unknown operator or attribute, with the nearest name."""
    return _graph.call_operator(name, arguments, attributes)


def find_packed(name: str) -> Callable[..., Any]:
    """The packed function of this name. Call it with values as programs do. The call raises E0601
    if nobody has registered the function."""
    return functools.partial(_graph.call_packed_now, name)


@overload
def register_packed(name: str, function: F, *, replaces: bool = False) -> F: ...


@overload
def register_packed(name: str, *, replaces: bool = False) -> Callable[[F], F]: ...


def register_packed(name: str, function: Any = None, *, replaces: bool = False) -> Any:
    """Gives a Python function the name by which programs call it.

        @register_packed("increment")
        def increment(x):
            np.asarray(x)[...] += 1

    It gets strata.Arrays that share memory with the program's, Shapes, tuples, ints and texts. It
    returns None, an array, a number, a Shape, a text, a tuple of these, or an object of its own,
    which the program passes on. From call_packed_kernel it gets the arrays to write after the other
    arguments and before the integers. run raises what the function raises. ValueError if the name
    is taken, unless it replaces.
    """
    if function is None:
        return lambda function: register_packed(name, function, replaces=replaces)
    _graph.register_packed(name, function, replaces)
    return function
