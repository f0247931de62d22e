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

from ._strata import *
from ._strata import __version__
from ._errors import Error, Execution, KernelError, Witness
