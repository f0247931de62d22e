"""ONNX models as modules, against numpy. The files are written here, by onnx_models."""

import os
import random
import resource
import time

import numpy as np
import pytest

import strata as st
import onnx_models as forms
from onnx_models import (Reference, function, graph, model, node, tensor, tensor_beside, value)
from strata.graph import load_onnx, run, verify

RANDOM = np.random.default_rng(5)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype("float32")


def close(got, want):
    got = np.asarray(got)
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


def check(module, arguments, want):
    verify(module)
    for interpreted in (True, False):
        close(run(module, "main", *map(np.copy, arguments), interpreted=interpreted), want)


def of_nodes(nodes, inputs, output, initializers=(), **options):
    return model(graph(nodes, inputs, [output], initializers), **options)


def mlp():
    weights = {"w": floats(6, 5), "b": floats(5), "v": floats(5, 3)}
    contents = of_nodes(
        [node("Gemm", ["x", "w", "b"], ["a"]), node("Relu", ["a"], ["r"]),
         node("MatMul", ["r", "v"], ["s"]), node("Softmax", ["s"], ["y"], axis=-1)],
        [value("x", "float32", ["batch", 6])], value("y", "float32", ["batch", 3]), weights)
    return contents, weights


def test_one_module_for_all_batches():
    contents, weights = mlp()
    module = load_onnx(contents)
    assert "%x: Tensor[(batch, 6), float32]" in str(module)
    for batch in (1, 4, 9):
        x = floats(batch, 6)
        s = np.maximum(x @ weights["w"] + weights["b"], 0) @ weights["v"]
        powers = np.exp(s - s.max(1, keepdims=True))
        check(module, [x], powers / powers.sum(1, keepdims=True))


def test_bind_makes_dims_and_inputs_constants():
    contents, _ = mlp()
    assert "%x: Tensor[(7, 6), float32]" in str(load_onnx(contents, bind={"batch": 7}))
    summed = of_nodes([node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)],
                      [value("x", "float32", ["n", "m"]), value("axes", "int64", [1])],
                      value("y", "float32", ["k"]))
    with pytest.raises(st.Error, match="operand 1 is computed when the model runs") as refusal:
        load_onnx(summed)
    assert refusal.value.code == st.Code.E0603_unknown_operator
    x = floats(3, 4)
    check(load_onnx(summed, bind={"axes": np.array([1])}), [x], x.sum(1))
    with pytest.raises(st.Error, match='no dim or input "bach"') as refusal:
        load_onnx(contents, bind={"bach": 7})
    assert refusal.value.code == st.Code.E0106_bad_argument


def test_computed_shapes_are_folded():
    """(b, s, 6) as (b, s, 2, 3), by Shape, Gather, Mul and Concat."""
    contents = of_nodes(
        [node("Shape", ["x"], ["shape"]), node("Gather", ["shape", "zero"], ["b"], axis=0),
         node("Gather", ["shape", "one"], ["s"], axis=0), node("Mul", ["b", "s"], ["bs"]),
         node("Cast", ["bs"], ["bs32"], to=6), node("Cast", ["bs32"], ["bs64"], to=7),
         node("Concat", ["bs64", "heads", "minus"], ["wanted"], axis=0),
         node("Reshape", ["x", "wanted"], ["y"])],
        [value("x", "float32", ["batch", "steps", 6])], value("y", "float32", ["k", 2, "l"]),
        {"zero": np.array([0]), "one": np.array([1]), "heads": np.array([2]),
         "minus": np.array([-1])})
    module = load_onnx(contents)
    assert "-> Tensor[(batch * steps, 2, 3), float32]" in str(module)
    for batch, steps in ((1, 1), (2, 5)):
        x = floats(batch, steps, 6)
        check(module, [x], x.reshape(batch * steps, 2, 3))


def test_extents_that_must_agree_are_checked():
    """Of 16 rows as many as there are steps: min(steps, 16), which a sum takes as steps only."""
    rows = floats(16, 4)
    contents = of_nodes(
        [node("Shape", ["x"], ["shape"]), node("Slice", ["shape", "one", "two"], ["end"]),
         node("Slice", ["rows", "zero", "end", "zero"], ["part"]), node("Add", ["x", "part"], ["y"])],
        [value("x", "float32", ["batch", "steps", 4])], value("y", "float32", ["k", "l", 4]),
        {"rows": rows, "zero": np.array([0]), "one": np.array([1]), "two": np.array([2])})
    module = load_onnx(contents)
    assert module.functions["main"].result_type == module.functions["main"].parameters[0].type
    for batch, steps in ((1, 1), (2, 16)):
        x = floats(batch, steps, 4)
        check(module, [x], x + rows[:steps])
    with pytest.raises(st.Error, match="17"):
        run(module, "main", floats(1, 17, 4))


