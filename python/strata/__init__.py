"""Strata: a polyhedral scheduling compiler.

    import numpy as np
    import strata as st

    f = st.Function("smooth")
    N = f.param("N")
    i = st.Var("i", 1, N - 1)
    x = f.input("x", st.f32, [N])
    y = f.computation("y", [i], (x[i - 1] + x[i] + x[i + 1]) / 3.0)
    y.vectorize(i, 8)
    kernel = f.jit([x, y])
    result = kernel(np.ones(100, np.float32))
"""

from ._errors import Error as Error
from ._errors import Execution as Execution
from ._errors import KernelError as KernelError
from ._errors import Witness as Witness
from ._strata import *
from ._strata import __version__ as __version__
