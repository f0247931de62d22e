"""Layouts in Python: calls of packed tensors, and the pass that chooses layouts."""

import os
import pathlib
import re

import numpy as np
import pytest

import strata as st
from strata.graph import GraphBuilder, ValueType, ops, run, te, transform, variable, verify

n = te.var("n")


def calls(module):
    """The operators of main, in order."""
    return [str(binding.definition).split("(")[0]
            for block in module.functions["main"].body.blocks for binding in block.bindings]


def convolution():
    b = GraphBuilder()
    x = variable("x", ValueType.tensor((n, 16, 6, 6), "float32"))
    weights = np.arange(16 * 16 * 9, dtype=np.float32).reshape(16, 16, 3, 3) % 5
    with b.function("main", [x]):
        with b.dataflow():
            y = b.emit_output(ops.relu(ops.conv2d(x, weights, strides=[1, 1])))
        b.emit_function_output(y)
    return b.module()


def test_layouts_by_alterations():
    module = convolution()
    x = np.arange(16 * 36, dtype=np.float32).reshape(1, 16, 6, 6) % 7 - 3
    seen = []

    @transform.alteration("conv2d", level=20)
    def blocked(attributes, arguments, result):
        seen.append((attributes, [str(a.type) for a in arguments], str(result)))
        return ["NCHW4c", None], "NCHW8c"

    @transform.alteration("conv2d")
    def lower(attributes, arguments, result):
        raise AssertionError

    made = transform.AlterOpLayout([lower, blocked])(module)
    assert seen == [({"strides": [1, 1]},
                     ["Tensor[(n, 16, 6, 6), float32]", "Tensor[(16, 16, 3, 3), float32]"],
                     "Tensor[(n, 16, 4, 4), float32]")]
    verify(made)
    assert calls(made) == ["layout_transform", "conv2d", "relu", "layout_transform"]
    conv = made.functions["main"].body.blocks[0].bindings[1].definition
    assert conv.layouts == (["NCHW4c", "_"], ["NCHW8c"])
    assert str(conv).endswith("layouts (NCHW4c, _) -> (NCHW8c)")
    assert np.array_equal(run(made, "main", x), run(module, "main", x))

    @transform.alteration("conv2d")
    def nothing(attributes, arguments, result):
        return None

    assert transform.AlterOpLayout([nothing])(module) == module
    assert transform.AlterOpLayout()(module) == module


def test_an_alteration_may_change_the_weights_alone():
    x = np.arange(16 * 36, dtype=np.float32).reshape(1, 16, 6, 6) % 7 - 3
    for result in (None, [None], "_", []):
        weights = transform.alteration("conv2d")(lambda *_: ([None, "OIHW2o"], result))
        made = transform.AlterOpLayout([weights])(convolution())
        assert calls(made) == ["layout_transform", "conv2d", "relu"]
        assert np.array_equal(run(made, "main", x), run(convolution(), "main", x))


