"""The speed of the Python module beside the same programs in C++ (native.cpp).

    shell.py NATIVE [ROUNDS]   runs both in turns, and prints the least CPU times
    shell.py --measure         prints the lines "NAME SECONDS" of this side
"""

import pathlib
import subprocess
import sys
import time

import numpy as np

START = time.process_time()
import strata as st

IMPORTED = time.process_time()
sys.path.append(str(pathlib.Path(__file__).parents[2] / "examples/python"))
import matmul

WHAT = {
    "import": "`import strata`, after numpy",
    "interchange": "`interchange` of a program of two computations",
    "shift": "`shift` of it",
    "first_jit": "the first `jit` of a process",
    "second_jit": "the second `jit`",
    "call": "a call on three arrays of 16 elements",
    "product_256": "product of 256 x 256 matrices, tiled and vectorized",
    "blur_512": "blur of 512 x 512 floats, tiled and vectorized",
    "blur_4096": "blur of 4096 x 4096 floats",
}


def show(name, seconds):
    print(name, f"{seconds:.9f}")


def least(rounds, count, run):
    """The least CPU time of one of "count" runs that follow each other, in any of "rounds"."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(count):
            run()
        best = min(best, (time.process_time() - start) / count)
    return best


class Blur:
    def __init__(self):
        self.f = f = st.Function("blur")
        N, M = f.param("N"), f.param("M")
        n, i, j = st.Var("n", 0, N), st.Var("i", 0, N - 2), st.Var("j", 0, M - 2)
        self.x = x = f.input("x", st.f32, [N, M])
        self.bx = bx = f.computation("bx", [n, j], x[n, j] + x[n, j + 1] + x[n, j + 2])
        self.by = f.computation("by", [i, j], (bx[i, j] + bx[i + 1, j] + bx[i + 2, j]) / 9)

    def jit(self):
        return self.f.jit([self.x, self.by])

    def scheduled(self):
        self.by.split("i", 32, "i0", "i1")
        self.bx.compute_at(self.by, "i0")
        self.bx.vectorize("j", 8)
        self.by.vectorize("j", 8)
        return self.jit()


def added():
    f = st.Function("added")
    N = f.param("N")
    i = st.Var("i", 0, N)
    x, y = f.input("x", st.f32, [N]), f.input("y", st.f32, [N])
    return f.jit([x, y, f.computation("z", [i], x[i] + y[i])])


def floats(*shape):
    """Ones."""
    array = np.asarray(st.Array(shape, st.f32))
    array[:] = 1
    return array


def measure_building():
    show("first_jit", least(1, 1, lambda: Blur().jit()))
    show("second_jit", least(10, 1, lambda: Blur().jit()))
    commands = Blur()
    show("interchange", least(20, 1, lambda: commands.bx.interchange("n", "j")))
    show("shift", least(20, 1, lambda: commands.bx.shift("n", 1)))


def measure_calls():
    add = added()
    x, y, z = floats(16), floats(16), floats(16)
    show("call", least(20, 10000, lambda: add(x, y, z)))

    multiply = matmul.product()
    a, b, c = floats(256, 256), floats(256, 256), floats(256, 256)
    show("product_256", least(50, 5, lambda: multiply(a, b, c)))

    blur = Blur().scheduled()
    for n in (512, 4096):
        image, out = floats(n, n), floats(n - 2, n - 2)
        show(f"blur_{n}", least(100 if n == 512 else 10, 10 if n == 512 else 1,
                                lambda image=image, out=out: blur(image, out)))


def best_of(found, command):
    """Adds the least times of one more run."""
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in told.splitlines():
        name, seconds = line.split()
        found[name] = min(found.get(name, float("inf")), float(seconds))


def text_of(seconds):
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.1f} ms" if seconds > 0.001 else f"{seconds * 1e6:.4g} us"


def main():
    if "--measure" in sys.argv:
        show("import", IMPORTED - START)
        st.set_number_of_threads(1)
        measure_building()
        measure_calls()
        return
    native, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    python, cpp = {}, {}
    for _ in range(rounds):
        best_of(python, [sys.executable, __file__, "--measure"])
        best_of(cpp, [native])
    print("| | Python | C++ |\n|---|---|---|")
    for name, what in WHAT.items():
        print(f"| {what} | {text_of(python[name])} | {text_of(cpp.get(name))} |")


main()
