"""The operator graph: tensors, operators, and what computes them.

    from strata.graph import compile, ops, te

    n = te.var("n")
    x = te.placeholder((n, 4), name="x")
    softmax = compile([ops.softmax(x)])
    [y] = softmax(np.ones((3, 4), np.float32))
"""

from .._strata._graph import CompiledTensors as CompiledTensors
from .._strata._graph import Operation as Operation
from .._strata._graph import Tensor as Tensor
from .._strata._graph import compile as compile
from .._strata._graph import create_function as create_function
from .._strata._graph import evaluate as evaluate
from .._strata._graph import kernel_counts as kernel_counts
from .._strata._graph import normal_dim as normal_dim
from .ops import register as register
