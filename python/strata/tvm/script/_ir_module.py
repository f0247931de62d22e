"""The class of a module, with functions in the script form."""

from __future__ import annotations

from typing import Any

from .._module import IRModule
from ..relax import BlockBuilder
from . import _relax_parser
from ._prim_func_parser import parsed as parsed_prim_func
from ._source import Script


def ir_module(mod: type) -> IRModule:
    """The module of a class's functions: first the functions of T, then those of R in order."""
    scripts = {name: value for name, value in vars(mod).items() if isinstance(value, Script)}
    names: dict[str, Any] = {
        name: parsed_prim_func(script.function)
        for name, script in scripts.items() if script.kind == "prim_func"}
    builder = BlockBuilder()
    for prim_func in names.values():
        kernel = prim_func.kernel
        builder._graph.add_kernel(prim_func.name, kernel.inputs, kernel.outputs)
    for name, script in scripts.items():
        if script.kind == "function":
            _relax_parser.build(script.function, builder, names)
            names[name] = _relax_parser.callee(name)
    return builder.get()
