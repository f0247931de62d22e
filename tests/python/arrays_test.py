"""Arrays of numpy and others as arguments: what is taken without a copy, what is refused."""

import array
import ctypes

import numpy as np
import pytest

import strata as st
from strata import KernelCode


def copy_kernel(dtype, rank, name="same"):
    """y = x for arrays of any extents, and nothing else."""
    f = st.Function(name)
    sizes = [f.param(f"n{k}") for k in range(rank)]
    iterators = [st.Var(f"i{k}", 0, n) for k, n in enumerate(sizes)]
    x = f.input("x", dtype, sizes)
    y = f.computation("y", iterators, x(*iterators))
    return f.jit([x, y])


TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_comes_and_goes(dtype):
    data = np.random.default_rng(3).integers(0, 2, (4, 5)).astype(dtype)
    result = copy_kernel(np.dtype(dtype), 2)(data)
    assert result.dtype == data.dtype and (result == data).all()


def test_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    data = np.arange(6).astype(ml_dtypes.bfloat16)
    kernel = copy_kernel(st.bf16, 1)
    result = kernel(data)
    assert result.dtype == ml_dtypes.bfloat16 and (result == data).all()
    with pytest.raises(st.KernelError, match="bfloat16"):
        copy_kernel(st.u16, 1)(data)


@pytest.mark.parametrize("view", [
    lambda a: a, lambda a: a[::-1], lambda a: a[:, ::-1], lambda a: a[::2, 1::3],
    lambda a: a[::-2, ::-1], lambda a: a.T, lambda a: a[:0], lambda a: a[:, :0], lambda a: a[:1],
    lambda a: np.asfortranarray(a), lambda a: a[:, 2:3], lambda a: np.broadcast_to(a[:1], (5, 8))])
def test_strides_of_any_sign_and_empty_arrays(view):
    kernel = copy_kernel(st.i32, 2)
    data = view(np.arange(48, dtype=np.int32).reshape(6, 8))
    assert (kernel(data) == data).all()
    assert kernel(data).shape == data.shape


def test_outputs_of_any_strides_are_written_in_place():
    kernel = copy_kernel(st.i32, 2)
    data = np.arange(12, dtype=np.int32).reshape(3, 4)
    target = np.full((6, 8), -1, np.int32)
    assert kernel(data, target[::-2, ::2]) is None
    assert (target[::-2, ::2] == data).all()
    assert (target == -1).sum() == 48 - 12


def test_rank_zero():
    f = st.Function("scaled")
    i = st.Var("i", 0, f.param("N"))
    a, x = f.input("a", st.f64, []), f.input("x", st.f64, [st.Param("N")])
    y = f.computation("y", [i], a * x[i])
    s = f.computation("s", [], st.sum(i, y[i]))
    y_, s_ = f.jit([a, x, y, s])(np.array(2.0), np.arange(4.0))
    assert y_.tolist() == [0, 2, 4, 6] and s_ == 12 and s_.shape == ()
    assert f.jit([a, x, y, s])(np.float64(3), np.arange(4.0))[1] == 18


def test_axis_k_is_index_k():
    f = st.Function("tagged")
    i, j = st.Var("i", 0, f.param("N")), st.Var("j", 0, f.param("M"))
    y = f.computation("y", [i, j], st.cast(st.i64, i * 100 + j))
    result = f.jit([y])(N=3, M=4)
    assert result.shape == (3, 4) and result[2, 1] == 201


def test_read_only_arrays_are_inputs_only():
    kernel = copy_kernel(st.f32, 1)
    data = np.ones(4, np.float32)
    data.flags.writeable = False
    assert (kernel(data) == 1).all()
    with pytest.raises(st.KernelError, match="same: argument y is read-only") as caught:
        kernel(np.ones(4, np.float32), data)
    assert caught.value.code == KernelCode.wrong_arguments


def test_other_owners_of_buffers():
    kernel = copy_kernel(st.f64, 1)
    assert kernel(array.array("d", [1, 2, 3])).tolist() == [1, 2, 3]
    assert kernel((ctypes.c_double * 2)(4, 5)).tolist() == [4, 5]
    assert copy_kernel(st.u8, 1)(b"ab").tolist() == [97, 98]
    out = bytearray(2)
    copy_kernel(st.u8, 1)(memoryview(b"ab"), out)
    assert out == b"ab"


