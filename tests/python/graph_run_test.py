"""Programs run from Python: what goes in and comes out, and the Python functions that they call."""

import array as arrays
import gc
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import strata as st
from graph_check import m, n
from strata.graph import (GraphBuilder, Shape, ValueType, call_packed, constant, kernel_counts, ops,
                          packed_names, register_packed, run, tuple_value, variable)


def f32(*dims):
    return ValueType.tensor(dims, "float32")


def module_of(parameters, result):
    """main(parameters) = result(builder)"""
    b = GraphBuilder()
    with b.function("main", parameters):
        b.emit_function_output(result(b))
    return b.module()


def passing(value_type):
    """main(x) = x"""
    x = variable("x", value_type)
    return module_of([x], lambda b: x)


def test_arrays_are_not_copied():
    x = variable("x", f32(n, m))
    flat = module_of([x], lambda b: b.emit(ops.flatten(x)))
    dense = np.arange(6, dtype=np.float32).reshape(2, 3)
    result = run(flat, "main", dense)
    assert isinstance(result, st.Array) and np.shares_memory(np.asarray(result), dense)
    np.testing.assert_array_equal(np.asarray(result), dense.ravel())
    # Others are: not dense, or only to be read.
    for given in (dense.T, np.broadcast_to(np.float32(2), (2, 3))):
        result = np.asarray(run(flat, "main", given))
        assert not np.shares_memory(result, given)
        np.testing.assert_array_equal(result, given.ravel())
    assert np.shares_memory(np.asarray(run(flat, "main", run(passing(f32(2, 3)), "main", dense))),
                            dense)


def test_a_result_is_no_constant_of_the_program():
    module = module_of([], lambda b: tuple_value(
        [np.zeros(4, np.float32), b.emit(ops.reshape(constant(np.zeros((2, 2), np.float32)), shape=(4,)))]))
    for result in run(module, "main"):
        np.asarray(result)[...] = 1
    assert [np.asarray(result).tolist() for result in run(module, "main")] == [[0] * 4] * 2


def test_the_memory_of_an_argument_lives_as_long_as_its_result():
    given = np.ones((3, 4), np.float32)
    there = weakref.ref(given)
    result = run(passing(f32(n, m)), "main", given)
    del given
    gc.collect()
    assert there() is not None
    del result
    gc.collect()
    assert there() is None


def test_values_of_all_kinds():
    anything = passing(ValueType())
    thing = {"some": "object"}
    for given in (None, 7, -2**63, "text", Shape((2, 3)), (1, "a", None, Shape()), thing, (),
                  b"bytes"):
        result = run(anything, "main", given)
        assert result == given and type(result) is type(given)
    assert run(anything, "main", thing) is thing
    assert run(anything, "main", [1, [2]]) == (1, (2,))
    assert np.asarray(run(anything, "main", 2.5)).dtype == np.float32
    assert np.asarray(run(anything, "main", True)).dtype == np.bool_
    assert np.asarray(run(anything, "main", np.float64(2.5))).dtype == np.float64
    assert np.asarray(run(anything, "main", arrays.array("i", [1, 2]))).tolist() == [1, 2]
    with pytest.raises(OverflowError):
        run(anything, "main", 2**63)
    nested = []
    nested.append(nested)
    with pytest.raises(RecursionError):
        run(anything, "main", nested)


def test_types_say_what_python_values_are():
    assert run(passing(ValueType.shape()), "main", (2, 3)) == Shape((2, 3))
    assert run(passing(ValueType.shape(rank=2)), "main", [2, np.int64(3)]) == (2, 3)
    assert isinstance(run(passing(ValueType.shape()), "main", ()), Shape)
    assert repr(Shape((2, 3))) == "Shape(2, 3)"
    assert np.asarray(run(passing(ValueType.tensor((), "int64")), "main", 3)) == 3
    pair = ValueType.tuple([ValueType.shape(), ValueType.tensor((), "int64")])
    shape, number = run(passing(pair), "main", [(2, 3), 4])
    assert isinstance(shape, Shape) and isinstance(number, st.Array)
    with pytest.raises(TypeError, match="%x is not a shape: its items are not all ints"):
        run(passing(ValueType.shape()), "main", ("a",))
    with pytest.raises(TypeError, match="%x is object, not an array"):
        run(passing(f32()), "main", object())
    for wanted, given in [(f32(), 3), (f32(n), np.ones(2)), (f32(2), np.ones(3, np.float32)),
                          (f32(n), None), (ValueType.shape(), 3), (pair, (1,)),
                          (ValueType.nothing(), 3)]:
        with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_run_test\.py(.|\n)*%x"):
            run(passing(wanted), "main", given)


def test_arguments_that_are_missing():
    with pytest.raises(st.Error, match=r"E0602(.|\n)*0 values are given for 1 parameters"):
        run(passing(f32(n)), "main")
    with pytest.raises(st.Error, match=r"E0601(.|\n)*graph_run_test\.py(.|\n)*no function @other"):
        run(passing(f32(n)), "other")
    with pytest.raises(st.Error, match=r"E0601(.|\n)*no packed function is called \"none\""):
        run(module_of([], lambda b: b.emit(call_packed("none", []))), "main")


