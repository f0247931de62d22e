"""AlterOpLayout, as programs for TVM write it."""

import numpy as np
import pytest

import strata as st
import strata.tvm as tvm
import strata.tvm.relay as relay
from graph_check import array
from strata.tvm import _alterations

SIZES = dict(x=(1, 32, 7, 6), w=(32, 32, 3, 3), c=(1, 32, 5, 4))
HEAD = ("def @main(%x: Tensor[(1, 32, 7, 6), float32], %w: Tensor[(32, 32, 3, 3), float32]) -> "
        "Tensor[(1, 32, 5, 4), float32] {\n")


@pytest.fixture(autouse=True)
def nothing_registered():
    _alterations._registered.clear()


def module():
    c = relay.const(np.arange(640).reshape(SIZES["c"]).astype("float32"))
    x = relay.var("x", relay.TensorType(SIZES["x"], "float32"))
    w = relay.var("w", shape=SIZES["w"])
    y = relay.multiply(relay.add(c, c), relay.const(2, "float32"))
    y = relay.add(relay.nn.conv2d(x, w), y)
    return tvm.IRModule.from_expr(
        relay.Function([x, w], relay.add(relay.add(y, c), relay.add(y, c))))


def value(mod, x, w):
    return np.asarray(relay.create_executor("graph", mod=mod).evaluate()(x, w))


def altered(mod):
    seq = tvm.transform.Sequential([relay.transform.AlterOpLayout()])
    with tvm.transform.PassContext(opt_level=3):
        with tvm.target.Target("llvm"):
            return seq(mod)


def same(mod, other):
    x, w = array(SIZES["x"]), array(SIZES["w"])
    np.testing.assert_allclose(value(mod, x, w), value(other, x, w), rtol=1e-4, atol=1e-3)


def test_the_data_of_a_convolution_in_blocks():
    @relay.op.register_alter_op_layout("nn.conv2d", level=101)
    def alter_conv2d(attrs, inputs, tinfos, out_type):
        data, weight = inputs
        assert [t.shape for t in tinfos] == [SIZES["x"], SIZES["w"]]
        assert out_type.shape == SIZES["c"]
        new_attrs = dict(attrs)
        new_attrs["data_layout"] = "NCHW16c"
        return relay.nn.conv2d(data, weight, **new_attrs)

    mod = module()
    made = altered(mod)
    to = 'src_layout="NCHW", dst_layout="NCHW16c"'
    back = 'src_layout="NCHW16c", dst_layout="NCHW"'
    assert str(made) == HEAD + f"""\
  %0 = layout_transform(%x, {to});
  %1 = add(meta[relay.Constant][0], meta[relay.Constant][0]);
  %2 = multiply(%1, 2f);
  %3 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0], data_layout="NCHW16c");
  %4 = layout_transform(%2, {to});
  %5 = add(%3, %4);
  %6 = layout_transform(meta[relay.Constant][0], {to});
  %7 = add(%5, %6);
  %8 = add(%5, %6);
  %9 = add(%7, %8);
  layout_transform(%9, {back})
}}
"""
    same(made, mod)
    assert altered(made) == made and str(mod) == str(module())
    conv = made["main"].body.args[0].args[0].args[0].args[0]
    assert conv.attrs.data_layout == "NCHW16c" and conv.attrs.kernel_layout == "OIHW"
    assert conv.checked_type.shape == (1, 2, 5, 4, 16)
    assert relay.ExprMutator().visit(made["main"]) == made["main"]
    folded = relay.transform.FoldConstant()(made)
    assert str(folded).count("layout_transform(") == 2
    same(folded, mod)
    # At the level of the default context the pass is not run.
    assert tvm.transform.Sequential([relay.transform.AlterOpLayout()])(mod) == mod


def test_the_weights_alone():
    @relay.op.register_alter_op_layout("nn.conv2d")
    def weights(attrs, inputs, tinfos, out_type):
        return relay.nn.conv2d(*inputs, **{**attrs, "kernel_layout": "OIHW16o"})

    made = altered(module())
    assert str(made).count("layout_transform(") == 1 and 'kernel_layout="OIHW16o")' in str(made)
    same(made, module())


def test_levels_weights_and_alterations_that_want_nothing():
    @tvm.ir.register_op_attr("nn.conv2d", "FTVMAlterOpLayout", level=11)
    def nothing(attrs, inputs, tinfos, out_type):
        return None

    assert altered(module()) == module()

    @tvm.ir.register_op_attr("nn.conv2d", "FTVMAlterOpLayout", level=10)
    def packed(attrs, inputs, tinfos, out_type):
        return relay.nn.conv2d(*inputs, **{**attrs, "data_layout": "NCHW16c",
                                           "kernel_layout": "OIHW16i16o"})

    made = altered(module())
    assert ('layout_transform(%w, src_layout="OIHW", dst_layout="OIHW16i16o")') in str(made)
    assert 'data_layout="NCHW16c", kernel_layout="OIHW16i16o")' in str(made)
    same(made, module())


def test_mistakes():
    tvm.ir.register_op_attr("nn.conv2d", "FTVMAlterOpLayout", lambda *_: relay.const(1.0))
    with pytest.raises(TypeError, match="return the same call with other layouts"):
        altered(module())

    def strides(attrs, inputs, tinfos, out_type):
        return relay.nn.conv2d(*inputs, **{**attrs, "strides": (2, 2)})

    tvm.ir.register_op_attr("nn.conv2d", "FTVMAlterOpLayout", strides)
    with pytest.raises(TypeError, match="return the same call with other layouts"):
        altered(module())
    with pytest.raises(ValueError, match="TOpPattern is not here"):
        tvm.ir.register_op_attr("nn.conv2d", "TOpPattern", 2)
    with pytest.raises(AttributeError, match="has no nn.conv; instead: there is nn.conv2d"):
        relay.op.register_alter_op_layout("nn.conv")
    with pytest.raises(st.Error, match="data_layout='NCHW16c' is not here"):
        relay.nn.conv2d(relay.var("x", shape=SIZES["x"]), relay.var("w", shape=SIZES["w"]),
                        data_layout="NCHW16c")
