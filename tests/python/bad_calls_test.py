"""Ten thousand calls with arguments of all kinds: each raises or works; none ends the process."""

import random

import numpy as np
import pytest

import strata as st

SEEDS = range(20)
CALLS = 500


class Evil:
    """Raises in whatever it is asked."""

    def __index__(self):
        raise RuntimeError("no index")

    def __float__(self):
        raise RuntimeError("no float")

    def __dlpack__(self, **options):
        raise RuntimeError("no tensor")

    @property
    def dtype(self):
        raise RuntimeError("no dtype")


class Liar:
    dtype, shape, name = "float32", (), 3

    def __dlpack__(self, *arguments, **options):
        return self

    def __index__(self):
        return 2**80


def program():
    f = st.Function("f")
    n, m = f.param("n"), f.param("m")
    i, j = st.Var("i", 0, n), st.Var("j", 0, m)
    x = f.input("x", st.f32, [n, m])
    y = f.computation("y", [i, j], x[i, j] + 1)
    z = f.computation("z", [i, j], y[i, j] * 2)
    return f, x, y, z, i, j, n


VALUES = [None, True, 0, 1, -1, 3, 2**31, 2**63, -2**63, 2**64, 2**200, 0.5, float("nan"),
          float("inf"), "", "i", "x", "no such", "{", "\x00", "ü" * 50, b"i", [], [None],
          ["i", "j"], [1, 2], (), {}, {1: 2}, object(), Evil(), Liar(), np.zeros(3), np.float32(1),
          np.int64(-5),
          np.array([["a"]]), np.zeros((2, 2), np.float32), slice(1), range(3), int, st, st.f32,
          st.root, st.Memory.stack, lambda *a: 1 / 0, st.Var("q"), st.Param("none"), st.Buffer("b"),
          st.Domain("[n] -> { S[i] : 0 <= i < n }"), st.Domain("broken"), st.Expr(1),
          [(None, "i")], [(1, "i")], "\ud800"]


SPECIAL = ("__getitem__", "__call__", "__add__", "__pow__", "__truediv__", "__floordiv__", "__eq__")


def targets(handles, kernel):
    for handle in [*handles, kernel, st]:
        for name in dir(handle):
            if not name.startswith("__") or name in SPECIAL:
                method = getattr(handle, name)
                if callable(method) and name not in ("codegen", "set_number_of_threads",
                                                     "KernelError", "Error"):
                    yield name, method


@pytest.mark.parametrize("seed", SEEDS)
def test_bad_calls_raise(seed):
    draw = random.Random(seed)
    handles = program()
    f, x, y, z, *_ = handles
    kernel = f.jit([x, z])
    f.set_budget(100_000)
    f.set_code_limit(2000)
    methods = list(targets(handles, kernel))
    values = VALUES + list(handles) * 3
    raised = 0
    for _ in range(CALLS):
        name, method = draw.choice(methods)
        arguments = [draw.choice(values) for _ in range(draw.choice([0, 1, 1, 2, 2, 3, 4, 6]))]
        if name == "jit" and not isinstance((arguments or [None])[0], list):
            continue
        try:
            method(*arguments)
        except (st.Error, st.KernelError, TypeError, ValueError, OverflowError, RuntimeError,
                AttributeError, ZeroDivisionError):
            raised += 1
    assert raised > CALLS // 3
    fresh, x, y, z, *_ = program()
    assert (fresh.jit([x, z])(np.ones((2, 3), np.float32)) == 4).all()


@pytest.mark.parametrize("number", ["4", b"4", 4.0, None, [4], Evil(), Liar()],
                         ids=lambda number: type(number).__name__)
def test_a_number_of_a_command_is_an_int(number):
    f, x, y, z, *_ = program()
    commands = [lambda: y.unroll("i", number), lambda: y.peel("i", number),
                lambda: f.set_budget(number), lambda: y.skew("i", "j", number, 1),
                lambda: y.prefetch("i", x, number), lambda: f.remarks([x, z], {"n": number})]
    for command in commands:
        with pytest.raises((TypeError, RuntimeError)):
            command()
    assert f.history() == []
