"""Operators and numbers mean what core/expr/expr.h says."""

import math

import numpy as np
import pytest

import strata as st
from strata import f32, f64, i32, i64, u8


@pytest.fixture
def f():
    return st.Function("f")


def value_of(expr_of, dtype, *columns, result=None):
    """The values of an expression of arrays, computed by a kernel."""
    f = st.Function("f")
    i = st.Var("i", 0, len(columns[0]))
    arrays = [np.asarray(c, dtype) for c in columns]
    inputs = [f.input(f"x{n}", a.dtype, [len(a)]) for n, a in enumerate(arrays)]
    y = f.computation("y", [i], expr_of(*[x[i] for x in inputs]))
    return f.jit([*inputs, y], print_notes=False, floats=st.Floats.exact)(*arrays)


NUMBERS = [-7, -6, -1, 0, 1, 5, 7, 100]
DIVISORS = [2, -3, 4, 0, -1, 7, 3, -9]


def test_integer_division_and_remainder_floor():
    quotients = value_of(lambda a, b: a // b, np.int32, NUMBERS, DIVISORS)
    remainders = value_of(lambda a, b: a % b, np.int32, NUMBERS, DIVISORS)
    for a, b, q, r in zip(NUMBERS, DIVISORS, quotients, remainders):
        assert (q, r) == ((a // b, a % b) if b else (0, 0))


@pytest.mark.parametrize("python", [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a & b,
    lambda a, b: a | b, lambda a, b: a ^ b, lambda a, b: 3 - a, lambda a, b: 3 * a + b,
    lambda a, b: -a, lambda a, b: ~a, lambda a, b: abs(a), lambda a, b: a << 2,
    lambda a, b: a >> 1, lambda a, b: 5 & b, lambda a, b: 100 // (b * b + 1),
    lambda a, b: 17 % (b * b + 1)])
def test_operators_of_integers(python):
    results = value_of(python, np.int64, NUMBERS, DIVISORS)
    assert results.tolist() == [python(a, b) for a, b in zip(NUMBERS, DIVISORS)]


@pytest.mark.parametrize("python", [
    lambda a, b: a / b, lambda a, b: 2 / a, lambda a, b: a ** b, lambda a, b: a - 0.5,
    lambda a, b: 1.5 * b])
def test_operators_of_floats(python):
    a, b = [1.5, 2.0, 3.25], [0.5, 4.0, -2.0]
    results = value_of(python, np.float64, a, b)
    np.testing.assert_allclose(results, [python(x, y) for x, y in zip(a, b)], rtol=1e-14)


@pytest.mark.parametrize("compare", [
    lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
    lambda a, b: a == b, lambda a, b: a != b, lambda a, b: 3 < a, lambda a, b: (a < b) & (b < 5),
    lambda a, b: (a < b) | (b == 2), lambda a, b: (a < b) ^ (b < 5)])
def test_comparisons_and_logic(compare):
    a, b = [1, 2, 3, 4], [2, 2, 1, 9]
    results = value_of(compare, np.int32, a, b)
    assert results.dtype == np.bool_
    assert results.tolist() == [compare(x, y) for x, y in zip(a, b)]


def test_not_of_a_boolean_is_logical():
    assert value_of(lambda a, b: ~(a < b), np.int32, [1, 2], [2, 1]).tolist() == [False, True]


@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan",
                                  "sinh", "cosh", "tanh", "asinh", "atanh", "erf"])
def test_functions_of_floats(name):
    x = [0.1, 0.25, 0.75]
    results = value_of(lambda a: getattr(st, name)(a), np.float64, x)
    np.testing.assert_allclose(results, [getattr(math, name)(v) for v in x], rtol=1e-13)


def test_rounding_keeps_the_type():
    x = [-1.5, -0.2, 0.5, 1.7]
    for name, numpy in [("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc)]:
        results = value_of(lambda a: getattr(st, name)(a), np.float32, x)
        assert results.dtype == np.float32 and results.tolist() == numpy(x).tolist()


def test_min_max_clamp_select():
    a, b = [1, 5, 3], [2, 4, 3]
    assert value_of(lambda a, b: st.min(a, b), np.int32, a, b).tolist() == [1, 4, 3]
    assert value_of(lambda a, b: st.max(a, b), np.int32, a, b).tolist() == [2, 5, 3]
    assert value_of(lambda a: st.clamp(a, 2, 4), np.int32, a).tolist() == [2, 4, 3]
    assert value_of(lambda a, b: st.select(a > b, a - b, 0), np.int32, a, b).tolist() == [0, 1, 0]


def test_numbers_of_python_take_their_partners_type():
    x = st.access("x", f32, [])
    assert (x + 1).type == f32 and (x + 0.1).type == f32 and (1 - x).type == f32
    assert (st.access("b", u8, []) + 1).type == u8
    assert st.Expr(1).type == i32 and st.Expr(2**40).type == i64
    assert st.Expr(2**63).type == st.u64 and st.Expr(1.5).type == f64
    assert st.Expr(True).type == st.boolean
    with pytest.raises((OverflowError, TypeError)):
        st.Expr(2**64)


def test_scalars_of_numpy_have_their_own_type():
    x = st.access("x", f32, [])
    assert st.Expr(np.int8(3)).type == st.i8
    assert st.Expr(np.uint64(2**64 - 1)).type == st.u64
    assert str(st.Expr(np.uint64(2**64 - 1))) == "18446744073709551615u64"
    assert st.Expr(np.float32(0.5)).type == f32 and st.Expr(np.float64(0.5)).type == f64
    assert st.Expr(np.bool_(True)).type == st.boolean
    assert (x + np.float64(1)).type == f64
    assert (np.float32(2) * x).type == f32  # numpy leaves the operator to Expr


def test_division_says_which_operator_to_write():
    a, x = st.access("a", i32, []), st.access("x", f32, [])
    with pytest.raises(TypeError, match="write a // b"):
        a / 2
    with pytest.raises(TypeError, match="write a // b"):
        st.Var("i") / st.Var("j")
    with pytest.raises(TypeError, match=r"floor\(a / b\)"):
        x // 2
    assert str(st.cast(f32, a) / 2) == "cast(float32, a[]) / 2.0f32"


def test_an_expression_has_no_truth():
    i, n = st.Var("i"), st.Param("N")
    for truth in (lambda: bool(i == 1), lambda: 0 < i < n, lambda: (i < 1) and (i < 2),
                  lambda: min(i, n), lambda: not i, lambda: 1 if n else 2, lambda: i in [n]):
        with pytest.raises(TypeError, match="select.*&"):
            truth()


def test_handles_hash_by_identity(f):
    i, j = st.Var("i"), st.Var("i")
    x = f.input("x", f32, [4])
    names = {i: "first", j: "second", x: "input"}
    assert names[i] == "first" and names[j] == "second" and names[x] == "input"
    assert len({i, j, i, x}) == 3
    assert isinstance(i == j, st.Expr)


@pytest.mark.parametrize("index, given", [(1.0, "float"), ("i", "str"), (slice(None), "a slice"),
                                          (None, "NoneType"), ([1], "list")])
def test_what_is_no_index_is_told(f, index, given):
    x = f.input("x", f32, [4, 5])
    with pytest.raises(TypeError, match=f"index 1 of x is {given}"):
        x[0, index]
    with pytest.raises(TypeError, match=f"index 0 of x is {given}"):
        x(index)


def test_elements_read_by_brackets_and_calls(f):
    i, j = st.Var("i"), st.Var("j")
    x, s = f.input("x", f32, [4, 5]), f.input("s", f32, [])
    assert str(x[i, j + 1]) == str(x(i, j + 1)) == "x[i, j + 1]"
    assert str(s[()]) == str(s()) == str(s + 0.0)[:3] == "s[]"
    with pytest.raises(TypeError):
        list(x)
    with pytest.raises(TypeError):
        i in x


def test_the_text_of_an_expression_parses_back(f):
    i = st.Var("i", 0, 4)
    x = f.input("x", i32, [4])
    e = st.select((x[i] > 2) & (i != 3), x[i] // 2, -x[i])
    assert f"{e}" == repr(e) == "select(x[i] > 2i32 && i != 3, x[i] / 2i32, -x[i])"
    y = f.computation("y", [i], e)
    assert str(e) in f.text()


def test_reductions_and_reducers():
    f = st.Function("f")
    i, k = st.Var("i", 0, 3), st.Var("k", 0, 4)
    x = f.input("x", i64, [3, 4])
    s = f.computation("s", [i], st.sum(k, x[i, k]))
    p = f.computation("p", i, st.product([k], x[i, k]))
    some = f.computation("some", i, st.any(k, x[i, k] > 9))
    best = f.computation(["best", "at"], [i], st.argmax(k, x[i, k]))
    zero = np.int64(0)
    second = st.Reducer("both", [zero, zero], lambda a, b: [a[0] + b[0], st.max(a[1], b[1])])
    total = f.computation(["total", "top"], i, st.reduce(second, k, [x[i, k], x[i, k]]))
    data = np.array([[1, 2, 3, 4], [9, -1, 10, 5], [0, 0, -3, -3]])
    outputs = [s, p, some, best, best.component(1), total, total.component(1)]
    kernel = f.jit([x, *outputs])
    results = kernel(data)
    expected = [data.sum(1), data.prod(1), (data > 9).any(1), data.max(1), data.argmax(1),
                data.sum(1), np.maximum(data.max(1), 0)]
    for result, numbers in zip(results, expected):
        assert result.tolist() == numbers.tolist()
