"""Random programs under random commands equal an interpreter of their expressions.

A stage is a value at each [i, j] with margin <= i < N - margin, and the same for j and M; it reads
stages of smaller margins around [i, j]. Values are int32, and wrap.
"""

import itertools
import random

import numpy as np
import pytest

import strata as st

BINARY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
          "min": min, "max": max}
IN_STRATA = {**BINARY, "min": st.min, "max": st.max}


class Author:
    """Draws stages: (name, margin, tree), where a tree is a tuple with its operator first."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.stages = []
        for margin in range(1, self.random.randint(2, 4)):
            self.stages.append((f"s{margin}", margin, self.value(margin)))

    def value(self, margin):
        if self.random.random() < 0.8:
            return self.tree(margin, 3)
        return ("sum", self.random.randint(1, 4), self.read(margin), self.random.randint(-9, 9))

    def tree(self, margin, depth):
        kind = self.random.choice(["binary"] * 4 + ["select", "//", "%", "read", "leaf"])
        if depth == 0 or kind in ("read", "leaf"):
            return self.leaf(margin) if kind == "leaf" else self.read(margin)
        if kind == "binary":
            return (self.random.choice(list(BINARY)), self.tree(margin, depth - 1),
                    self.tree(margin, depth - 1))
        if kind == "select":
            return ("select", *(self.tree(margin, depth - 1) for _ in range(4)))
        return (kind, self.tree(margin, depth - 1), self.random.randint(1, 9))

    def leaf(self, margin):
        return self.random.choice([("i",), ("j",), ("constant", self.random.randint(-99, 99))])

    def read(self, margin):
        source = self.random.randrange(margin)
        reach = margin - source
        return ("read", source, self.random.randint(-reach, reach),
                self.random.randint(-reach, reach))


def wrapped(value):
    return (value + 2**31) % 2**32 - 2**31


def evaluate(tree, arrays, i, j):
    """The value of a tree at [i, j]; arrays[m] has those of margin m."""
    op, *rest = tree
    if op == "read":
        source, di, dj = rest
        return int(arrays[source][i + di, j + dj])
    if op in ("i", "j", "constant"):
        return {"i": i, "j": j, "constant": rest[0] if rest else 0}[op]
    if op == "sum":
        count, read, weight = rest
        return wrapped(sum(wrapped(evaluate(read, arrays, i, j) * k + weight)
                           for k in range(count)))
    if op in ("//", "%"):
        value = evaluate(rest[0], arrays, i, j)
        return value // rest[1] if op == "//" else value % rest[1]
    values = [evaluate(part, arrays, i, j) for part in rest]
    if op == "select":
        return values[2] if values[0] < values[1] else values[3]
    return wrapped(BINARY[op](*values))


def interpreted(stages, x):
    arrays = [x]
    for _, margin, tree in stages:
        arrays.append(np.zeros_like(x))
        for i, j in itertools.product(*(range(margin, n - margin) for n in x.shape)):
            arrays[-1][i, j] = evaluate(tree, arrays, i, j)
    return arrays[1:]


class Written:
    """The same program in Strata."""

    def __init__(self, stages):
        self.f = f = st.Function("random_program")
        N, M = f.param("N"), f.param("M")
        self.arrays = [f.input("x", st.i32, [N, M])]
        for name, margin, tree in stages:
            self.i, self.j = st.Var("i", margin, N - margin), st.Var("j", margin, M - margin)
            self.arrays.append(f.computation(name, [self.i, self.j], self.value(tree)))

    def value(self, tree):
        op, *rest = tree
        if op == "read":
            source, di, dj = rest
            return self.arrays[source][self.i + di, self.j + dj]
        if op in ("i", "j"):
            return st.cast(st.i32, getattr(self, op))
        if op == "constant":
            return st.cast(st.i32, rest[0])
        if op == "sum":
            count, read, weight = rest
            k = st.Var("k", 0, count)
            return st.sum(k, self.value(read) * st.cast(st.i32, k) + weight)
        if op in ("//", "%"):
            return self.value(rest[0]) // rest[1] if op == "//" else self.value(rest[0]) % rest[1]
        values = [self.value(part) for part in rest]
        if op == "select":
            return st.select(values[0] < values[1], values[2], values[3])
        return IN_STRATA[op](*values)


i, j = st.Var("i"), st.Var("j")
PLACES = [[j, i], [i % 2, j], [i % 5, j]]


def give_command(draw, computations):
    """One command, legal or not; True if it was accepted."""
    c, other = draw.choice(computations), draw.choice(computations)
    loop, inner = draw.choice("ij"), draw.choice(["i", "j", "i_in", "j_in"])
    commands = [
        lambda: c.interchange(loop, inner), lambda: c.split(loop, draw.randint(1, 7)),
        lambda: c.tile("i", "j", draw.randint(2, 5), draw.randint(2, 5)),
        lambda: c.shift(inner, draw.randint(-3, 3)), lambda: c.reverse(inner),
        lambda: c.vectorize(inner, draw.choice([4, 8])), lambda: c.parallelize(loop),
        lambda: c.unroll(inner, draw.randint(2, 3)), lambda: c.skew("i", "j", 1, 1),
        lambda: c.compute_at(other, loop), lambda: c.set_inline(),
        lambda: c.after(other, loop), lambda: c.fuse(loop, other, loop),
        lambda: c.peel(loop, draw.choice([-1, 1])),
        lambda: c is computations[-1] or c.store_in(draw.choice(PLACES)),  # the output's are given
    ]
    try:
        draw.choice(commands)()
    except st.Error:
        return False
    return True


SEEDS = range(24)
accepted = []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program(seed):
    author = Author(seed)
    written = Written(author.stages)
    for _ in range(6):
        accepted.append(give_command(author.random, written.arrays[1:]))
    kernel = written.f.jit([written.arrays[0], written.arrays[-1]])
    for shape in [(13, 9), (8, 17), (2, 3)]:
        x = np.random.default_rng(seed).integers(-99, 99, shape, np.int32)
        expected = interpreted(author.stages, x)[-1]
        margin = author.stages[-1][1]
        inside = (slice(margin, max(shape[0] - margin, margin)),
                  slice(margin, max(shape[1] - margin, margin)))
        given = np.full(shape, 7, np.int32)
        kernel(x, given)
        np.testing.assert_array_equal(given[inside], expected[inside],
                                      err_msg="\n".join(written.f.history()))
        given[inside] = 7
        assert (given == 7).all()


def test_commands_are_accepted_and_refused():
    if len(accepted) == 6 * len(SEEDS):
        assert 0.2 < sum(accepted) / len(accepted) < 0.8
