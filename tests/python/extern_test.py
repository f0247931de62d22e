"""C functions of Python programs in kernels."""

import ctypes
import gc
import weakref

import numpy as np
import pytest

import strata as st


def program(name="twice_and_one"):
    f = st.Function("ext")
    i = st.Var("i", 0, f.param("N"))
    x = f.input("x", st.f64, [st.Param("N")])
    y = f.computation("y", [i], st.call(st.f64, name, [x[i]]))
    return f, x, y


@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
def twice_and_one(x):
    return 2 * x + 1


ADDRESS = ctypes.cast(twice_and_one, ctypes.c_void_p).value


@pytest.mark.parametrize("function", [twice_and_one, ADDRESS])
def test_a_ctypes_function_is_called(function):
    f, x, y = program()
    kernel = f.jit([x, y], functions={"twice_and_one": function})
    assert kernel(np.arange(3.0)).tolist() == [1, 3, 5]


def test_a_kernel_keeps_its_functions_alive():
    f, x, y = program("local")
    kernel = f.jit([x, y], functions={
        "local": ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x - 1)})
    assert kernel(np.arange(3.0)).tolist() == [-1, 0, 1]


def test_a_kernel_keeps_its_functions_when_the_dict_changes():
    f, x, y = program("local")
    functions = {"local": ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x - 1)}
    kept = weakref.ref(functions["local"])
    kernel = f.jit([x, y], functions=functions)
    functions.clear()
    gc.collect()
    assert kept() is not None and kernel(np.arange(3.0)).tolist() == [-1, 0, 1]


def test_a_function_of_the_process_needs_no_address():
    f, x, y = program("cbrt")
    np.testing.assert_allclose(f.jit([x, y])(np.array([8.0, 27.0])), [2, 3])


def test_a_missing_function_is_an_error_before_the_kernel_runs():
    f, x, y = program("no_such_function")
    with pytest.raises(st.Error) as caught:
        f.jit([x, y], functions={"another": ADDRESS})
    assert caught.value.code is st.Code.E0502_code_generation_failed
    assert caught.value.command == "codegen(ext)"
    assert caught.value.explanation == "the address of the C function no_such_function is not known"


def test_a_cfunc_of_numba_is_called():
    numba = pytest.importorskip("numba")
    compiled = numba.cfunc("float64(float64)")(lambda x: 3 * x)
    f, x, y = program("tripled")
    assert f.jit([x, y], functions={"tripled": compiled})(np.arange(3.0)).tolist() == [0, 3, 6]


@pytest.mark.parametrize("wrong", ["text", 1.5, None, -1, 0, 2**70, ctypes.c_void_p()])
def test_what_is_no_function_is_refused(wrong):
    f, x, y = program()
    with pytest.raises((TypeError, ctypes.ArgumentError)):
        f.jit([x, y], functions={"twice_and_one": wrong})
