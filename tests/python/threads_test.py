"""Threads, forks and the ends of objects' lives."""

import gc
import multiprocessing
import re
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import strata as st


def program(name, offset):
    f = st.Function(name)
    i = st.Var("i", 0, f.param("N"))
    x = f.input("x", st.f32, [st.Param("N")])
    y = f.computation("y", [i], x[i] * 2 + offset)
    y.vectorize("i", 8)
    y.parallelize("i")
    return f, x, y


def complaints(run):
    """What a process wrote to stderr, without AddressSanitizer's note on the stacks of Halide."""
    return re.sub(r"==\d+==WARNING: ASan doesn't fully support makecontext.*\n", "", run.stderr)


def in_threads(count, work):
    """Runs work(n) in threads; raises what one of them raised."""
    failures = []

    def run(n):
        try:
            work(n)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


DATA = np.arange(1000, dtype=np.float32)


def test_threads_build_compile_and_run_their_own_functions():
    def work(n):
        for k in range(3):
            f, x, y = program(f"own{n}", n + k)
            assert (f.jit([x, y])(DATA) == DATA * 2 + n + k).all()

    in_threads(4, work)


def test_threads_share_one_kernel():
    f, x, y = program("shared", 1)
    kernel = f.jit([x, y])
    in_threads(4, lambda n: [np.testing.assert_array_equal(kernel(DATA + n), (DATA + n) * 2 + 1)
                             for _ in range(200)])


def test_commands_wait_while_another_thread_compiles_the_function():
    f, x, y = program("waiting", 1)

    def work(n):
        for _ in range(4):
            if n % 2:
                assert (f.jit([x, y])(DATA) == DATA * 2 + 1).all()
            else:
                f.text()
                f.assume(st.Param("N") > -n)
                assert f.history()[0].startswith("vectorize")

    in_threads(4, work)


def test_python_runs_while_a_kernel_is_compiled_and_runs():
    f = st.Function("slow")
    i, k = st.Var("i", 0, 2000), st.Var("k", 0, f.param("K"))
    y = f.computation("y", [i], st.sum(k, st.sin(st.cast(st.f64, i * k))))
    ticks = []
    done = threading.Event()

    def count():
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        kernel = f.jit([y])
        compiled = len(ticks)
        kernel(K=5000)
        ran = len(ticks) - compiled
    finally:
        done.set()
        thread.join()
    assert compiled >= 3 and ran >= 3


def in_child(queue):
    f, x, y = program("child", 3)
    queue.put(bool((f.jit([x, y])(DATA) == DATA * 2 + 3).all()))


def test_a_forked_child_compiles_and_runs():
    f, x, y = program("parent", 2)
    kernel = f.jit([x, y])
    assert (kernel(DATA) == DATA * 2 + 2).all()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=120)
    child.join(timeout=60)
    assert child.exitcode == 0
    assert (kernel(DATA) == DATA * 2 + 2).all()


def test_handles_outlive_the_name_of_their_function():
    f, x, y = program("gone", 2)
    element = x[3]
    kernel = f.jit([x, y])
    del f
    gc.collect()
    assert str(element) == "x[3]"
    y.split("i", 4)
    assert y.name == "y" and x.buffer().name == "x"
    del x, y
    gc.collect()
    assert (kernel(DATA) == DATA * 2 + 2).all()


def test_a_scope_is_used_again_and_outlives_its_function():
    f, x, y = program("scopes", 2)
    scope = f.together()
    with scope:
        y.reverse("i")
    with scope:
        y.reverse("i")
    with pytest.raises(ValueError, match="open already"):
        with scope, scope:
            pass
    loop = f.loop("k")
    del f, x, y
    gc.collect()
    with loop:
        pass


def test_functions_are_freed(resident):
    def make(count):
        for n in range(count):
            f, x, y = program("freed", n)
            with pytest.raises(st.Error):
                y.split("nothing", 2)
        gc.collect()

    make(50)
    before = resident()
    make(400)
    assert resident() - before < 30e6  # a function takes more than 100 kB


