"""Mistakes in programs have the author's line, and what an exception leaves is taken back."""

import sys

import numpy as np
import pytest

import strata as st
from graph_check import m, n
from strata.graph import (GraphBuilder, Module, ValueType, call, call_function, call_kernel,
                          call_packed, call_packed_kernel, constant, field, find_packed, ops,
                          parse_module, register_packed, shape_of, shape_value, te, tuple_value,
                          type_of, variable, verify)

x = variable("x", ValueType.tensor((n,), "float32"))


class refused:
    """`with refused(code, explanation):` the one line inside is refused, with its line."""

    def __init__(self, code, explanation):
        self.code, self.explanation = code, explanation

    def __enter__(self):
        self.line = sys._getframe(1).f_lineno + 1

    def __exit__(self, kind, error, _):
        assert isinstance(error, st.Error), error
        assert error.code.name.startswith(self.code) and self.explanation in error.explanation
        assert error.file == __file__ and error.line == self.line, error.text
        return True


def f32(*dims):
    return ValueType.tensor(dims, "float32")


def test_what_the_builder_refuses():
    b = GraphBuilder()
    with refused("E0601", "no function is being built"):
        b.emit(ops.exp(x))
    with refused("E0601", "it has no output"):
        with b.function("f", [x]): pass
    with b.function("f", [x]):
        with refused("E0601", "@g begins inside"):
            b.function("g", [x]).__enter__()
        with refused("E0601", "emit_output stands outside of a dataflow block"):
            b.emit_output(x)
        with refused("E0603", "there is no operator epx"):
            b.emit(call("epx", [x]))
        with refused("E0603", "no attribute axes"):
            b.emit(call("softmax", [x], axes=1))
        with refused("E0602", "axis is"):
            b.emit(call("softmax", [x], axis="last"))
        with refused("E0602", "float32"):
            b.emit(ops.add(x, variable("i", ValueType.tensor((n,), "int32"))))
        with refused("E0602", "4"):
            b.emit(ops.add(variable("a", f32(4)), variable("b", f32(5))))
        with refused("E0601", "W5: there is no function @none"):
            b.emit(call_function("none", [x]))
        with refused("E0601", "W5: there is no kernel @none"):
            b.emit(call_kernel((n,), "none", [x]))
        with b.dataflow():
            with refused("E0601", "a dataflow block begins inside of one"):
                b.dataflow().__enter__()
            with refused("E0601", "a branch stands in a dataflow block (W4)"):
                b.branch(True).__enter__().then().__enter__()
            with refused("E0601", "its output is given inside of a block"):
                b.emit_function_output(x)
        b.emit_function_output(x)
        with refused("E0601", "its output is given twice"):
            b.emit_function_output(x)
    with refused("E0601", "there is a global @f"):
        b.function("f", [x]).__enter__()
    with refused("E0601", "a parameter is not a variable"):
        b.function("g", [shape_value((n,))]).__enter__()
    with refused("E0601", "there are two variables %x"):
        b.function("g", [x, x]).__enter__()
    with refused("E0601", "there is a global @f"):
        b.declare("f", [x], x.type)
    verify(b.module())


def test_what_branches_refuse():
    b = GraphBuilder()
    with b.function("f", [x]):
        with refused("E0601", "there is no side otherwise"):
            with b.branch(True) as branch: build(branch.then(), branch)
        with b.branch(True) as branch:
            with refused("E0601", "a result is given twice, or outside of a side"):
                branch.result(x)
            with refused("E0601", "it has no value yet"):
                branch.value
            with refused("E0601", "the side then has no result"):
                with branch.then(): pass
            build(branch.then(), branch)
            with refused("E0601", "the side then begins twice"):
                branch.then().__enter__()
            with branch.otherwise():
                branch.result(x)
                with refused("E0601", "a result is given twice, or outside of a side"):
                    branch.result(x)
        with refused("E0601", "the side then begins twice"):
            branch.then().__enter__()
        b.emit_function_output(branch.value)
    assert len(b.module().functions["f"].body.blocks[0].bindings) == 1
    verify(b.module())


