"""The operators, each a function from tensors to tensors.

    y = ops.softmax(ops.dense(x, w), axis=-1)

Pass tensors first, in the order of the operator's arguments, or by their names. Pass attributes by
name. operators() lists the operators. On values of programs they make calls, which
GraphBuilder.emit binds; arrays and numbers then are constants.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .._strata import _graph

Apply = Callable[..., Any]


def operators() -> list[str]:
    """The names of all operators."""
    return _graph.operator_names()


def _operator(name: str) -> Apply:
    arguments = _graph.operator_arguments(name)
    takes_list = _graph.operator_takes_list(name)

    def operator(*tensors: Any, **attributes: Any) -> Any:
        is_list = takes_list and len(tensors) == 1 and not isinstance(tensors[0], _graph.Value)
        given = list(tensors[0]) if is_list else list(tensors)
        if not takes_list:
            for argument in arguments[len(given):]:
                if argument in attributes:
                    given.append(attributes.pop(argument))
        return _graph.apply(name, given, attributes)

    operator.__name__ = operator.__qualname__ = name
    named = ", ".join(arguments + [f"{a}=.." for a in _graph.operator_attributes(name)])
    operator.__doc__ = f"{name}({named})"
    return operator


def register(name: str, args: Sequence[str], fn: Apply | None = None, *,
             shape: Apply | None = None) -> Apply:
    """Makes the function fn an operator, and returns it as one.

        @register("tropical", ["x", "w"])
        def tropical(x, w, *, offset=0.0):
            k = te.reduce_axis((0, w.shape[1]), "k")
            return te.compute((x.shape[0], w.shape[0]),
                              lambda i, j: te.max(x[i, k] + w[j, k] + offset, axis=k))

    args are the names of its tensors. Its keyword-only parameters are the attributes, and must have
    defaults. A function with *xs takes any number of tensors.

    With shape, fn is opaque: a function from arrays to arrays, called when the result is computed.
    shape takes the same tensors and attributes, and returns tensors with the shapes and types of
    the result: te.placeholder((te.var("m"),), x.dtype). Symbols that neither the tensors nor the
    attributes have are new in each call.
    """
    if fn is None:
        return lambda fn: register(name, args, fn, shape=shape)
    defaults: dict[str, Any] = {}
    takes_list, count = False, 0
    for parameter in inspect.signature(fn).parameters.values():
        takes_list = takes_list or parameter.kind is parameter.VAR_POSITIONAL
        if parameter.kind is parameter.KEYWORD_ONLY:
            if parameter.default is parameter.empty:
                raise TypeError(f"{name}: the attribute {parameter.name} has no default")
            defaults[parameter.name] = parameter.default
        count += parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    if count != (0 if takes_list else len(args)):
        raise TypeError(f"{name}: the function takes {count} tensors, and args are {list(args)}")
    _graph.register(name, list(args), takes_list, defaults, fn, shape)
    return _operator(name)


def __getattr__(name: str) -> Apply:
    if name.startswith("_") or name not in _graph.operator_names():
        raise AttributeError(f"strata.graph.ops has no operator {name}")
    operator = globals()[name] = _operator(name)
    return operator


def __dir__() -> list[str]:
    return operators()