def test_alterations_that_do_not_fit():
    def refused(pattern, returned, callee="conv2d"):
        with pytest.raises(st.Error, match=pattern):
            change = transform.alteration(callee)(lambda *_: returned)
            transform.AlterOpLayout([change])(convolution())

    refused(r"E0605(.|\n)*returns 3, and no layouts", 3)
    refused(r"E0605(.|\n)*returns \[1, 2\]", [1, 2])
    refused(r"E0605(.|\n)*wants NHWX4c for argument 0: \"NHWX4c\" is not a layout: C has no outer",
            (["NHWX4c"], []))
    refused(r"E0605(.|\n)*wants NC4c for result 0: it is Tensor", ([], "NC4c"))
    refused(r"E0603(.|\n)*conv2d", ([], []), callee="conv2")
    with pytest.raises(st.Error, match=r"E0606(.|\n)*two alterations have level 10"):
        same = transform.alteration("relu")(lambda *_: None)
        transform.AlterOpLayout([same, same])
    with pytest.raises(ZeroDivisionError):
        fails = transform.alteration("conv2d")(lambda *_: 1 // 0)
        transform.AlterOpLayout([fails])(convolution())


def test_calls_with_layouts():
    x = variable("x", ValueType.tensor((n, 2, 3, 4), "float32"))
    packed = ops.relu(x).with_layouts(["NCW4c"], ["NWC"])
    assert packed.layouts == (["NCW4c"], ["NWC"]) and ops.relu(x).layouts is None
    b = GraphBuilder()
    with b.function("main", [x]):
        y = b.emit(packed)
        b.emit_function_output(y)
    assert str(y.type) == "Tensor[(n, 3, 8), float32]"
    value = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4) - 12
    wanted = np.maximum(value, 0).transpose(0, 2, 1, 3).reshape(1, 3, 8)
    assert np.array_equal(run(b.module(), "main", value), wanted)
    with pytest.raises(st.Error, match="E0602(.|\n)*is not a layout"):
        ops.relu(x).with_layouts(["NCW4"])
    with pytest.raises(TypeError, match="not a call of an operator"):
        x.with_layouts(["NCW4c"])


def test_the_program_of_the_page():
    page = pathlib.Path(os.environ["STRATA_SOURCE"], "docs", "graph.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page[page.index("## Layouts"):], re.DOTALL)
    names = {"transform": transform, "module": convolution()}
    exec(program, names)
    assert calls(names["packed"]) == ["layout_transform", "conv2d", "relu", "layout_transform"]


def windows_by_numpy(x, w, stride, pad, groups):
    """The convolution, one offset of the window after the other."""
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    per_group = w.shape[0] // groups
    out = [(extent - k) // stride + 1 for extent, k in zip(x.shape[2:], w.shape[2:], strict=True)]
    y = np.zeros((x.shape[0], w.shape[0], *out))
    for o in range(w.shape[0]):
        first = o // per_group * w.shape[1]
        for r in range(w.shape[2]):
            for s in range(w.shape[3]):
                part = x[:, first:first + w.shape[1], r:r + (out[0] - 1) * stride + 1:stride,
                         s:s + (out[1] - 1) * stride + 1:stride]
                y[:, o] += np.einsum("nchw,c->nhw", part, w[o, :, r, s])
    return y


@pytest.mark.parametrize(("channels", "size", "stride", "groups"),
                         [((3, 17), 15, 2, 1), ((17, 64), 7, 1, 1), ((64, 64), 14, 1, 64),
                          ((1, 64), 14, 1, 1)])
def test_layouts_that_kernels_wish(channels, size, stride, groups):
    """Convolutions by constants; channels are not always whole blocks."""
    inside, outside = channels
    draw = np.random.default_rng(3)
    v = draw.standard_normal((16, inside, 3, 3)).astype("float32")
    w = draw.standard_normal((outside, 16, 3, 3)).astype("float32")
    u = draw.standard_normal((outside, outside // groups, 3, 3)).astype("float32")
    b = GraphBuilder()
    x = variable("x", ValueType.tensor((n, inside, size, size), "float32"))
    with b.function("main", [x]):
        with b.dataflow():
            y = ops.relu(ops.conv2d(x, v, padding=[1, 1], strides=[stride, stride]))
            y = ops.conv2d(y, w, padding=[1, 1])
            y = b.emit_output(ops.conv2d(y, u, padding=[1, 1], groups=groups))
        b.emit_function_output(y)
    made = transform.FoldConstant()(transform.ChooseLayouts()(b.module()))
    verify(made)
    assert calls(made).count("layout_transform") == 2
    assert transform.ChooseLayouts()(made) == made
    array = draw.standard_normal((2, inside, size, size)).astype("float32")
    wanted = np.maximum(windows_by_numpy(array, v, stride, 1, 1), 0)
    wanted = windows_by_numpy(windows_by_numpy(wanted, w, 1, 1, 1), u, 1, 1, groups)
    assert np.abs(run(made, "main", array) - wanted).max() < 1e-5 * np.abs(wanted).max()