def build(side, branch):
    with side:
        branch.result(x)


def test_an_exception_takes_a_scope_back():
    b = GraphBuilder()
    with pytest.raises(ZeroDivisionError):
        with b.function("f", [x]):
            b.emit_te(lambda a: te.compute(a.shape, lambda i: a[i] + 1.0), x)
            1 // 0
    assert b.module() == Module()
    with b.function("f", [x]):
        with pytest.raises(ZeroDivisionError):
            with b.dataflow():
                b.emit(ops.exp(x))
                1 // 0
        with pytest.raises(ZeroDivisionError):
            with b.branch(True) as branch:
                with branch.then():
                    with b.dataflow():
                        b.emit(ops.exp(x))
                        1 // 0
        with b.branch(True) as branch:
            with pytest.raises(ZeroDivisionError):
                with branch.then():
                    branch.result(b.emit(ops.exp(x)))
                    1 // 0
            build(branch.then(), branch)
            build(branch.otherwise(), branch)
        with pytest.raises(ZeroDivisionError):
            b.emit_te(lambda a: 1 // 0, x)
        b.emit_function_output(branch.value)
    [block] = b.module().functions["f"].body.blocks
    [binding] = block.bindings
    assert [body.blocks for body in binding.bodies] == [[], []]
    verify(b.module())


def test_scopes_in_another_order_are_refused():
    b = GraphBuilder()
    function, block = b.function("f", [x]), b.dataflow()
    function.__enter__()
    block.__enter__()
    with refused("E0601", "it ends inside of a block"):
        function.__exit__(None, None, None)
    with refused("E0601", "no function is being built"):
        block.__exit__(None, None, None)
    assert b.module() == Module()


def test_what_is_no_value():
    with pytest.raises(TypeError, match=r"shape_of: n is an expression(.|\n)*shape_value"):
        shape_of(n)
    with pytest.raises(TypeError, match="shape_of: a value is str, not an array"):
        shape_of("x")
    with pytest.raises(TypeError, match="emit: a Tensor is not a value"):
        GraphBuilder().emit(ops.full(shape=(2,), value=1.0, type="float32"))
    with pytest.raises(TypeError, match="constant: it is list, not an array"):
        constant([1, 2])
    with pytest.raises(TypeError, match="exp takes a list of values"):
        call("exp", x)
    with pytest.raises(TypeError, match="extents are a tuple of dims"):
        call_kernel([n, m], "k", [x])
    with pytest.raises(TypeError):
        variable("x", "float32")
    with pytest.raises(ValueError, match="a field has a number from 0 on"):
        field(x, -1)
    with refused("E0602", "float"):
        shape_value((1.5,))
    with refused("E0602", "float"):
        GraphBuilder().match_shape(x, (n, 1.5))


def test_limits_on_nesting():
    nested = x
    for _ in range(1000):
        nested = call_packed("f", [(nested,)])
    with refused("E0601", "calls are nested more than 1000 deep"):
        call_packed("f", [nested, call_packed("f", [nested])])
    twice = x
    for _ in range(15):
        twice = tuple_value([twice, twice])
    with refused("E0601", "nested tuples have more than 1000000 fields"):
        for _ in range(9): twice = tuple_value([twice, twice])
    b, shared = GraphBuilder(), x
    for _ in range(100):
        shared = ops.add(shared, shared)
    with b.function("f", [x]):
        b.emit_function_output(b.emit(shared))
    assert len(b.module().functions["f"].body.blocks[0].bindings) == 100


def test_mistakes_of_emit_te():
    b = GraphBuilder()
    other = te.placeholder((n,), name="other")
    unknown = variable("u", ValueType.tensor(rank=1, dtype="float32"))
    with b.function("f", [x, unknown]):
        with refused("E0602", "extents or elements are unknown"):
            b.emit_te(ops.exp, unknown)
        with refused("E0602", "a call has no variable"):
            b.emit_te(ops.exp, ops.exp(x))
        with refused("E0602", "te_func returns None"):
            b.emit_te(lambda a: None, x)
        with refused("E0602", "other"):
            b.emit_te(ops.add, x, other)
        with refused("E0109", "read with 2 indices"):
            b.emit_te(lambda a: te.compute(a.shape, lambda i: a[i, i]), x)
        b.emit_function_output(x)
    assert not b.module().kernels


def test_texts_that_are_no_programs():
    for text, place in [("def @f(", "line 1"), ("nonsense", "line 1"),
                        ("def @f(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {\n  %y\n}",
                         "line 2, column 3")]:
        with refused("E0604", place):
            parse_module(text)
    module = parse_module("""def @f(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %y = call_kernel((n), "k", (%x), types=[float32])
  %s = shape_of(%y)
  %z = match_shape(%x, (m))
  %z
}""")
    assert [b.definition.kind for b in module.functions["f"].body.blocks[0].bindings] == [
        "packed kernel", "shape_of", "match_shape"]
    with refused("E0601", "W6"):
        verify(parse_module("def @f(%x: Tensor[(n), float32]) -> Shape { %s = (m)\n %s }"))


def test_parts_of_calls():
    packed = call_packed_kernel([(n,), (m,)], "k", [x, 2], ["float32", np.int8], integers=(2 * n,))
    assert packed.kind == "packed kernel" and packed.name == "k"
    assert [repr(dim) for dim in packed.dims] == ["2 * n"]
    assert [v.kind for v in packed.operands] == ["shape", "shape", "variable", "constant"]
    assert [repr(dim) for dim in packed.operands[0].dims] == ["n"]
    assert repr(packed) == ('call_kernel([(n), (m)], "k", (%x, int64(2)), integers=(2 * n), '
                            "types=[float32, int8])")
    assert field(x, 2).index == 2 and field(x, 2).name is None and repr(field(x, 2)) == "%x[2]"
    assert repr(call_packed("f", [x], pure=True)) == 'call_packed("f", (%x), pure)'
    constant = call("exp", [2.5]).operands[0]
    assert np.asarray(constant.array) == np.float32(2.5) and x.array is None
    assert x == x and x != variable("x", x.type) and x != 3 and len({x, x}) == 1


def test_calls_of_other_operands_and_their_types():
    x, y = (variable(name, ValueType.tensor((2, n), "float32")) for name in "xy")
    both = ops.concatenate([x, x], axis=1)
    assert repr(type_of(both)) == "Tensor[(2, 2 * n), float32]" and type_of(x) == x.type
    other = both.with_operands([x, y])
    assert repr(other) == "concatenate(%x, %y, axis=1)" and repr(both).count("%x") == 2
    assert tuple_value([x, x]).with_operands([x, y]).operands == [x, y]
    with pytest.raises(ValueError, match="1 operands for 2"):
        both.with_operands([x])
    with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_builder_test\.py"):
        type_of(ops.add(x, variable("z", ValueType.tensor((3, n), "float32"))))


def test_a_packed_function_called_from_python():
    @register_packed("test.twice")
    def twice(x, count):
        return np.asarray(x) * count

    assert np.array_equal(find_packed("test.twice")(np.float32([1, 2]), 3), [3, 6])
    with pytest.raises(st.Error, match=r"E0601(.|\n)*graph_builder_test\.py(.|\n)*register it"):
        find_packed("test.thrice")(1)


def test_a_call_says_what_its_author_states_and_a_variable_whether_it_is_local():
    stated = call_packed("test.any", [x], ValueType.shape(rank=2))
    assert type_of(stated) == ValueType.shape(rank=2) and type_of(call_packed("f", [])).kind == "object"
    b = GraphBuilder()
    with b.function("main", [x]):
        with b.dataflow():
            inside = b.emit(ops.exp(x))
            result = b.emit_output(inside)
        b.emit_function_output(result)
    assert [v.is_local for v in (x, inside, result, stated)] == [False, True, False, False]