def test_a_shape_may_be_data():
    contents = of_nodes([node("Shape", ["x"], ["s"]), node("Add", ["s", "one"], ["y"])],
                        [value("x", "float32", ["n", 4])], value("y", "int64", [2]),
                        {"one": np.array([1])})
    check(load_onnx(contents), [floats(3, 4)], np.array([4, 5]))


def test_equal_names_are_one_number():
    contents = of_nodes([node("Add", ["x", "y"], ["z"])],
                        [value("x", "float32", ["n"]), value("y", "float32", ["n"])],
                        value("z", "float32", ["n"]))
    module = load_onnx(contents)
    check(module, [np.float32([1, 2]), np.float32([3, 4])], np.float32([4, 6]))
    with pytest.raises(st.Error, match="2.*3|3.*2"):
        run(module, "main", floats(2), floats(3))


def test_extents_of_data_are_matched():
    contents = of_nodes([node("NonZero", ["x"], ["places"]), node("Shape", ["places"], ["s"]),
                         node("Transpose", ["places"], ["y"])],
                        [value("x", "float32", ["n"])], value("y", "int64", ["k", 1]))
    x = np.float32([0, 3, 0, 4])
    check(load_onnx(contents), [x], np.array([[1], [3]]))


def test_one_error_has_all_nodes():
    contents = of_nodes(
        [node("Foo", ["x"], ["a"], name="first"), node("Relu", ["a"], ["b"], name="after"),
         node("Bar", ["x"], ["c"], name="second", domain="com.example"),
         node("Cast", ["x"], ["d"], name="third", to=8), node("Sum", ["b", "c", "d"], ["y"])],
        [value("x", "float32", [2])], value("y", "float32", [2]), domains=["com.example"])
    with pytest.raises(st.Error) as refusal:
        load_onnx(contents)
    assert refusal.value.code == st.Code.E0603_unknown_operator
    text = str(refusal.value)
    assert 'Foo "first"' in text and 'com.example.Bar "second"' in text
    assert 'Cast "third"' in text and "string" in text
    assert "after" not in text


def test_versions_decide():
    """Before version 13 softmax was over all dimensions from the axis on."""
    x = floats(2, 3, 4)
    for version, axes in ((11, (1, 2)), (13, (1,))):
        contents = of_nodes([node("Softmax", ["x"], ["y"], axis=1)],
                            [value("x", "float32", [2, 3, 4])], value("y", "float32", [2, 3, 4]),
                            version=version)
        powers = np.exp(x - x.max(axes, keepdims=True))
        check(load_onnx(contents), [x], powers / powers.sum(axes, keepdims=True))
    contents = of_nodes([node("Relu", ["x"], ["y"], name="r")], [value("x", "float32", [2])],
                        value("y", "float32", [2]), version=1000)
    with pytest.raises(st.Error, match='Relu "r": version 1000'):
        load_onnx(contents)


def test_initializers_in_a_file_beside(tmp_path):
    w = floats(4, 3)
    (tmp_path / "weights").write_bytes(b"head" + w.tobytes())

    def file_of(**entries):
        contents = of_nodes([node("MatMul", ["x", "w"], ["y"])], [value("x", "float32", ["n", 4])],
                            value("y", "float32", ["n", 3]),
                            [tensor_beside("w", w.shape, "float32", **entries)])
        (tmp_path / "model.onnx").write_bytes(contents)
        return tmp_path / "model.onnx"

    x = floats(2, 4)
    check(load_onnx(file_of(location="weights", offset=4, length=48)), [x], x @ w)
    for entries, message in (({"location": "weights", "offset": 8}, "needs 48 bytes at 8"),
                             ({"location": "../weights"}, "not in the model's folder"),
                             ({"location": "/etc/passwd"}, "not in the model's folder"),
                             ({"location": "nothing"}, "needs 48 bytes")):
        with pytest.raises(st.Error, match=message):
            load_onnx(file_of(**entries))
    contents = file_of(location="weights", offset=4).read_bytes()
    check(load_onnx(contents, folder=tmp_path), [x], x @ w)
    with pytest.raises(st.Error, match="no folder"):
        load_onnx(contents)


