"""Arrays on a GPU as arguments: on a CUDA driver that records, and on PoCL's OpenCL device."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from devices import (CPU, CUDA, MANAGED, OPENCL, ROCM, Elsewhere, Versioned, capsule_name,
                     recording_driver)

import strata as st
from strata import KernelCode

DRIVER = recording_driver()
recorded = pytest.mark.skipif(DRIVER is None, reason="the recording driver is not libcuda.so here")
on_opencl = pytest.mark.skipif(not st.gpu_available("opencl"), reason="there is no OpenCL device")


WITHOUT_DEVICES = """
#include <stdio.h>
#include <strata/runtime.h>
static int told(int code) {
  puts(strata_last_error());
  return code != strata_error_no_device;
}
int main(void) {
  static float from[6] = {1, 2, 3, 4, 5, 6}, to[6];
  const int64_t extents[] = {3, 2};
  strata_dimension d[6];
  strata_buffer a, b, c;
  strata_buffer_init(&a, strata_float(32), from, 2, &d[0], extents);
  strata_buffer_init(&b, strata_float(32), to, 2, &d[2], extents);
  if (told(strata_allocate_on_device(&a, "cuda"))) return 1;
  /* Between arrays of the host it copies all the same, whatever their strides: b is transposed. */
  for (int k = 0; k < 2; ++k) b.dim[k].stride = b.dim[k].extent == 3 ? 1 : 3;
  if (strata_copy_array(strata_argument(&a), strata_argument(&b))) return 2;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      if (to[j * 3 + i] != from[i * 2 + j]) return 3;
  a.host = NULL;
  a.device = 1;
  return told(strata_copy_array(strata_argument(&a), strata_argument(&b))) ||
         told(strata_wrap_memory(&c, strata_float(32), "cuda", 64, 1, &d[4], extents, NULL));
}
"""


def doubled(target, resident="xy", rank=1):
    """y = 2 x for integers; the arguments named in "resident" are on the GPU."""
    f = st.Function("doubled")
    sizes = [f.param(f"n{k}") for k in range(rank)]
    iterators = [st.Var(f"i{k}", 0, n) for k, n in enumerate(sizes)]
    x = f.input("x", st.i32, sizes)
    y = f.computation("y", iterators, x(*iterators) * 2)
    y.gpu_tile(*iterators, *[4] * rank)
    for argument in (x, y):
        if argument.name in resident:
            f.resident(argument)
    return f.jit([x, y], target=target)


def integers(*shape):
    return np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)


@pytest.fixture
def calls():
    """What the driver was asked since the test began."""
    def asked():
        return DRIVER.recorded_calls().decode().splitlines()

    asked()
    yield asked
    DRIVER.set_owner(-1)
    DRIVER.set_devices(1)


@pytest.fixture
def launched(calls):
    """A kernel and its arrays, after the first launch, with the calls since then."""
    kernel = doubled("host-cuda")
    x, y = Elsewhere(integers(4)), Elsewhere(integers(4))
    kernel(x, y)
    calls()
    return kernel, x, y, calls


def test_the_recording_driver_is_used_where_it_is_built():
    build = os.environ.get("STRATA_BUILD")
    if build and (pathlib.Path(build) / "tests/gpu/recording/libcuda.so").exists():
        assert DRIVER is not None, "libcuda.so is another driver: see LD_LIBRARY_PATH"


@recorded
def test_a_launch_gets_the_arrays_of_another_package(calls):
    kernel = doubled("host-cuda")
    x, y = Elsewhere(integers(10)), Elsewhere(integers(10))
    calls()
    assert kernel(x, y) is None
    launch, wait = [c for c in calls() if c not in ("load", "primary context")]
    words = launch.split()
    assert words[2:6] == ["device", "0", "stream", "0"] and "_launch_" in words[1]
    assert {str(x.address), str(y.address)} < set(words[7:])
    assert wait == "stream synchronize 0"
    # Stream 1 of DLPack is the default stream; the tensors are given back after the wait.
    assert x.log == y.log == [1, "deleted"]
    assert [capsule_name(c) for c in x.capsules + y.capsules] == [b"used_dltensor"] * 2


@recorded
def test_a_kernel_runs_on_the_device_of_its_arrays(calls):
    DRIVER.set_devices(3)
    kernel = doubled("host-cuda")
    for number in (2, 0, 1):
        DRIVER.set_owner(number)
        kernel(*[Elsewhere(integers(4), number=number) for _ in "xy"])
        launch = [c for c in calls() if c.startswith("launch ")]
        assert len(launch) == 1 and f" device {number} " in launch[0]


@recorded
def test_an_output_left_out_is_on_the_device_of_the_environment():
    program = ("from device_arrays_test import DRIVER, doubled, integers\n"
               "DRIVER.set_devices(3)\n"
               "print(doubled('host-cuda', resident='y')(integers(4)).device)\n")
    run = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True,
                         env=os.environ | {"HL_GPU_DEVICE": "2"},
                         cwd=pathlib.Path(__file__).parent)
    assert run.stdout == "cuda:2\n", run.stderr


@recorded
def test_a_stream_of_the_caller(calls):
    kernel = doubled("host-cuda")
    x, y = Elsewhere(integers(4)), Elsewhere(integers(4), MANAGED)
    kernel(x, y)
    calls()
    with st.cuda_stream(4096):
        kernel(x, y)
        with st.cuda_stream(0):
            kernel(x, y)
        with pytest.raises(ZeroDivisionError), st.cuda_stream(2):
            kernel(x, y)
            1 // 0
    assert [c.split()[5] for c in calls()] == ["4096", "0", "2"]  # launches, and no wait
    assert x.log == [1, "deleted", 4096, "deleted", 1, "deleted", 2, "deleted"]
    kernel(x, y)
    assert [c.split()[0] for c in calls()] == ["launch", "stream"]
    with pytest.raises(ValueError):
        st.cuda_stream(-1)


@recorded
def test_one_stream_is_entered_again(launched):
    kernel, x, y, calls = launched
    stream = st.cuda_stream(4096)
    with stream:
        with stream:
            kernel(x, y)
        thread = threading.Thread(target=lambda: stream.__enter__())
        thread.start()
        thread.join()
        kernel(x, y)
    assert [c.split()[5] for c in calls()] == ["4096", "4096"]
    kernel(x, y)
    launch, wait = calls()
    assert " stream 0 " in launch and wait == "stream synchronize 0"


@recorded
def test_a_call_waits_for_copies_of_arrays_in_the_host(calls):
    kernel = doubled("host-cuda", resident="y")
    x, y = integers(6), Elsewhere(integers(6))
    with st.cuda_stream(4096):
        kernel(x, y)
    assert calls()[-1] == "stream synchronize 4096"
    kernel = doubled("host-cuda", resident="x")
    kernel(y, x)
    asked = [c.split()[0] for c in calls()]
    assert asked[asked.index("to_host") + 1] == "stream"


@recorded
def test_tensors_with_a_version(calls):
    kernel = doubled("host-cuda")
    x, y = Versioned(integers(4), flags=1), Versioned(integers(4))
    kernel(x, y)
    assert x.log == y.log == [1, "deleted"]
    assert capsule_name(x.capsules[0]) == b"used_dltensor_versioned"
    with pytest.raises(st.KernelError, match="argument y is read-only") as caught:
        kernel(y, x)
    assert caught.value.code == KernelCode.wrong_arguments
    later = Versioned(integers(4), major=2)
    with pytest.raises(st.KernelError, match="argument y is given by DLPack 2, not 1"):
        kernel(y, later)
    assert x.log == [1, "deleted"] * 2 and y.log == [1, "deleted"] * 3
    assert later.log == [1, "deleted"]


@recorded
def test_streams_belong_to_threads(launched):
    kernel, x, y, calls = launched
    with st.cuda_stream(4096):
        thread = threading.Thread(target=kernel, args=(x, y))
        thread.start()
        thread.join()
    assert [c.split()[:2] for c in calls()][1] == ["stream", "synchronize"]


@recorded
@pytest.mark.parametrize("what, text", [
    ("launch", "doubled: the GPU's driver fails"),
    ("synchronize", "doubled: strata_wait_for_device")])
def test_failures_of_the_driver_are_raised(calls, what, text):
    kernel = doubled("host-cuda")
    x, y = Elsewhere(integers(4)), Elsewhere(integers(4))
    DRIVER.fail_at(what.encode(), 1)
    with pytest.raises(st.KernelError, match=text) as caught:
        kernel(x, y)
    assert caught.value.code == KernelCode.device
    assert x.log == [1, "deleted"]
    kernel(x, y)


class NoDevice(Elsewhere):
    def __dlpack_device__(self):
        return "cuda"


class Interrupted(Elsewhere):
    def __dlpack__(self, **options):
        raise KeyboardInterrupt


class InterruptedDevice(Elsewhere):
    def __dlpack_device__(self):
        raise KeyboardInterrupt


@recorded
@pytest.mark.parametrize("kind", [Interrupted, InterruptedDevice])
def test_interrupts_pass(kind):
    with pytest.raises(KeyboardInterrupt):
        doubled("host-cuda")(Elsewhere(integers(4)), kind(integers(4)))


class OtherDevice(Elsewhere):
    """Says one device, and gives another."""

    def __dlpack__(self, **options):
        return Elsewhere(self.array, ROCM).__dlpack__()


class Refuses(Elsewhere):
    def __dlpack__(self, **options):
        raise BufferError("the tensor requires grad")


def elsewhere(*arguments, **fields):
    return lambda: Elsewhere(*arguments, **fields)


@recorded
@pytest.mark.parametrize("wrong, code, text", [
    (lambda: integers(4), "not_resident", "is in host memory, and the kernel has it resident on a"),
    (lambda: bytearray(16), "not_resident", "is in host memory"),
    (lambda: integers(4).astype(">i4"), "not_resident", "is in host memory"),
    (elsewhere(integers(4), OPENCL), "not_resident", "is on OpenCL's device 0, and the kernel has"),
    (elsewhere(integers(4), ROCM), "not_resident", "is on a device of DLPack's type 10"),
    (elsewhere(integers(4), CUDA, 1), "not_resident",
     "is on CUDA's device 1, and doubled: argument x is on CUDA's device 0"),
    (lambda: OtherDevice(integers(4)), "not_resident", "is on a device of DLPack's type 10"),
    (lambda: NoDevice(integers(4)), "wrong_arguments", "has no __dlpack_device__"),
    (elsewhere(integers(4), CUDA, -1), "wrong_arguments", "has no __dlpack_device__"),
    (elsewhere(integers(4), CUDA, 2**32), "wrong_arguments", "has no __dlpack_device__"),
    (lambda: Refuses(integers(4)), "wrong_arguments", "cannot be given by DLPack: the tensor requ"),
    (elsewhere(np.zeros(4, np.float32)), "wrong_type", "has elements of type float32, not int32"),
    (elsewhere(integers(4), code=5), "wrong_type", "has elements of DLPack's code 5"),
    (elsewhere(integers(2, 2)), "wrong_rank", "has 2 axes, not 1"),
    (elsewhere(integers(4)[::-1]), "bad_shape", "cannot be used: .* stride of index 0 is -1"),
    (elsewhere(integers(4), offset=2), "misaligned", "cannot be used: .* not a multiple of the 4 b"),
    (elsewhere(integers(4), data=None), "not_resident", "cannot be used: .* the memory is null"),
    (elsewhere(integers(5)), "bad_shape", "n0 is 4 as axis 0 of x, and 5 as axis 0 of y")])
def test_resident_arguments_that_do_not_fit_are_named(calls, wrong, code, text):
    array = wrong()
    with pytest.raises(st.KernelError, match=text) as caught:
        doubled("host-cuda")(Elsewhere(integers(4)), array)
    assert caught.value.code.name == code
    assert re.search("argument y|axis 0 of y", caught.value.message)
    assert not any(c.startswith("launch ") for c in calls())


@recorded
def test_memory_of_another_context_is_refused(calls):
    DRIVER.set_devices(2)
    DRIVER.set_owner(1)
    with pytest.raises(st.KernelError, match="argument x cannot .* another CUDA context") as caught:
        doubled("host-cuda")(Elsewhere(integers(4)), Elsewhere(integers(4)))
    assert caught.value.code == KernelCode.not_resident


@recorded
def test_devices_that_are_not_there(calls):
    with pytest.raises(st.KernelError, match="device 5 cannot be used: the number of devices is 1"):
        doubled("host-cuda")(*[Elsewhere(integers(4), number=5) for _ in "xy"])
    with pytest.raises(st.KernelError, match="device 5 cannot be used"):
        st.Array([4], st.i32, "cuda:5")


@recorded
@pytest.mark.parametrize("shape, which", [([2**31], "an extent"), ([2, 2**16, 2**16], "a stride"),
                                          ([0, 2**31], "an extent")])
def test_arrays_that_no_device_has(calls, shape, which):
    with pytest.raises(st.KernelError, match=f"Array: {which} on a GPU is ") as caught:
        st.Array(shape, st.i8, "cuda")
    assert caught.value.code == KernelCode.too_large


@recorded
def test_arguments_of_the_host_stay_there(calls):
    kernel = doubled("host-cuda", resident="y")
    x, y = integers(6), Elsewhere(integers(6))
    kernel(x, y)
    copies = [c for c in calls() if c.startswith("to_")]
    assert copies == ["to_device 24"]
    there = Elsewhere(x)
    told = "argument x is on CUDA's device 0, .*Function.resident"
    with pytest.raises(st.KernelError, match=told) as caught:
        kernel(there, y)
    assert caught.value.code == KernelCode.null_host and there.log == [None, "deleted"]


@recorded
def test_what_is_no_array_is_a_type_error(calls):
    with pytest.raises(TypeError, match="argument y is list, not an array"):
        doubled("host-cuda")(Elsewhere(integers(4)), [1])
    with pytest.raises(TypeError, match="argument x is missing"):
        doubled("host-cuda")()


@recorded
def test_arrays_of_strata_are_shared_on_cuda(calls):
    DRIVER.set_devices(2)
    DRIVER.set_owner(1)
    array = st.Array([2, 3], st.i32, "cuda:1")
    assert array.device == "cuda:1" and array.__dlpack_device__() == (CUDA, 1)
    assert repr(array) == "Array((2, 3), int32, 'cuda:1')"
    array.copy_from(integers(2, 3))
    for capsule in (array.__dlpack__(stream=1), array.__dlpack__(max_version=(1, 0))):
        assert capsule_name(capsule).startswith(b"dltensor")
    result = doubled("host-cuda", rank=2)(array)
    assert result.device == "cuda:1" and result.shape == (2, 3)
    with pytest.raises(BufferError, match="on CUDA's device 1"):
        array.__dlpack__(dl_device=(CUDA, 0))
    with pytest.raises(st.KernelError, match="on CUDA's device 1"):
        st.Array([2, 3], st.i32).copy_from(array)


@on_opencl
def test_results_stay_on_the_device():
    kernel = doubled("host-opencl", rank=2)
    for shape in [(5, 7), (1, 1), (0, 3)]:
        x = st.Array(shape, st.i32, "opencl")
        x.copy_from(integers(*shape))
        twice = kernel(kernel(x))
        assert (twice.device, twice.shape) == ("opencl", shape)
        out = np.full(shape, -1, np.int32)
        twice.copy_to(out)
        assert (out == integers(*shape) * 4).all()


@on_opencl
def test_arrays_there_and_here_in_one_call():
    kernel = doubled("host-opencl", resident="x")
    x = st.Array([9], st.i32, device="opencl")
    assert kernel(x).tolist() == [0] * 9
    x.copy_from(integers(18)[::-2])
    assert kernel(x).tolist() == (integers(18)[::-2] * 2).tolist()
    other = doubled("host-opencl", resident="y")(integers(9))
    other.copy_to(out := np.zeros(9, np.int32))
    assert (out == integers(9) * 2).all()


@on_opencl
@pytest.mark.parametrize("wrong", [integers(3), integers(2, 2), np.zeros(4, np.float32),
                                   integers(4).astype(">i4")])
def test_copies_have_one_type_and_shape(wrong):
    array = st.Array([4], st.i32, "opencl")
    for copy in (array.copy_from, array.copy_to):
        with pytest.raises(st.KernelError, match=copy.__name__ + ": its argument"):
            copy(wrong)
    fixed = integers(4)
    fixed.flags.writeable = False
    with pytest.raises(st.KernelError, match="read-only"):
        array.copy_to(fixed)


@on_opencl
def test_an_array_there_is_no_buffer_and_may_be_copied():
    array = st.Array([4], st.i32, "opencl")
    array.copy_from(integers(4))
    with pytest.raises(BufferError, match="copy_to"):
        memoryview(array)
    tensor = array.__dlpack__(copy=True)
    assert capsule_name(tensor) == b"dltensor" and array.__dlpack_device__() == (OPENCL, 0)
    with pytest.raises(st.KernelError, match="argument x is on OpenCL's device 0"):
        doubled("host-opencl", resident="")(array)


def test_a_program_without_a_runtime_for_devices_says_so(tmp_path):
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    source = pathlib.Path(os.environ["STRATA_SOURCE"])
    runtime = pathlib.Path(os.environ["STRATA_BUILD"]) / "runtime/libstrata_runtime.a"
    subprocess.run([compiler, *os.environ.get("STRATA_C_FLAGS", "").split(), "-x", "c", "-",
                    "-x", "none", runtime, "-I", source / "include", "-o", tmp_path / "program",
                    "-lpthread", "-ldl", "-lm"], input=WITHOUT_DEVICES, text=True, check=True)
    run = subprocess.run([tmp_path / "program"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.splitlines() == [
        "strata_allocate_on_device: this program has no runtime for the device cuda",
        "strata_copy_array: this program has no runtime for devices",
        "strata_wrap_memory: this program has no runtime for this device"], run.stderr


def test_arrays_of_the_host_are_copied_too():
    array = st.Array([2, 3], st.i32)
    array.copy_from(integers(3, 2).T)
    array.copy_to(out := np.zeros((2, 3), np.int32))
    assert (out == integers(3, 2).T).all() and array.__dlpack_device__() == (CPU, 0)


@pytest.mark.parametrize("device", ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:99999999999"])
def test_devices_that_are_none(device):
    with pytest.raises(ValueError, match="an Array is on"):
        st.Array([1], st.f32, device)


@on_opencl
def test_memory_there_is_freed(resident):
    def make(count):
        for _ in range(count):
            st.Array([1_000_000], st.f32, "opencl").__dlpack__()

    make(10)
    before = resident()
    make(100)
    assert resident() - before < 40e6
