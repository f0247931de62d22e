"""What no program should do: each ends in an exception of Python, and not in the process's end."""

import os
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import strata as st

DATA = np.arange(9, dtype=np.float32)


def doubled(name="doubled", **options):
    f = st.Function(name)
    N = f.param("N")
    i = st.Var("i", 0, N)
    x = f.input("x", st.f32, [N])
    return f.jit([x, f.computation("y", [i], x[i] * 2)], **options)


@pytest.fixture
def usual_recursion():
    """Python's own limit: mypy raises it for all tests of a process, beyond what the stack holds."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(limit)


def test_an_array_that_gives_itself_to_the_kernel_again(usual_recursion):
    kernel = doubled()

    class Again:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **options):
            return kernel(self)

    with pytest.raises((RecursionError, st.KernelError)):
        kernel(Again())
    assert (kernel(DATA) == DATA * 2).all()


class Unmade(st.Array):
    def __init__(self):
        pass


@pytest.mark.filterwarnings("ignore:nanobind")
@pytest.mark.parametrize("make", [Unmade, lambda: st.Array.__new__(st.Array)])
def test_an_array_that_is_not_made_is_no_buffer(make):
    with pytest.raises(BufferError, match="__init__ was not called"):
        memoryview(make())
    with pytest.raises(st.KernelError):
        doubled()(make())


@pytest.mark.parametrize("name", ["halide_error", "halide_malloc", "strata_fail"])
def test_kernels_are_not_named_as_functions_of_the_runtime(name):
    with pytest.raises(st.Error, match="choose a name that does not begin with ") as caught:
        doubled(name)
    assert caught.value.code is st.Code.E0105_bad_name


@pytest.mark.parametrize("name", ["free", "malloc", "exp"])
def test_kernels_are_not_named_as_functions_of_the_library_of_c(name):
    with pytest.raises(st.Error, match=f"choose another name, for example {name}_kernel") as caught:
        doubled(name)
    assert caught.value.code is st.Code.E0105_bad_name


def test_names_of_c_functions_are_text():
    with pytest.raises(TypeError, match="the name of a C function is a str"):
        doubled(functions={3: 1})


def test_a_step_of_a_reducer_returns_a_list():
    with pytest.raises(TypeError, match="the step of a Reducer returns no list of scalars"):
        st.Reducer("r", [0], lambda a, b: 3)


def test_constants_are_wrapped_or_refused():
    assert str(st.constant(st.u8, 300)) == str(st.constant(st.u8, 44))
    assert str(2**64 - 1) in str(st.constant(st.u64, 2**64 - 1))
    for value in ("3", 2.5, None, []):
        with pytest.raises(TypeError):
            st.constant(st.i32, value)


def test_types_have_the_byte_order_of_the_machine():
    other = np.dtype(np.float32).newbyteorder()
    with pytest.raises(TypeError):
        st.Array([1], other)
    with pytest.raises(TypeError):
        st.Function("f").input("x", other, [1])
    assert st.Array([1], np.dtype(np.float32)).type is st.f32


def test_a_refusal_may_quote_a_part_of_a_letter():
    f = st.Function("f")
    f.computation("y", [st.Var("i", 0, 9)], 1)
    for text in ("λeverse(y.i)", "reverse(y.λ)", "'λ(y.i, 4, i0, i1)"):
        with pytest.raises(st.Error) as caught:
            f.replay(text)
        assert "to fix it" in str(caught.value) or caught.value.explanation


@pytest.mark.parametrize("file", ["/dev/full", "a\0b.o"])
def test_an_object_that_cannot_be_written(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    f = st.Function("f")
    y = f.computation("y", [st.Var("i", 0, 9)], 1)
    with pytest.raises(st.Error) as caught:
        f.codegen([y], file, header=str(tmp_path / "f.h"))
    assert caught.value.code is st.Code.E0503_cannot_write_file
    assert not (tmp_path / "a").exists()


def test_a_child_compiles_though_its_parent_compiled():
    stop = threading.Event()

    def work():
        while not stop.is_set():
            doubled()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for n in range(5):
            time.sleep(0.02 * n)
            child = os.fork()
            if child == 0:
                threading.Timer(60, os._exit, [2]).start()
                os._exit(0 if (doubled()(DATA) == DATA * 2).all() else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert (doubled()(DATA) == DATA * 2).all()


# memfd_create of a system that does not know all flags, or of one that has none.
OLD_SYSTEM = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
int memfd_create(const char *name, unsigned flags) {
  if (KNOWN && flags < 8) return (int)syscall(SYS_memfd_create, name, flags);
  errno = KNOWN ? EINVAL : ENOSYS;
  return -1;
}
"""

COMPILES = """
import numpy, strata
f = strata.Function("f")
y = f.computation("y", [strata.Var("i", 0, 9)], 1)
try:
    print(f.jit([y])().sum())
except strata.Error as error:
    print(error.code.name, "|", error.mend)
"""


@pytest.fixture
def told_on(tmp_path):
    """A function: what COMPILES prints on such a system, with this folder for temporary files."""
    compiler = shutil.which("cc") or pytest.skip("no C compiler")

    def told(known, folder):
        library = tmp_path / f"old{known}.so"
        subprocess.run([compiler, "-shared", "-fPIC", f"-DKNOWN={known}", "-x", "c", "-", "-o",
                        library], input=OLD_SYSTEM, text=True, check=True)
        preloaded = f"{os.environ.get('LD_PRELOAD', '')} {library}"
        run = subprocess.run([sys.executable, "-c", COMPILES], capture_output=True, text=True,
                             env=os.environ | {"LD_PRELOAD": preloaded, "TMPDIR": str(folder)})
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    return told


def test_a_system_without_files_in_memory_has_temporary_files(told_on, tmp_path):
    (tmp_path / "there").mkdir()
    assert told_on(0, tmp_path / "there") == "9"
    assert not list((tmp_path / "there").iterdir())
    told = told_on(0, "/proc")
    assert told.startswith("E0503_cannot_write_file | set TMPDIR to a folder")


# The C compiler writes to a folder, in any case.
def test_a_system_that_knows_no_flag_of_files_in_memory(told_on, halide):
    assert told_on(1, "/proc") == "9"
