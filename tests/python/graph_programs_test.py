"""The programs of Relax's first design: built, printed, parsed back, verified, run."""

import os
import pathlib
import re

import numpy as np
import pytest

import strata as st
from graph_check import array, k, m, n
from strata.graph import (GraphBuilder, Module, Shape, ValueType, call, call_function,
                          call_kernel, call_packed, call_packed_kernel, constant, constants_of,
                          field, ops, parse_module, register_packed, run, shape_of, shape_value,
                          te, tuple_value, variable, verify)

TWO_EXTENTS = [(3, 5), (1, 1), (0, 4)]


def f32(*dims):
    return ValueType.tensor(dims, "float32")


def checked(module):
    """The module, which verifies, and whose text parses back to the same text."""
    verify(module)
    text, parsed = str(module), parse_module(str(module), constants_of(module))
    assert str(parsed) == text and parsed == module and hash(parsed) == hash(module)
    verify(parsed)
    return parsed


def close(got, want):
    got = np.asarray(got)
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def check(module, name, arguments, want):
    """Compiled and interpreted, from copies of the arguments: a program may write to them."""
    for interpreted in (False, True):
        given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        close(run(module, name, *given, interpreted=interpreted), want)


@register_packed("test.increment")
def increment(x):
    np.asarray(x)[...] += 1


def my_ir_module():
    b = GraphBuilder()
    x, w = variable("x", f32(n, k)), variable("w", ValueType.tensor(dtype="float32"))
    with b.function("main", [x, w]):
        with b.dataflow():
            known = b.match_shape(w, (k, m))
            exps = b.emit_output(ops.exp(ops.flatten(b.emit(ops.matmul(x, known)))))
        b.emit(call_packed("test.increment", [exps]))
        b.emit_function_output(exps)
    return b.module()


def test_a_program_with_match_shape_and_a_packed_call():
    module = checked(my_ir_module())
    assert str(module) == """\
def @main(%x: Tensor[(n, k), float32], %w: Tensor[_, float32]) -> Tensor[(m * n), float32] {
  dataflow {
    %lv = match_shape(%w, (k, m))
    %lv1 = matmul(%x, %lv)
    %lv2 = flatten(%lv1)
    %gv = exp(%lv2)
    output %gv
  }
  %gv1 = call_packed("test.increment", (%gv))
  %gv
}
"""
    for rows, columns in TWO_EXTENTS:
        x, w = array((rows, columns)), array((columns, 4))
        check(module, "main", [x, w], np.exp((x @ w).ravel()) + 1)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*extent 0 of %w is 4, and k is 3"):
        run(module, "main", array((2, 3)), array((4, 2)))


def te_func(a, b):
    return te.compute(a.shape, lambda i, j: a[i, j] + b[i, j])


def test_names_blocks_and_equal_kernels():
    b = GraphBuilder()
    x, y = variable("x", f32(n, m)), variable("y", f32(n, m))
    with b.function("func", [x, y]):
        with b.dataflow():
            lv = b.emit(ops.add(x, y))
            lv1 = b.emit(ops.multiply(lv, y))
            gv = b.emit_output(lv1)
        gv1 = b.emit_te(te_func, gv, y)
        same = b.emit_te(te_func, gv1, b=y)
        other = b.emit_te(lambda a: te.compute(a.shape, lambda i, j: a[i, j] * 2.0), same)
        b.emit_function_output(other)
    assert [v.name for v in (lv, lv1, gv, gv1)] == ["lv", "lv1", "gv", "gv1"]
    module = checked(b.module())
    assert list(module.kernels) == ["te_func", "te_func1"]
    assert module.kernels["te_func1"].inputs[0].name == "gv2"
    for rows, columns in TWO_EXTENTS:
        v, w = array((rows, columns)), array((rows, columns))
        check(module, "func", [v, w], 2 * ((v + w) * w + w + w))


def test_extents_that_a_match_defines():
    b = GraphBuilder()
    x = variable("x", ValueType.tensor(rank=2, dtype="float32"))
    with b.function("relax_func", [x]):
        with b.dataflow():
            tensor = b.match_shape(x, (n, m))
            gv = b.emit_output(ops.multiply(ops.add(tensor, tensor), 2.0))
        numbers = b.match_shape(b.emit(shape_of(gv)), (n, m))
        b.emit_function_output(tuple_value([b.emit(ops.exp(gv)), numbers]))
    assert tensor.type == f32(n, m) and repr(numbers.type) == "Shape[(n, m)]"
    module = checked(b.module())
    for extents in TWO_EXTENTS:
        v = array(extents)
        result, shape = run(module, "relax_func", v)
        close(result, np.exp(4 * v))
        assert shape == extents


