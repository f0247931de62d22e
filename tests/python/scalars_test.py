"""Scalars: arguments that are passed by value."""

import numpy as np
import pytest

import strata as st


def axpb():
    f = st.Function("axpb")
    N = f.param("N")
    i = st.Var("i", 0, N)
    alpha = f.scalar("alpha", st.f32)
    x = f.input("x", st.f32, [N])
    beta = f.scalar("beta", st.i32)
    y = f.computation("y", [i], alpha * x[i] + st.cast(st.f32, beta))
    y.vectorize(i, 8)
    return f.jit([x, y])


def test_scalars_by_name_and_before_all_arrays():
    kernel = axpb()
    x = np.arange(21, dtype=np.float32)
    assert kernel.scalars == ["alpha", "beta"]
    assert (kernel(x, alpha=0.5, beta=3) == 0.5 * x + 3).all()
    assert (kernel(x, beta=np.int8(-3), alpha=np.float32(2)) == 2 * x - 3).all()
    y = np.zeros_like(x)
    kernel(21, 4, 1, x, y)
    assert (y == 4 * x + 1).all()
    assert np.isnan(kernel(x, alpha=float("nan"), beta=0)).all()


@pytest.mark.parametrize("dtype, value", [
    ("bool", True), ("bool", np.bool_(True)), ("int8", -128), ("uint64", 2**64 - 1),
    ("int64", -(2**63)), ("float16", 0.5), ("bfloat16", 0.5), ("float64", 0.1), ("float32", 3)])
def test_every_type(dtype, value):
    f = st.Function("given")
    s = f.scalar("s", dtype)
    assert s.name == "s" and s.type == getattr(st, "boolean" if dtype == "bool" else {
        "int8": "i8", "uint64": "u64", "int64": "i64", "float16": "f16", "bfloat16": "bf16",
        "float64": "f64", "float32": "f32"}[dtype])
    whole = dtype if dtype in ("bool", "uint64", "int64") else "float64"
    kernel = f.jit([f.computation("out", [], s if whole == dtype else st.cast(whole, s))])
    assert kernel(s=value)[()] == value


def test_refused_calls():
    kernel = axpb()
    x = np.zeros(3, np.float32)
    with pytest.raises(TypeError, match="axpb: scalar beta is missing"):
        kernel(x, alpha=1)
    with pytest.raises(TypeError, match="axpb: scalar alpha is str, not a number"):
        kernel(x, alpha="1", beta=1)
    with pytest.raises(TypeError, match="axpb: scalar beta is float, not an int"):
        kernel(x, alpha=1, beta=1.5)
    with pytest.raises(TypeError, match="argument alpha is given twice"):
        kernel(3, 1, 1, x, x.copy(), alpha=1)
    with pytest.raises(st.KernelError, match="the scalar beta is 2147483648, which int32"):
        kernel(x, alpha=1, beta=2**31)
    with pytest.raises(st.KernelError, match="scalar beta is more than 64 bits hold"):
        kernel(x, alpha=1, beta=2**64)
    with pytest.raises(st.KernelError, match="scalar beta is more than 64 bits hold"):
        kernel(x, alpha=1, beta=-2**70)


@pytest.mark.parametrize("number", [10**400, -10**5000], ids=["large", "too long to print"])
def test_numbers_beyond_all_floats(number):
    with pytest.raises(st.KernelError, match="scalar alpha is more than 64 bits hold"):
        axpb()(np.zeros(3, np.float32), alpha=number, beta=1)
    with pytest.raises(st.KernelError, match="parameter N is more than 64 bits hold"):
        axpb()(np.zeros(3, np.float32), alpha=1, beta=1, N=number)


@pytest.mark.parametrize("value", [0.5, 1.0, None, float("nan"), "yes", [], np.float32(1)])
def test_a_boolean_is_no_truth_value(value):
    f = st.Function("given")
    kernel = f.jit([f.computation("out", [], f.scalar("s", "bool"))])
    assert kernel(s=np.bool_(False))[()] == False and kernel(s=1)[()] == True
    with pytest.raises(TypeError, match=f"scalar s is (numpy.)?{type(value).__name__}, not a bool"):
        kernel(s=value)
    with pytest.raises(st.KernelError, match="the scalar s is 2, which bool"):
        kernel(s=2)


def test_a_half_is_rounded_once():
    f = st.Function("given")
    kernel = f.jit([f.computation("out", [], st.cast("float64", f.scalar("s", "float16")))])
    above = 1 + 2**-11 + 2**-30  # float32 has 1 + 2^-11, the middle of 1 and 1 + 2^-10
    assert np.float16(above) == kernel(s=above)[()] == 1 + 2**-10
    assert kernel(s=-above)[()] == -1 - 2**-10
    assert kernel(s=2**60)[()] == np.inf and kernel(s=2049)[()] == 2048


def test_a_scalar_is_in_no_memory():
    f = st.Function("f")
    alpha = f.scalar("alpha", st.f32)
    y = f.computation("y", [], alpha + 1.0)
    with pytest.raises(st.Error, match="alpha is a scalar"):
        f.jit([y, st.Buffer("alpha")])
