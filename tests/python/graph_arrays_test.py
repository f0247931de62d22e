"""Arrays of the graph share memory with Python's: arguments are not copied, nor are results."""

import gc
import weakref

import numpy as np
import pytest

import strata as st
from graph_check import m, n, tensor
from strata.graph import compile, evaluate, ops, register

FLAT = compile([ops.flatten(tensor(n, m))])


def test_a_view_of_an_argument_is_its_memory():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    flat = np.asarray(FLAT(x)[0])
    assert np.shares_memory(flat, x)
    flat[4] = 70
    assert x[1, 1] == 70


def test_what_cannot_be_shared_is_copied():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    read_only = x.copy()
    read_only.flags.writeable = False
    misaligned = np.frombuffer(bytearray(25), np.uint8)[1:].view(np.float32).reshape(2, 3)
    for array in (x[:, ::2], x.T, x[::-1], read_only, misaligned, np.broadcast_to(x[0], (3, 4))):
        [flat] = FLAT(array)
        assert not np.shares_memory(np.asarray(flat), array)
        np.testing.assert_array_equal(np.asarray(flat), array.reshape(-1))
    # The stride of an axis of one element says nothing.
    column = x[:1, :]
    assert np.shares_memory(np.asarray(FLAT(column)[0]), x)


def test_empty_arrays():
    for shape in ((0, 3), (2, 0)):
        assert np.asarray(FLAT(np.zeros(shape, np.float32))[0]).shape == (0,)


def test_memory_lives_as_long_as_a_result():
    class Kept(np.ndarray):
        pass

    x = np.ones((2, 3), np.float32).view(Kept)
    gone = weakref.ref(x)
    [flat] = FLAT(x)
    del x
    gc.collect()
    assert gone() is not None
    np.testing.assert_array_equal(np.asarray(flat), np.ones(6))
    del flat
    gc.collect()
    assert gone() is None


def test_an_array_of_the_package_goes_through_kernels():
    x = st.Array([2, 3], st.f32)
    np.asarray(x)[:] = 2
    [flat] = FLAT(x)
    assert isinstance(flat, st.Array) and flat.shape == (6,)
    [negative] = compile([ops.negative(tensor(n))])(flat)
    np.testing.assert_array_equal(np.asarray(negative), np.full(6, -2))
    assert np.shares_memory(np.asarray(flat), np.asarray(x))


def test_opaque_functions_see_the_memory_of_arguments():
    seen = []
    keep = register("keep", ["x"], lambda x: seen.append(np.asarray(x)) or x, shape=lambda x: x)
    x = np.ones(5, np.float32)
    [result] = compile([keep(tensor(n))])(x)
    assert np.shares_memory(seen[0], x) and np.shares_memory(np.asarray(result), x)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32",
                                   "int64", "uint64", "float16", "float32", "float64"])
def test_types(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    t = tensor(n, m, dtype=dtype)
    for [flat] in (compile([ops.flatten(t)])(x), evaluate([ops.flatten(t)], {t: x})):
        assert np.asarray(flat).dtype == np.dtype(dtype)
        np.testing.assert_array_equal(np.asarray(flat), x.reshape(-1))