class Tensor:
    """Only DLPack, as torch's tensors."""

    def __init__(self, data, versions=True):
        self.data, self.versions = data, versions

    def __dlpack__(self, *, max_version=None):
        if max_version and not self.versions:
            raise TypeError("no max_version")
        return self.data.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


@pytest.mark.parametrize("versions", [True, False])
@pytest.mark.parametrize("dtype", TYPES)
def test_dlpack_of_both_versions(versions, dtype):
    data = np.random.default_rng(3).integers(0, 2, (4, 6)).astype(dtype)[:, ::2]
    out = np.zeros((4, 3), dtype)
    copy_kernel(np.dtype(dtype), 2)(Tensor(data, versions), Tensor(out, versions))
    assert (out == data).all()


def test_read_only_tensors_are_inputs_only():
    data = np.ones(4, np.float32)
    data.flags.writeable = False
    kernel = copy_kernel(st.f32, 1)
    assert (kernel(Tensor(data)) == 1).all()
    with pytest.raises(st.KernelError, match="argument y is read-only"):
        kernel(np.ones(4, np.float32), Tensor(data))


def sizes_kernel():
    f = st.Function("product")
    n, k, m = f.param("n"), f.param("k"), f.param("m")
    i, j, r = st.Var("i", 0, n), st.Var("j", 0, m), st.Var("r", 0, k)
    a, b = f.input("a", st.f64, [n, k]), f.input("b", st.f64, [k, m])
    return f.jit([a, b, f.computation("c", [i, j], st.sum(r, a[i, r] * b[r, j]))])


def test_parameters_are_read_from_shapes():
    kernel = sizes_kernel()
    a, b = np.random.default_rng(4).random((3, 4)), np.random.default_rng(5).random((4, 5))
    np.testing.assert_allclose(kernel(a, b), a @ b)
    np.testing.assert_allclose(kernel(b=b, a=a, n=2), (a @ b)[:2])
    c = np.zeros((3, 5))
    assert kernel(3, 4, 5, a, b, c) is None
    np.testing.assert_allclose(c, a @ b)


def test_contradicting_shapes_name_both():
    kernel = sizes_kernel()
    with pytest.raises(st.KernelError) as caught:
        kernel(np.zeros((3, 4)), np.zeros((5, 6)))
    assert caught.value.message == "product: parameter k is 4 as axis 1 of a, and 5 as axis 0 of b"
    assert caught.value.code == KernelCode.bad_shape
    assert str(caught.value).startswith("bad_shape: ")


def test_calls_that_do_not_fit():
    kernel = sizes_kernel()
    a = np.zeros((4, 4))
    for call, text in [
            (lambda: kernel(a), "argument b is missing"),
            (lambda: kernel(a, a, a, a), "takes 3 arrays, or 3 parameters and all arrays"),
            (lambda: kernel(a, a, z=1), "has no argument z; it has a, b, c, n, k, m"),
            (lambda: kernel(a, a, a=a), "argument a is given twice"),
            (lambda: kernel(a, a, n=2.5), "parameter n is float, not an int"),
            (lambda: kernel(a, [[1.0]]), "argument b is list, not an array")]:
        with pytest.raises(TypeError, match=text):
            call()
    f = st.Function("loose")
    f.param("K")
    i = st.Var("i", 0, 4)
    free = f.jit([f.computation("y", [i], st.Param("K") + i)])
    with pytest.raises(TypeError, match="parameter K is missing, and is the extent of no array"):
        free()
    assert free(K=3).tolist() == [3, 4, 5, 6]


SECOND = np.arange(16.0)


@pytest.mark.parametrize("wrong, code, text", [
    (np.zeros((4, 4), np.float32), "wrong_type", "argument b has elements of type float32"),
    (np.zeros(4), "wrong_rank", "argument b has 1 axes, not 2"),
    (np.zeros((4, 4), ">f8"), "wrong_type", "argument b has the bytes of its elements in the"),
    (np.zeros((4, 4), complex), "wrong_type", "argument b has elements of the format"),
    (np.zeros((4, 4), [("a", "f8"), ("b", "f4")])["a"], "misaligned", "argument b has a stride"),
    (np.zeros((3, 4)), "bad_shape", "as axis 0 of b"),
    (np.array([["x"]]), "wrong_type", "argument b has elements of the format"),
    (np.array([[None]]), "wrong_type", "argument b has elements of the format"),
    (np.zeros((4, 4), "M8[s]"), "wrong_arguments", "argument b cannot be given"),
])
def test_arrays_that_do_not_fit_are_named(wrong, code, text):
    with pytest.raises(st.KernelError, match=text) as caught:
        sizes_kernel()(np.zeros((4, 4)), wrong)
    assert caught.value.code.name == code


