"""Threads and forks of programs that compile tensors."""

import subprocess
import sys

import pytest

COMMON = '''
import os, sys, threading, time
import numpy as np
from strata.graph import (GraphBuilder, call_packed, compile, constant, ops, register,
                          register_packed, te)
from strata.graph import run as run_module

x = te.placeholder((te.var("n"),), name="x")
def made(number):
    return compile([ops.add(x, ops.full(shape=[], value=float(number)))])
def works(number):
    return np.asarray(made(number)(np.ones(1, np.float32))[0])[0] == 1 + number
def fork_often(times, is_right):
    """Ends the process: with 0 if is_right() holds in each child, 3 if one takes 20 s."""
    for _ in range(times):
        time.sleep(0.017)
        child = os.fork()
        if not child:
            os._exit(0 if is_right() else 1)
        for _ in range(400):
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                break
            time.sleep(0.05)
        else:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os._exit(3)
        if status:
            os._exit(2)
    os._exit(0)
'''


def run(program, *arguments):
    done = subprocess.run([sys.executable, "-c", COMMON + program, *arguments], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_a_child_compiles_what_a_thread_of_its_parent_compiled():
    run("""
numbers = iter(range(10**9))
at_work = [0]
def work():
    for number in numbers:
        at_work[0] = number
        made(number)
threading.Thread(target=work, daemon=True).start()
# What the other thread was compiling, if a lock was held, and its neighbours.
fork_often(25, lambda: all(works(at_work[0] + near) for near in (0, 1, -1)))
""")


@pytest.mark.parametrize("seconds", ["0", "0.1", "0.25"])
def test_a_thread_may_compile_and_call_while_the_process_exits(seconds):
    run("""
twice = register("twice", ["x"], lambda x: np.asarray(x) * 2, shape=lambda x: x)
kernel = compile([twice(ops.negative(x))])
def compile_all():
    number = 0
    while True:
        made(number := number + 1)
def call_all():
    while True:
        kernel(np.ones(1000, np.float32))
for act in (compile_all, call_all):
    threading.Thread(target=act, daemon=True).start()
time.sleep(float(sys.argv[1]))
""", seconds)


def test_a_child_runs_what_a_thread_of_its_parent_ran():
    run("""
one = constant(np.ones(1, np.float32))
def runs(number):
    b = GraphBuilder()
    with b.function("main", []):
        b.emit_function_output(b.emit(ops.tile(one, reps=[number])))
    return np.asarray(run_module(b.module(), "main")).shape == (number,)
at_work = [0]
def work():
    for number in range(1, 10**9):
        at_work[0] = number
        runs(number)
threading.Thread(target=work, daemon=True).start()
fork_often(10, lambda: all(runs(at_work[0] + near) for near in (0, 1, 2)))
""")


def test_a_packed_function_may_fork():
    run("""
def fork():
    child = os.fork()
    if not child:
        os._exit(0 if works(1) else 1)
    return os.waitpid(child, 0)[1]
register_packed("fork", fork)
b = GraphBuilder()
with b.function("main", []):
    b.emit_function_output(b.emit(call_packed("fork", [])))
for _ in range(3):
    assert run_module(b.module(), "main") == 0
""")
