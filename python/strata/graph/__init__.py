"""The operator graph: tensors, operators, programs, and the ways to compute them.

    from strata.graph import compile, ops, te

    n = te.var("n")
    x = te.placeholder((n, 4), name="x")
    softmax = compile([ops.softmax(x)])
    [y] = softmax(np.ones((3, 4), np.float32))
"""

from .._strata._graph import Binding as Binding
from .._strata._graph import Block as Block
from .._strata._graph import Body as Body
from .._strata._graph import CompiledModule as CompiledModule
from .._strata._graph import CompiledTensors as CompiledTensors
from .._strata._graph import GraphFunction as GraphFunction
from .._strata._graph import Module as Module
from .._strata._graph import Operation as Operation
from .._strata._graph import Tensor as Tensor
from .._strata._graph import TensorKernel as TensorKernel
from .._strata._graph import Value as Value
from .._strata._graph import ValueType as ValueType
from .._strata._graph import build as build
from .._strata._graph import call_function as call_function
from .._strata._graph import call_kernel as call_kernel
from .._strata._graph import call_packed as call_packed
from .._strata._graph import call_packed_kernel as call_packed_kernel
from .._strata._graph import compile as compile
from .._strata._graph import constant as constant
from .._strata._graph import constants_of as constants_of
from .._strata._graph import create_function as create_function
from .._strata._graph import evaluate as evaluate
from .._strata._graph import field as field
from .._strata._graph import global_value as global_value
from .._strata._graph import kernel_counts as kernel_counts
from .._strata._graph import normal_dim as normal_dim
from .._strata._graph import packed_names as packed_names
from .._strata._graph import parse_module as parse_module
from .._strata._graph import run as run
from .._strata._graph import shape_of as shape_of
from .._strata._graph import shape_value as shape_value
from .._strata._graph import to_html as to_html
from .._strata._graph import tuple_value as tuple_value
from .._strata._graph import type_of as type_of
from .._strata._graph import variable as variable
from .._strata._graph import verify as verify
from ._shape import Shape as Shape
from .builder import Branch as Branch
from .builder import GraphBuilder as GraphBuilder
from .onnx import load_onnx as load_onnx
from .ops import register as register
from .values import call as call
from .values import find_packed as find_packed
from .values import register_packed as register_packed
