"""An author's own operators: Python functions on tensors, and opaque ones on arrays."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import strata as st
from graph_check import FEW, array, check, m, n, tensor
from strata.graph import compile, evaluate, ops, register, te


@register("max_plus", ["x", "w"])
def max_plus(x, w, *, offset=0.0, take="largest"):
    j = te.reduce_axis((0, w.shape[1]), "j")
    reduced = te.max if take == "largest" else te.min
    return te.compute((x.shape[0], w.shape[0]),
                      lambda a, b: reduced(x[a, j] + w[b, j] + offset, axis=j))


def distances(x, w):
    return x[:, None, :] + w[None, :, :]


def test_a_function_on_tensors_is_an_operator():
    x, w = tensor(n, 3), tensor(m, 3, name="w")
    check(max_plus(x, w), lambda a, b: distances(a, b).max(2), FEW)
    check(ops.max_plus(x, w=w, offset=1.5), lambda a, b: distances(a, b).max(2) + 1.5, FEW)
    check(ops.relu(max_plus(ops.exp(x), w, take="least", offset=2)),
          lambda a, b: np.maximum(distances(np.exp(a), b).min(2) + 2, 0), FEW)
    assert "max_plus" in ops.operators()
    assert max_plus.__doc__ == "max_plus(x, w, offset=.., take=..)"


def test_several_results_and_any_number_of_tensors():
    both = register("sum_and_difference", ["x", "y"],
                    lambda x, y: (ops.add(x, y), ops.subtract(x, y)))
    check(both(tensor(n), tensor(n, name="y")), lambda a, b: (a + b, a - b), FEW)
    total = register("sum_of_all", ["xs"], lambda *xs: xs[0] if len(xs) == 1 else
                     ops.add(xs[0], ops.sum_of_all(list(xs[1:]))))
    check(total([tensor(n, name=f"t{number}") for number in range(4)]),
          lambda *v: np.sum(v, axis=0), FEW)


@register("reversed_rows", ["x"], shape=lambda x: x)
def reversed_rows(x):
    return np.asarray(x)[::-1]


def test_an_opaque_function_between_kernels():
    x = tensor(n, m)
    check(reversed_rows(x), lambda v: v[::-1], FEW)
    check(ops.relu(reversed_rows(ops.negative(x))), lambda v: np.maximum(-v[::-1], 0), FEW)


@register("above", ["x"], shape=lambda x, *, bound=0.0: [te.placeholder((te.var("count"),), x.dtype),
                                                         te.placeholder((te.var("count"),), "int64")])
def above(x, *, bound=0.0):
    x = np.asarray(x)
    return x[x > bound], np.nonzero(x > bound)[0]


def test_extents_that_only_the_result_shows():
    x, y = tensor(n), tensor(m, name="y")
    # Both results are called "count", and are different numbers.
    check(above(x) + above(y, bound=1),
          lambda a, b: (a[a > 0], np.nonzero(a > 0)[0], b[b > 1], np.nonzero(b > 1)[0]), FEW)
    check(ops.exp(above(x, bound=0.5)[0]), lambda a: np.exp(a[a > 0.5]), FEW)


def test_an_opaque_function_runs_in_any_thread():
    kernel = compile([ops.exp(reversed_rows(tensor(n, 2)))])
    value, results = array((3, 2)), []
    threads = [threading.Thread(target=lambda: results.append(np.asarray(kernel(value)[0])))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(results) == 4
    for result in results:
        np.testing.assert_allclose(result, np.exp(value[::-1]), rtol=1e-5)


def test_mistakes_in_a_function_on_tensors():
    x = tensor(n, n)
    with pytest.raises(st.Error, match=r"E0104(.|\n)*graph_register_test\.py(.|\n)*max_plus"):
        register("max_plus", ["x"], lambda x: x)
    with pytest.raises(st.Error, match=r"E0104(.|\n)*there is an operator softmax"):
        register("softmax", ["x"], lambda x: x)
    for name in ("", "two words", "1st"):
        with pytest.raises(st.Error, match=r"E0105(.|\n)*graph_register_test\.py"):
            register(name, ["x"], lambda x: x)
    with pytest.raises(st.Error, match=r"E0603(.|\n)*graph_register_test\.py(.|\n)*write offset"):
        max_plus(x, x, ofset=1)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_register_test\.py"):
        max_plus(x, x, offset="one")
    with pytest.raises(st.Error, match=r"E0602(.|\n)*1 tensors are given, and max_plus takes 2"):
        max_plus(x)
    nothing = register("nothing", ["x"], lambda x: None)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_register_test\.py(.|\n)*returns None"):
        nothing(x)
    # An error of the expression has the line in the function.
    wrong = register("wrong", ["x"], lambda x: te.compute((x.shape[0],), lambda i: x[i, i, i]))
    line = sys._getframe().f_lineno - 1
    with pytest.raises(st.Error, match=rf"E0109(.|\n)*graph_register_test\.py:{line}"):
        wrong(x)
    failing = register("failing", ["x"], lambda x: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        failing(x)
    with pytest.raises(TypeError, match="takes 1 tensors, and args are"):
        register("other", ["x", "y"], lambda x: x)
    with pytest.raises(TypeError, match="the attribute axis has no default"):
        def no_default(x, *, axis):
            return x
        register("other", ["x"], no_default)
    assert "other" not in ops.operators()


def test_mistakes_in_an_opaque_function():
    x, value = tensor(n, 2), array((3, 2))
    for name, function, message in [
            ("other_shape", lambda x: np.asarray(x)[:, :1], r"extent 1 of other_shape is 1"),
            ("other_type", lambda x: np.asarray(x).astype(int), r"has elements of type float32"),
            ("two_results", lambda x: (x, x), r"returns 2 arrays, not 1")]:
        kernel = compile([register(name, ["x"], function, shape=lambda x: x)(x)])
        with pytest.raises(st.Error, match=rf"E0602(.|\n)*graph_register_test\.py(.|\n)*{message}"):
            kernel(value)
        with pytest.raises(st.Error, match=rf"E0602(.|\n)*{message}"):
            evaluate([getattr(ops, name)(x)], {x: value})
    no_array = compile([register("no_array", ["x"], lambda x: None, shape=lambda x: x)(x)])
    with pytest.raises(TypeError, match="no_array: its result is NoneType, not an array"):
        no_array(value)
    failing = compile([register("failing_later", ["x"], lambda x: 1 // 0, shape=lambda x: x)(x)])
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            failing(value)
    no_shape = register("no_shape", ["x"], lambda x: x, shape=lambda x: x.shape)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*its function returns \(n, 2\)"):
        no_shape(x)


def test_a_process_with_operators_of_its_own_ends_cleanly():
    program = """
import numpy as np
from strata.graph import compile, register, te
twice = register("twice", ["x"], lambda x: np.asarray(x) * 2, shape=lambda x: x)
kept = compile([twice(te.placeholder((te.var("n"),), name="x"))])
print(np.asarray(kept(np.ones(2, np.float32))[0]))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300,
                         env=dict(os.environ))
    assert run.returncode == 0 and run.stdout == "[2. 2.]\n" and run.stderr == ""