def test_what_the_runtime_checks_is_told_with_its_code():
    kernel = sizes_kernel()
    memory = np.zeros(100)
    a, b = memory[:16].reshape(4, 4), np.zeros((4, 4))
    with pytest.raises(st.KernelError, match="overlaps") as caught:
        kernel(a, b, memory[8:24].reshape(4, 4))
    assert caught.value.code == KernelCode.overlap
    with pytest.raises(st.KernelError) as caught:
        kernel(a, b, n=5)
    assert caught.value.code == KernelCode.out_of_bounds
    with pytest.raises(st.KernelError) as caught:
        kernel(a, b, n=2**70)
    assert caught.value.code == KernelCode.parameter_range
    with pytest.raises(st.KernelError, match="argument c is missing, and numpy") as caught:
        kernel(a, b, n=2**62)
    assert caught.value.code == KernelCode.out_of_memory


class Raises:
    def __init__(self, error):
        self.error = error

    def __dlpack__(self, **options):
        raise self.error

    def __dlpack_device__(self):
        return (1, 0)


class Lies(Tensor):
    def __dlpack__(self, **options):
        return self.data


@pytest.mark.parametrize("wrong", [Raises(ValueError("broken")), Raises(TypeError("no")), Lies(3),
                                   Lies(None), Raises(BufferError("requires grad"))])
