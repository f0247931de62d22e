"""The operators, each a function from tensors to tensors.

    y = ops.softmax(ops.dense(x, w), axis=-1)

Tensors are given first, in the order of the operator's arguments, or by their names; attributes by
name. operators() lists them.
"""

from .._strata import _graph


def operators():
    """The names of all operators."""
    return _graph.operator_names()


def _operator(name):
    arguments = _graph.operator_arguments(name)
    takes_list = _graph.operator_takes_list(name)

    def operator(*tensors, **attributes):
        given = list(tensors[0]) if takes_list and len(tensors) == 1 else list(tensors)
        if not takes_list:
            for argument in arguments[len(given):]:
                if argument in attributes:
                    given.append(attributes.pop(argument))
        return _graph.apply(name, given, attributes)

    operator.__name__ = operator.__qualname__ = name
    named = ", ".join(arguments + [f"{a}=.." for a in _graph.operator_attributes(name)])
    operator.__doc__ = f"{name}({named})"
    return operator


def __getattr__(name):
    if name.startswith("_") or name not in _graph.operator_names():
        raise AttributeError(f"strata.graph.ops has no operator {name}")
    globals()[name] = _operator(name)
    return globals()[name]


def __dir__():
    return operators()