def test_a_condition_that_is_computed():
    positive = graph([node("Exp", ["x"], ["p"])], [], [value("p", "float32", ["n"])])
    negative = graph([node("Neg", ["x"], ["q"])], [], [value("q", "float32", ["n"])])
    contents = of_nodes(
        [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "zero"], ["c"]),
         node("If", ["c"], ["i"], then_branch=positive, else_branch=negative),
         node("Add", ["i", "s"], ["y"])],
        [value("x", "float32", ["n"])], value("y", "float32", ["n"]), {"zero": np.float32(0)})
    module = load_onnx(contents)
    for x in (np.float32([1, 2, -1]), np.float32([-1, -2])):
        check(module, [x], (np.exp(x) if x.sum() > 0 else -x) + x.sum(dtype="float32"))


def test_a_loop_of_known_length():
    body = graph([node("Cast", ["i"], ["i32"], to=1), node("Add", ["v", "i32"], ["v_out"]),
                  node("Identity", ["c"], ["c_out"]), node("Identity", ["v_out"], ["each"])],
                 [value("i", "int64", []), value("c", "bool", []), value("v", "float32", [2])],
                 [value("c_out", "bool", []), value("v_out", "float32", [2]),
                  value("each", "float32", [2])])
    contents = of_nodes([node("Loop", ["count", "", "x"], ["last", "y"], body=body)],
                        [value("x", "float32", [2])], value("y", "float32", [3, 2]),
                        {"count": np.array(3)})
    x = floats(2)
    check(load_onnx(contents), [x], np.stack([x, x + 1, x + 3]))


def lstm(x, w, r, b):
    units = r.shape[1]
    h, c, outputs = np.zeros((x.shape[1], units)), np.zeros((x.shape[1], units)), []
    for step in x:
        gates = step @ w.T + h @ r.T + b[:4 * units] + b[4 * units:]
        i, o, f, g = np.split(gates, 4, axis=1)
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c) / (1 + np.exp(-o))
        outputs.append(h)
    return np.stack(outputs).astype("float32")


@pytest.mark.parametrize("steps", [3, "steps"])
def test_an_lstm_is_its_steps(steps):
    """Of known length, and of any."""
    size, units = 4, 5
    w, r, b = floats(2, 4 * units, size), floats(2, 4 * units, units), floats(2, 8 * units)
    contents = of_nodes([node("LSTM", ["x", "w", "r", "b"], ["y"], hidden_size=units,
                              direction="bidirectional")],
                        [value("x", "float32", [steps, "batch", size])],
                        value("y", "float32", [steps, 2, "batch", units]),
                        {"w": w, "r": r, "b": b})
    module = load_onnx(contents)
    for length in [3] if steps == 3 else [1, 2, 7, 100]:
        x = floats(length, 2, size)
        forward, backward = lstm(x, w[0], r[0], b[0]), lstm(x[::-1], w[1], r[1], b[1])[::-1]
        check(module, [x], np.stack([forward, backward], axis=1))


def test_functions_of_the_model():
    scaled = function("Scaled", "local", ["a"], ["b"], ["slope"],
                      [node("LeakyRelu", ["a"], ["m"], alpha=0.5),
                       node("Softmax", ["m"], ["b"], axis=Reference("slope"))])
    contents = model(graph([node("Scaled", ["x"], ["y"], domain="local", slope=0)],
                           [value("x", "float32", ["n", 3])], [value("y", "float32", ["n", 3])]),
                     functions=[scaled], domains=["local"])
    x = floats(4, 3)
    powers = np.exp(np.where(x < 0, x / 2, x))
    check(load_onnx(contents), [x], powers / powers.sum(0, keepdims=True))


def test_functions_that_call_themselves_are_refused():
    endless = function("F", "local", ["a"], ["b"], [], [node("F", ["a"], ["b"], domain="local")])
    contents = model(graph([node("F", ["x"], ["y"], domain="local")],
                           [value("x", "float32", [2])], [value("y", "float32", [2])]),
                     functions=[endless], domains=["local"])
    with pytest.raises(st.Error) as refusal:
        load_onnx(contents)
    assert refusal.value.code == st.Code.E0901_out_of_budget


