"""TVM's names, for programs written for it.

    import strata.tvm as tvm
    from strata.tvm import te

Each name stands for the value, operator or pass of strata.graph with the same meaning. Classes here
wrap those of strata.graph, so nothing is built, typed or changed twice. TVM is not needed.
"""

from __future__ import annotations

from . import instrument as instrument
from . import ir as ir
from . import nd as nd
from . import relax as relax
from . import relay as relay
from . import script as script
from . import target as target
from . import te as te
from . import tir as tir
from . import transform as transform
from ._build import DataType as DataType
from ._build import build as build
from ._build import cpu as cpu
from ._build import get_global_func as get_global_func
from ._build import register_func as register_func
from ._dims import var as var
from ._missing import getter
from ._module import IRModule as IRModule

__getattr__ = getter(__name__)