def test_packed_functions():
    x = variable("x", f32(n))

    @register_packed("run.kinds")
    def kinds(*given):
        seen.append(given)
        return given

    seen = []
    module = module_of([x], lambda b: b.emit(call_packed(
        "run.kinds", [x, (x, 2), tuple_value([]), 2.5, True])))
    v = np.ones(3, np.float32)
    result = run(module, "main", v)
    [(array, (same, two), nothing, half, true)] = seen
    assert np.shares_memory(np.asarray(array), v) and np.shares_memory(np.asarray(same), v)
    assert np.asarray(two) == 2 and nothing == () and np.asarray(half) == np.float32(2.5)
    assert np.asarray(true).dtype == np.bool_ and len(result) == 5
    assert kinds(1) == (1,) and "run.kinds" in packed_names()
    with pytest.raises(ValueError, match="the name is taken"):
        register_packed("run.kinds", kinds)
    register_packed("run.kinds", lambda *given: None, replaces=True)
    assert run(module, "main", v) is None
    with pytest.raises(TypeError):
        register_packed("run.other", 3)
    assert "run.other" not in packed_names()


def test_a_replaced_function_is_let_go():
    class Function:
        def __call__(self):
            return 1

    function = Function()
    there = weakref.ref(function)
    register_packed("run.replaced", function)
    del function
    gc.collect()
    assert there() is not None
    register_packed("run.replaced", lambda: 2, replaces=True)
    gc.collect()
    assert there() is None


def test_exceptions_of_packed_functions_come_out():
    class Mine(Exception):
        pass

    def fails(x):
        raise Mine("here")

    register_packed("run.fails", fails)
    x = variable("x", f32(n))
    module = module_of([x], lambda b: b.emit(call_packed("run.fails", [ops.exp(x)])))
    for _ in range(3):
        with pytest.raises(Mine, match="here") as caught:
            run(module, "main", np.ones(3, np.float32))
        assert any(entry.name == "fails" for entry in caught.traceback)
    register_packed("run.fails", lambda x: (2**70,), replaces=True)
    with pytest.raises(OverflowError):
        run(module, "main", np.ones(3, np.float32))


def test_the_result_of_a_packed_function_has_the_stated_type():
    register_packed("run.tuple", lambda: (2, 3))
    module = module_of([], lambda b: b.emit(call_packed("run.tuple", [], ValueType.shape())))
    with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_run_test\.py(.|\n)*a tuple"):
        run(module, "main")


def test_threads_run_at_the_same_time():
    """Each packed function waits for the others: one at a time would wait for ever."""
    meeting = threading.Barrier(4, timeout=60)
    register_packed("run.meet", lambda x: meeting.wait() and None)
    x = variable("x", f32(n))

    def body(b):
        b.emit(call_packed("run.meet", [x]))
        return b.emit(ops.exp(x))

    module, results = module_of([x], body), []
    v = np.arange(3, dtype=np.float32)
    threads = [threading.Thread(target=lambda: results.append(run(module, "main", v)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert len(results) == 4
    for result in results:
        np.testing.assert_allclose(np.asarray(result), np.exp(v), rtol=1e-5)


def test_a_process_with_packed_functions_ends_cleanly():
    program = """
import numpy as np
from strata.graph import GraphBuilder, ValueType, call_packed, ops, register_packed, run, variable
x = variable("x", ValueType.tensor(rank=1, dtype="float32"))
register_packed("twice", lambda x: np.asarray(x) * 2)
b = GraphBuilder()
with b.function("main", [x]):
    b.emit_function_output(b.emit(call_packed("twice", [x])))
kept = run(b.module(), "main", np.ones(2, np.float32))
print(np.asarray(kept))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=300, env=dict(os.environ))
    assert done.returncode == 0 and done.stdout == "[2. 2.]\n" and done.stderr == ""


def test_layers_of_other_sizes_share_a_kernel():
    def layer(rows, columns, inner):
        x, w = variable("x", f32(rows, inner)), variable("w", f32(columns, inner))
        return module_of([x, w], lambda b: b.emit(ops.dense(x, w)))

    def compiled(rows, columns, inner, **options):
        x = np.arange(rows * inner, dtype=np.float32).reshape(rows, inner) % 7
        w = np.arange(columns * inner, dtype=np.float32).reshape(columns, inner) % 5
        before = kernel_counts()["compiled"]
        result = run(layer(rows, columns, inner), "main", x, w, **options)
        np.testing.assert_array_equal(np.asarray(result), x @ w.T)
        return kernel_counts()["compiled"] - before

    assert compiled(20, 30, 40) == 1
    assert compiled(25, 35, 45) == 0
    assert compiled(25, 35, 45, specialise=True) == 1
    assert compiled(25, 35, 45, specialise=0.5) == 0
    assert compiled(26, 36, 46, specialise=1.0) == 0
