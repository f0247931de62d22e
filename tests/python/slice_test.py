"""A first program, and what a refusal knows."""

import numpy as np
import pytest

import strata as st


def smooth():
    f = st.Function("smooth")
    n = f.param("N")
    i = st.Var("i", 1, n - 1)
    x = f.input("x", st.f32, [n])
    y = f.computation("y", [i], (x[i - 1] + x[i] + x[i + 1]) / 3)
    return f, x, y


def test_a_kernel_computes_what_numpy_does():
    f, x, y = smooth()
    y.vectorize("i", 8)
    kernel = f.jit([x, y])
    data = np.random.default_rng(1).random(50, np.float32)
    result = kernel(data)
    assert result.dtype == np.float32 and result.shape == (49,)
    expected = (data[:-2] + data[1:-1] + data[2:]) / np.float32(3)
    np.testing.assert_allclose(result[1:], expected, rtol=1e-6)


def test_a_refusal_names_the_line_of_the_program():
    f, x, y = smooth()
    with pytest.raises(st.Error) as caught:
        y.interchange("i", "j")  # HERE
    error = caught.value
    here = [n for n, line in enumerate(open(__file__), 1) if line.rstrip().endswith("# HERE")]
    assert error.code == st.Code.E0102_unknown_loop
    assert (error.file, error.line) == (__file__, here[0])
    assert error.command == "interchange(y.i, y.j)"
    assert error.witness is None
    assert str(error) == (f"error E0102 unknown loop\n  in interchange(y.i, y.j) at "
                          f"{__file__}:{here[0]}\n  y has no loop j; it has i\n")
