"""The script form: programs as the text of Python functions.

    @tvm.script.ir_module
    class Program:
        @T.prim_func
        def double(x: T.handle, y: T.handle): ..

        @R.function
        def main(x: R.Tensor[(n, m), "float32"]): ..

The text is read from Python's own syntax tree, and errors have its lines. A module that uses it
begins with `from __future__ import annotations`, since texts name symbols before they define them.
"""

from __future__ import annotations

from .._missing import getter
from ._ir_module import ir_module as ir_module
from . import relax as relax
from . import tir as tir
from . import ir as ir

__getattr__ = getter(__name__)
