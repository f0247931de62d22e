"""What the tests of operators share: random arrays, and the comparison with numpy."""

import inspect

import numpy as np

from strata.graph import compile, evaluate, te

random = np.random.default_rng(7)
n, m, k = te.var("n"), te.var("m"), te.var("k")

# Values of the symbols: ordinary, one, odd, empty, and one that is larger than any tile.
SIZES = [dict(n=4, m=6, k=3), dict(n=1, m=1, k=1), dict(n=5, m=7, k=11), dict(n=0, m=3, k=2),
         dict(n=3, m=0, k=2), dict(n=37, m=130, k=65)]
# And two that are drawn.
DRAWN = [{name: int(random.integers(1, 41)) for name in "nmk"} for _ in range(2)]
SIZES = DRAWN + SIZES
FEW = SIZES[:6]


def array(shape, dtype="float32"):
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    if np.dtype(dtype).kind in "iu":
        return random.integers(1 if np.dtype(dtype).kind == "u" else -9, 10, shape).astype(dtype)
    return random.uniform(-2, 2, shape).astype(dtype)


def extents(tensor, sizes):
    values = []
    for dim in tensor.shape:
        values.append(dim if isinstance(dim, int) else eval(repr(dim).replace("/", "//"), {}, sizes))
    return tuple(values)


def called(reference, arguments, given):
    """By the names of its parameters where they are those of the placeholders."""
    by_name = {t.name: a for t, a in zip(arguments, given)}
    wanted = list(inspect.signature(reference).parameters) if inspect.isfunction(reference) else []
    return reference(**by_name) if set(wanted) == set(by_name) else reference(*given)


def check(tensors, reference, sizes=SIZES, make=array, tolerance=2e-5, evaluated=SIZES[:6]):
    """The kernels and the interpreter agree with the reference for all sizes."""
    tensors = tensors if isinstance(tensors, list) else [tensors]
    kernel = compile(tensors)
    for values in sizes:
        given = [make(extents(t, values), t.dtype.replace("boolean", "bool"))
                 for t in kernel.arguments]
        wanted = called(reference, kernel.arguments, given)
        wanted = wanted if isinstance(wanted, (list, tuple)) else [wanted]
        results = [kernel(*given, **values)]
        if values in evaluated:
            results.append(evaluate(tensors, dict(zip(kernel.arguments, given)), values))
        for result in results:
            for got, want in zip(result, wanted, strict=True):
                got, want = np.asarray(got), np.asarray(want)
                assert got.shape == want.shape
                if want.dtype.kind == "f":
                    np.testing.assert_allclose(got.astype(float), want.astype(float),
                                               rtol=tolerance, atol=tolerance)
                else:
                    np.testing.assert_array_equal(got, want)


def tensor(*shape, name="x", dtype="float32"):
    return te.placeholder(shape, dtype, name)


def positive(shape, dtype):
    return (np.abs(array(shape, dtype)) + 0.1).astype(dtype)


def inside(shape, dtype):
    return random.uniform(-0.9, 0.9, shape).astype(dtype)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def indices_below(bound):
    """Integers are indices; other arrays are as they are."""
    def make(shape, dtype):
        integers = np.dtype(dtype).kind == "i"
        return random.integers(0, bound, shape).astype(dtype) if integers else array(shape, dtype)
    return make