def test_elements_in_all_forms():
    half = np.float16([1.5, -2])
    of_half = (forms.fields(1, [2]) + forms.field(2, 10) + forms.field(8, "h") +
               forms.fields(5, [int(bits) for bits in half.view("uint16")]))
    of_int8 = forms.fields(1, [2]) + forms.field(2, 3) + forms.field(8, "i") + forms.fields(
        5, [-128, 127])
    contents = of_nodes([node("Cast", ["h"], ["a"], to=1), node("Cast", ["i"], ["b"], to=1),
                         node("Sum", ["x", "a", "b"], ["y"])],
                        [value("x", "float32", [2])], value("y", "float32", [2]),
                        [of_half, of_int8])
    check(load_onnx(contents), [np.float32([1, 2])], np.float32([-125.5, 127]))


@pytest.mark.parametrize("extents", [[1 << 40, 1 << 40], [-1], [3], [1 << 31, 1 << 31, 1 << 2]])
def test_dims_that_do_not_fit_their_elements(extents):
    wrong = tensor("w", floats(2)).replace(b"\x08\x02", b"", 1)
    contents = of_nodes([node("Add", ["x", "w"], ["y"])], [value("x", "float32", [2])],
                        value("y", "float32", [2]), [forms.fields(1, extents) + wrong])
    with pytest.raises(st.Error):
        load_onnx(contents)


def sources():
    """Models whose mutants are loaded."""
    branch = graph([node("Neg", ["x"], ["q"])], [], [value("q", "float32", ["n"])])
    yield mlp()[0]
    yield of_nodes([node("Shape", ["x"], ["s"]), node("Slice", ["s", "zero", "one"], ["b"]),
                    node("Concat", ["b", "minus"], ["t"], axis=0), node("Reshape", ["x", "t"], ["r"]),
                    node("Pad", ["r", "pads"], ["p"]), node("ReduceMean", ["p"], ["y"], axes=[1])],
                   [value("x", "float32", ["n", 2, 3])], value("y", "float32", ["n", 1]),
                   {"zero": np.array([0]), "one": np.array([1]), "minus": np.array([-1]),
                    "pads": np.array([0, 1, 0, 1])})
    yield of_nodes([node("Conv", ["x", "w"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
                    node("MaxPool", ["c"], ["m"], kernel_shape=[2, 2]),
                    node("Resize", ["m", "", "scales"], ["y"])],
                   [value("x", "float32", ["n", 2, 8, 8])], value("y", "float32", ["n", 3, 6, 6]),
                   {"w": floats(3, 2, 3, 3), "scales": np.float32([1, 1, 2, 2])})
    yield of_nodes([node("ReduceMax", ["x"], ["s"], keepdims=0), node("Cast", ["s"], ["c"], to=9),
                    node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)],
                   [value("x", "float32", ["n"])], value("y", "float32", ["n"]))
    yield of_nodes([node("LSTM", ["x", "w", "r"], ["y"], hidden_size=2)],
                   [value("x", "float32", [2, "b", 3])], value("y", "float32", [2, 1, "b", 2]),
                   {"w": floats(1, 8, 3), "r": floats(1, 8, 2)})


def mutant(contents, chance):
    data = bytearray(contents)
    if chance.random() < 0.1:
        return bytes(data[:chance.randrange(len(data))])
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        place = chance.randrange(len(data))
        change = chance.random()
        if change < 0.6:
            data[place] = chance.choice([0, 1, 2, 127, 128, 255, chance.randrange(256)])
        elif change < 0.8:
            data[place:place + chance.randrange(1, 9)] = b""
        else:
            data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 9)))
        if not data:
            break
    return bytes(data)


def test_mutants_are_refused_or_modules():
    """STRATA_MUTANTS: how many; 100000 take two minutes."""
    chance, models, refused = random.Random(11), list(sources()), 0
    count = int(os.environ.get("STRATA_MUTANTS", "10000"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(count):
        contents = mutant(models[number % len(models)], chance)
        begin = time.process_time()
        try:
            verify(load_onnx(contents))
        except st.Error:
            refused += 1
        assert time.process_time() - begin < 10, contents
    assert count / 2 < refused < count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20