def test_calls_keep_no_memory(resident):
    f, x, y = program("calls", 1)
    kernel = f.jit([x, y])
    data = np.zeros(100_000, np.float32)
    for _ in range(10):
        kernel(data)
    before = resident()
    for _ in range(2000):
        kernel(data)
    assert resident() - before < 20e6


def test_kernels_keep_no_memory(resident):
    def make(count):
        for n in range(count):
            f, x, y = program("made", n)
            assert (f.jit([x, y])(DATA[:9]) == DATA[:9] * 2 + n).all()
        gc.collect()

    make(20)
    before = resident()
    make(200)
    assert resident() - before < 4e6  # 20 kB for each; its code and program take more


def test_the_module_is_reloaded_and_imported_again():
    program = ("import importlib, sys, numpy as np, strata as st\n"
               "def check(st):\n"
               "    f = st.Function('f'); i = st.Var('i', 0, 9); y = f.computation('y', [i], i)\n"
               "    assert (f.jit([y])() == np.arange(9)).all()\n"
               "    try: y.reverse('k')\n"
               "    except st.Error as e: assert e.code is st.Code.E0102_unknown_loop\n"
               "    else: raise AssertionError\n"
               "check(st)\n"
               "check(importlib.reload(st))\n"
               "for name in [n for n in sys.modules if n.split('.')[0] == 'strata']:\n"
               "    del sys.modules[name]\n"
               "import strata as again\n"
               "assert again is not st\n"
               "check(again)\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0 and complaints(run) == "", run.stderr


def test_a_process_that_imports_exits_cleanly():
    run = subprocess.run([sys.executable, "-c", "import strata; print(strata.__version__)"],
                         capture_output=True, text=True)
    assert run.returncode == 0 and complaints(run) == "" and run.stdout.count(".") == 2


def test_a_thread_may_run_a_kernel_while_the_process_exits():
    program = ("import ctypes, sys, threading, time, numpy, strata as st\n"
               "f = st.Function('f'); N = f.param('N')\n"
               "i, k = st.Var('i', 0, N), st.Var('k', 0, N)\n"
               "x = f.input('x', st.f64, [N])\n"
               "kernel = f.jit([x, f.computation('y', [i], st.sum(k, st.sqrt(x[i] * x[k])))])\n"
               "data = numpy.ones(20000)\n"
               "threading.Thread(target=kernel, args=(data,), daemon=True).start()\n"
               "time.sleep(0.05)\n"
               "process = ctypes.CDLL(None)\n"
               "process.on_exit(process.sleep, None)\n"
               "sys.exit(1)\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         timeout=120)
    assert (run.returncode, complaints(run)) == (1, "")


def test_a_thread_may_compile_while_the_process_exits():
    program = ("import threading, strata as st\n"
               "def work():\n"
               "    f = st.Function('f'); i = st.Var('i', 0, 9)\n"
               "    y = f.computation('y', [i], i)\n"
               "    while True: f.jit([y])\n"
               "threading.Thread(target=work, daemon=True).start()\n"
               "import sys, time; time.sleep(float(sys.argv[1]))\n")
    for seconds in (0, 0.1, 0.3, 0.45, 0.5, 0.6, 0.7, 0.9):
        run = subprocess.run([sys.executable, "-c", program, str(seconds)], capture_output=True,
                             text=True, timeout=120)
        assert run.returncode == 0, run.stderr


def test_a_child_exits_while_its_parent_compiled():
    program = ("import os, sys, threading, time, strata as st\n"
               "f = st.Function('f'); i = st.Var('i', 0, 9); y = f.computation('y', [i], i)\n"
               "def compile():\n"
               "    for _ in range(20): f.jit([y])\n"
               "threading.Thread(target=compile, daemon=True).start()\n"
               "time.sleep(0.2)\n"
               "child = os.fork()\n"
               "if not child: sys.exit(0)\n"
               "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         timeout=120)
    assert run.returncode == 0, run.stderr