def test_myfunc():
    b = GraphBuilder()
    x, source = variable("x", f32(n, m)), te.placeholder((n, m), name="source")
    exp = te.compute((n, m), lambda i, j: st.exp(source[i, j]))
    assert b.add_kernel("exp", [source], [exp]) == "exp"
    assert b.add_kernel("exponential", [source], [ops.exp(source)]) == "exp"
    assert b.add_kernel("flatten", [source], [ops.flatten(source)]) == "flatten"
    with b.function("myfunc", [x]):
        with b.dataflow():
            lv = b.emit(call_kernel((n, m), "exp", [x]))
            gv = b.emit_output(call_kernel((m * n,), "flatten", [lv]))
        b.emit_function_output(gv)
    module = checked(b.module())
    assert list(module.kernels) == ["exp", "flatten"] and gv.type == f32(m * n)
    for extents in TWO_EXTENTS:
        v = array(extents)
        check(module, "myfunc", [v], np.exp(v).ravel())


def test_shapes_are_values():
    b = GraphBuilder()
    x = variable("x", f32(n, 2, 2))
    with b.function("shape_example", [x]):
        with b.dataflow():
            lv = b.emit(ops.reshape(x, shape=(n, 4)))
            gv = b.emit_output(ops.flatten(lv))
            numbers = b.emit_output(shape_value((n * 4,)))
        doubled = b.emit(call_packed("test.doubled", [numbers], ValueType.shape(rank=1)))
        copied = b.emit(call_packed_kernel(doubled, "test.spread", [gv], ["float32"]))
        assert repr(copied.type) == "Tensor[%gv2, float32]"
        distinct = b.emit(ops.unique(copied))
        assert repr(distinct.type) == "Tensor[(_), float32]"
        b.emit_function_output(b.emit(ops.exp(b.match_shape(distinct, (m,)))))

    @register_packed("test.doubled")
    def doubled_shape(shape):
        assert isinstance(shape, Shape)
        return Shape(2 * extent for extent in shape)

    @register_packed("test.spread")
    def spread(source, target):
        np.asarray(target)[...] = np.repeat(np.asarray(source), 2)

    module = checked(b.module())
    for extent in (3, 1, 0):
        v = array((extent, 2, 2))
        check(module, "shape_example", [v], np.exp(np.unique(v)))


def test_relax_func():
    b = GraphBuilder()
    x, y = variable("x", f32(n, m)), variable("y", f32(n, m))
    with b.function("relax_func", [x, y]):
        with b.dataflow():
            lv = b.emit(ops.add(x, y))
            gv = b.emit_output(ops.multiply(lv, y))
        gv1 = b.emit(ops.exp(gv))
        b.emit_function_output(gv1)
    assert [v.name for v in (lv, gv, gv1)] == ["lv", "gv", "gv1"]
    first, second = checked(b.module()).functions["relax_func"].body.blocks
    assert first.is_dataflow and len(first.bindings) == 2
    assert not second.is_dataflow and len(second.bindings) == 1


def test_arrays_of_any_rank():
    b = GraphBuilder()
    x = variable("x", ValueType.tensor())
    with b.function("main", [x]):
        logs = b.emit(ops.log(x))
        assert repr(logs.type) == "Tensor[_, _]"
        b.emit_function_output(b.emit(ops.exp(b.match_shape(b.emit(ops.flatten(logs)), (m,)))))
    module = checked(b.module())
    for extents in [(6,), (2, 3), (1, 2, 3), (2, 0, 3), *TWO_EXTENTS]:
        v = np.abs(array(extents)) + np.float32(0.1)
        check(module, "main", [v], v.ravel())


def test_equal_computations_are_one_kernel():
    b = GraphBuilder()
    a, c = variable("A", f32(n, m)), variable("B", f32(n, m))

    def sums(arguments, *, scales):
        left, right = arguments["left"], arguments["right"][0]
        return [te.compute(left.shape, lambda i, j: left[i, j] * scale + right[i, j])
                for scale in scales]

    with b.function("rx_func", [a, c]):
        first = b.emit_te(sums, {"left": a, "right": [c]}, scales=(1.0, 2.0))
        second = b.emit_te(sums, {"left": c, "right": (a,)}, scales=(1.0, 2.0))
        b.emit_function_output(tuple_value([field(first, 1), field(second, 0), shape_of(a)]))
    module = checked(b.module())
    assert list(module.kernels) == ["sums"]
    for extents in TWO_EXTENTS:
        v, w = array(extents), array(extents)
        got = run(module, "rx_func", v, w)
        assert isinstance(got, tuple) and len(got) == 3
        close(got[0], 2 * v + w)
        close(got[1], w + v)
        assert got[2] == extents and isinstance(got[2], Shape)