def test_dlpack_that_raises_or_lies(wrong):
    with pytest.raises(st.KernelError, match="argument x") as caught:
        copy_kernel(st.f32, 1)(wrong)
    assert caught.value.code == KernelCode.wrong_arguments


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("number", ctypes.c_int32)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("extents", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Handmade:
    """A tensor with the fields given."""

    def __init__(self, extents=(4,), strides=None, **fields):
        self.memory = np.arange(4, dtype=np.float32)
        self.tensor = _Tensor(self.memory.ctypes.data, _Device(1, 0), len(extents), 2, 32, 1)
        self.extents = (ctypes.c_int64 * len(extents))(*extents)
        self.tensor.extents = self.extents
        if strides:
            self.strides = (ctypes.c_int64 * len(strides))(*strides)
            self.tensor.strides = self.strides
        for name, value in fields.items():
            setattr(self.tensor, name, value)

    def __dlpack__(self):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                         ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


def test_a_handmade_tensor():
    assert copy_kernel(st.f32, 1)(Handmade()).tolist() == [0, 1, 2, 3]
    assert copy_kernel(st.f32, 1)(Handmade([2], strides=[2], offset=4)).tolist() == [1, 3]


@pytest.mark.parametrize("fields, code", [
    (dict(device=_Device(2, 0)), "null_host"), (dict(bits=7), "wrong_type"),
    (dict(lanes=4), "wrong_type"), (dict(code=5), "wrong_type"), (dict(rank=-1), "wrong_rank"),
    (dict(rank=1000), "wrong_rank"), (dict(extents=[-4]), "bad_shape"), (dict(data=0), "null_host"),
    (dict(extents=[2**40]), "too_large"), (dict(strides=[2**40]), "too_large"),
    (dict(strides=[2**62]), "too_large")])
def test_tensors_that_no_kernel_takes(fields, code):
    with pytest.raises(st.KernelError, match="x") as caught:
        copy_kernel(st.f32, 1)(Handmade(**fields))
    assert caught.value.code.name == code


def test_arrays_are_held_as_long_as_the_call_needs():
    import gc
    import sys

    kernel = copy_kernel(st.f64, 1)
    x, y = np.ones(10), np.zeros(10)
    before = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(100):
        kernel(x, y)
        kernel(Tensor(x), Tensor(y))
        with pytest.raises(st.KernelError):
            kernel(x, y, n0=11)
    gc.collect()
    assert (sys.getrefcount(x), sys.getrefcount(y)) == before
    x.resize(20, refcheck=False)  # no buffer is still held
    kernel(np.ones(3))  # a temporary lives through the call


def test_jax_arrays_come_without_a_copy():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(12, dtype=jax.numpy.float32).reshape(3, 4)
    assert (copy_kernel(st.f32, 2)(x) == np.asarray(x)).all()
    with pytest.raises(st.KernelError, match="argument y is read-only"):
        copy_kernel(st.f32, 2)(x, x + 0)
    half = jax.numpy.arange(4, dtype=jax.numpy.bfloat16)
    assert (copy_kernel(st.bf16, 1)(half) == np.asarray(half)).all()
    assert (jax.numpy.asarray(copy_kernel(st.f32, 2)(x)) == x).all()


def test_torch_tensors_come_and_go_without_a_copy():
    torch = pytest.importorskip("torch")
    for dtype, ours in [(torch.float32, st.f32), (torch.bfloat16, st.bf16),
                        (torch.bool, st.boolean)]:
        x, y = torch.ones(4, dtype=dtype), torch.zeros(4, dtype=dtype)
        copy_kernel(ours, 1)(x, y)
        assert (x == y).all()


TYPES = [st.boolean, st.i8, st.i16, st.i32, st.i64, st.u8, st.u16, st.u32, st.u64, st.f16, st.f32,
         st.f64]


@pytest.mark.parametrize("type", TYPES, ids=lambda type: type.name)
def test_an_array_of_strata_is_shared_both_ways(type):
    array = st.Array((2, 3), type)
    by_buffer, by_dlpack = np.asarray(array), np.from_dlpack(array)
    assert by_buffer.dtype == by_dlpack.dtype == np.dtype(type.name.replace("boolean", "bool"))
    assert by_buffer.shape == by_dlpack.shape == array.shape == (2, 3) and array.type == type
    assert by_buffer.strides == by_dlpack.strides and not by_buffer.any()
    assert by_buffer.ctypes.data == by_dlpack.ctypes.data and by_buffer.ctypes.data % 64 == 0
    by_dlpack[1, 2] = 1
    assert by_buffer[1, 2] == 1 and by_buffer.sum() == 1


def test_kernels_take_arrays_of_strata():
    kernel = copy_kernel(np.float32, 2)
    given, result = st.Array([3, 4], st.f32), st.Array([3, 4], np.float32)
    np.asarray(given)[:] = np.arange(12).reshape(3, 4)
    kernel(given, result)
    assert (np.asarray(result) == np.arange(12).reshape(3, 4)).all()
    assert repr(result) == "Array((3, 4), float32)"


def test_a_bfloat16_array_goes_by_dlpack_alone():
    array = st.Array([4], st.bf16)
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(array)
    f = st.Function("ones")
    i = st.Var("i", 0, 4)
    y = f.computation("y", [i], st.cast(st.bf16, 1.0))
    f.jit([y])(array)
    out = f.computation("wide", [i], st.cast(st.f32, y[i]))
    assert (f.jit([y, out])(array) == 1).all()


def test_shares_of_an_array_outlive_it():
    array = st.Array([1000], st.i64)
    shares = [np.from_dlpack(array), np.asarray(array)]
    shares[0][:] = 7
    unused = [array.__dlpack__(), array.__dlpack__(max_version=(1, 0))]
    del array, unused
    assert all((share == 7).all() for share in shares)


def test_an_array_gives_copies_and_refuses_devices():
    array = st.Array([3], st.i32)
    copy = np.from_dlpack(array, copy=True)
    copy[:] = 1
    assert not np.asarray(array).any() and copy.flags.writeable
    with pytest.raises(BufferError, match="host"):
        array.__dlpack__(dl_device=(2, 0))
    assert array.__dlpack_device__() == (1, 0)


@pytest.mark.parametrize("shape, error", [
    ([-1], ValueError), ([1] * 33, ValueError), ([2**62, 2**62], MemoryError),
    ([2**60], MemoryError), ([2**63], TypeError), (["3"], TypeError), ([2.5], TypeError),
    (3, TypeError)])
def test_shapes_that_no_array_has(shape, error):
    with pytest.raises(error):
        st.Array(shape, st.f32)


def test_an_array_of_no_elements_and_of_rank_zero():
    assert np.asarray(st.Array([0, 3], st.f32)).shape == (0, 3)
    assert np.from_dlpack(st.Array([], st.f32)).shape == ()


def test_arrays_are_freed(resident):
    before = resident()
    for _ in range(300):
        array = st.Array([250_000], st.f32)
        np.from_dlpack(array), memoryview(array), array.__dlpack__()
    assert resident() - before < 30e6