def test_a_kernel_gets_symbols_that_are_no_extents():
    b = GraphBuilder()
    a, s = variable("A", f32(n, 2 * (m // 2))), variable("s", ValueType.shape((m,)))
    with b.function("main", [a, s]):
        b.emit_function_output(b.emit_te(
            lambda a: te.compute(a.shape, lambda i, j: a[i, j] + 1.0), a))
    module = checked(b.module())
    assert module.kernels["te_func"].integers == ["m"]
    v = array((3, 4))
    check(module, "main", [v, Shape((5,))], v + 1)
    check(module, "main", [v, (4,)], v + 1)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*extent 1 of %A is 4"):
        run(module, "main", v, (3,))
    for rows, limit in ((1, 1), (0, 4)):
        v = array((rows, limit // 2 * 2))
        check(module, "main", [v, (limit,)], v + 1)


def test_branches_recursion_and_tuples():
    # pow(x, c) = c < 1 ? (x / x, c)[0] : x * pow(x, c - 1)
    b = GraphBuilder()
    x, c = variable("x", f32(n)), variable("c", f32())
    b.declare("power", [x, c], f32(n))
    with b.function("power", [x, c]):
        with b.branch(ops.less(c, 1.0)) as branch:
            with branch.then():
                branch.result(field(b.emit(tuple_value([ops.divide(x, x), c])), 0))
            with branch.otherwise():
                rest = b.emit(call_function("power", [x, ops.subtract(c, 1.0)]))
                branch.result(ops.multiply(x, rest))
        b.emit_function_output(branch.value)
    module = checked(b.module())
    assert str(module) == """\
def @power(%x: Tensor[(n), float32], %c: Tensor[(), float32]) -> Tensor[(n), float32] {
  %gv = less(%c, 1.0f32)
  %gv7 = if (%gv) {
    %gv1 = divide(%x, %x)
    %gv2 = (%gv1, %c)
    %gv3 = %gv2[0]
    %gv3
  } else {
    %gv4 = subtract(%c, 1.0f32)
    %gv5 = @power(%x, %gv4)
    %gv6 = multiply(%x, %gv5)
    %gv6
  }
  %gv7
}
"""
    v = np.array([2, 3], np.float32)
    check(module, "power", [v, 4.0], v**4)
    check(module, "power", [v, 0.0], v**0)
    [binding] = module.functions["power"].body.blocks[-1].bindings[-1:]
    assert binding.definition.kind == "branch" and len(binding.bodies) == 2
    assert binding.bodies[1].blocks[0].bindings[0].definition.attributes == {}
    with pytest.raises(st.Error, match="E0901(.|\n)*nested more than 1000 deep"):
        run(module, "power", v, 5000.0)


def test_operators_on_values_are_calls():
    x = variable("x", f32(n, 4))
    called = ops.softmax(ops.add(x, 2.0), axis=-1)
    assert called.kind == "operator" and called.name == "softmax"
    assert called.attributes == {"axis": -1} and called.operands[0].kind == "operator"
    assert repr(ops.add(x, 2.0)) == "add(%x, 2.0f32)"
    assert repr(ops.reshape(x, shape=[4, n])) == "reshape(%x, shape=(4, n))"
    assert repr(ops.reshape(x, shape=[2, 2])) == "reshape(%x, shape=(2, 2))"
    assert repr(ops.cast(x, type="int32")) == repr(call("cast", [x], type=np.int32))
    assert repr(ops.bias_add(x, b=np.ones(4, np.float32), axis=np.int8(1))) == (
        "bias_add(%x, const[0], axis=1)")
    with pytest.raises(TypeError):
        ops.softmax(x, axis=np.ones(4, int))
    with pytest.raises(st.Error, match="E0603(.|\\n)*no attribute biases"):
        ops.bias_add(x, biases=np.ones(4, np.float32))
    both = ops.concatenate([x, x], axis=0)
    assert both.operands == [x, x] and repr(both) == "concatenate(%x, %x, axis=0)"
    pair = variable("pair", ValueType.tuple([f32(n), f32(m)]))
    assert ops.concatenate(pair).operands == [pair]
    with pytest.raises(TypeError, match="neither a Tensor nor a Value"):
        ops.add(te.placeholder((4,)), 2.0)


def test_constants():
    source = np.arange(3, dtype=np.float32)
    for given, dtype, want in [(True, "boolean", np.True_), (3, "int64", np.int64(3)),
                               (2.5, "float32", np.float32(2.5)),
                               (np.float64(2.5), "float64", np.float64(2.5)),
                               (source, "float32", source),
                               (memoryview(source), "float32", source)]:
        b = GraphBuilder()
        with b.function("main", []):
            value = b.emit(given)
            assert value.type.dtype == dtype and value.type.rank == np.ndim(want)
            b.emit_function_output(value)
        module = checked(b.module())
        check(module, "main", [], np.asarray(want))
    # One that is used twice is one array in the text; it is a copy.
    b, one = GraphBuilder(), constant(run(module, "main"))
    with b.function("main", []):
        b.emit_function_output(tuple_value([one, one, source]))
    module = checked(b.module())
    assert repr(module).count("\nconst[") == 2 and constant(2.5).type == f32()
    source[0] = 7
    assert [np.asarray(part)[0] for part in run(module, "main")] == [0, 0, 0]
    with pytest.raises(OverflowError):
        shape_of(2**63)


def test_large_constants_are_named_by_their_hashes():
    b = GraphBuilder()
    large = np.arange(40, dtype=np.int32).reshape(5, 8)
    with b.function("main", []):
        b.emit_function_output(large)
    module = checked(b.module())
    [same] = constants_of(module)
    np.testing.assert_array_equal(np.asarray(same), large)
    np.asarray(same)[...] = 0
    with pytest.raises(st.Error, match="E0604(.|\n)*line "):
        parse_module(str(module))
    with pytest.raises(st.Error, match=r"E0604(.|\n)*graph_programs_test\.py"):
        parse_module(str(module), [same])


def test_types():
    tensor = ValueType.tensor
    for made, text in [(tensor((n, 2 * m), "float32"), "Tensor[(n, 2 * m), float32]"),
                       (tensor((m + n - m,), "float32"), "Tensor[(n), float32]"),
                       (tensor(dtype=np.int8), "Tensor[_, int8]"), (tensor(), "Tensor[_, _]"),
                       (tensor(rank=2, dtype="bool"), "Tensor[(_, _), boolean]"),
                       (tensor((), "float64"), "Tensor[(), float64]"),
                       (ValueType.shape((n, 3)), "Shape[(n, 3)]"), (ValueType.shape(), "Shape"),
                       (ValueType.shape(rank=2), "Shape[(_, _)]"),
                       (ValueType.tuple([tensor((n,)), ValueType.shape()]),
                        "(Tensor[(n), _], Shape)"),
                       (ValueType(), "Object"), (ValueType.nothing(), "Nothing"),
                       (ValueType.function(), "Function")]:
        assert repr(made) == text
    assert tensor((n * 4,)) == tensor((4 * n,)) != tensor((n,))
    assert hash(tensor((n * 4,))) == hash(tensor((4 * n,)))
    assert tensor((n, 4), "int8").dims[1] == 4 and tensor((n, 4)).dtype is None
    assert tensor(rank=3).rank == 3 and tensor().rank is None and tensor().dims is None
    with pytest.raises(st.Error, match=r"E0602(.|\n)*graph_programs_test\.py(.|\n)*float"):
        tensor((n, 1.5))
    with pytest.raises(st.Error, match="E0602(.|\n)*-1"):
        tensor((-1,))
    with pytest.raises(TypeError, match="a shape is a list of"):
        tensor("n")


def test_a_module_grows():
    b = GraphBuilder(my_ir_module())
    x = variable("y", f32(5))
    with b.function("more"):
        b.emit_function_output(ops.exp(x), [x])
    module = b.module()
    assert list(module.functions) == ["main", "more"] and not module.kernels
    more = module.functions["more"]
    assert more.parameters == [x] and more.result_type == f32(5) and more.attributes == {}
    [block] = more.body.blocks
    [binding] = block.bindings
    assert not block.is_dataflow and binding.value == more.body.result
    assert binding.definition.operands == [x] and b.lookup(binding.value).name == "exp"
    assert repr(binding) == "%gv = exp(%y)" and b.lookup(x) is None
    assert str(more).startswith("def @more(%y: Tensor[(5), float32])")
    assert module != Module() and Module() == Module()


def test_the_programs_of_the_page():
    page = pathlib.Path(os.environ["STRATA_SOURCE"], "docs", "graph.md").read_text(encoding="utf-8")
    section = page[page.index("## Programs"):page.index("## Passes")]
    adding, power, packed = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    v = array((3, 2))
    names = dict(x_array=v, numpy=np)
    exec(adding, names)
    close(names["result"], np.exp(v) + v)
    text = str(names["module"])
    assert re.search(r"\n```\n(def .*?)```", section, re.DOTALL)[1] == text
    exec(power, names)
    close(names["cubes"], np.array([1, 8], np.float32))
    exec(packed, names)
    close(names["result"], np.exp(v[v[:, 0] > 0.5]))
