"""FuseOps in programs for TVM: the text of fused modules is Relay's."""

import re

import numpy as np

import strata.tvm as tvm
import strata.tvm.relay as relay
from tvm_example import HEAD, check, module

TYPE = "Tensor[(1, 4, 5, 4), float32]"
OPERANDS = ("%p0: Tensor[(1, 4, 7, 6), float32], %p1: Tensor[(4, 4, 3, 3), float32], "
            f"%p2: {TYPE}, %p3: {TYPE}")
FUSED = HEAD + f"""\
  %4 = fn ({OPERANDS}, Primitive=1) -> {TYPE} {{
    %0 = nn.conv2d(%p0, %p1, padding=[0, 0, 0, 0]);
    %1 = add(%0, %p2);
    %2 = add(%1, %p3);
    %3 = add(%1, %p3);
    add(%2, %3)
  }};
  %4(%x, %w, meta[relay.Constant][0], meta[relay.Constant][1])
}}
"""
SHARED_FUSED = HEAD + f"""\
  %3 = fn ({OPERANDS}, Primitive=1) -> {TYPE} {{
    %0 = nn.conv2d(%p0, %p1, padding=[0, 0, 0, 0]);
    %1 = add(%0, %p2);
    %2 = add(%1, %p3);
    add(%2, %2)
  }};
  %3(%x, %w, meta[relay.Constant][0], meta[relay.Constant][1])
}}
"""
ALONE = HEAD + f"""\
  %0 = fn (%p0: Tensor[(1, 4, 7, 6), float32], %p1: Tensor[(4, 4, 3, 3), float32], Primitive=1) -> {TYPE} {{
    nn.conv2d(%p0, %p1, padding=[0, 0, 0, 0])
  }};
  %1 = %0(%x, %w);
  %2 = fn (%p01: {TYPE}, %p11: {TYPE}, Primitive=1) -> {TYPE} {{
    add(%p01, %p11)
  }};
  %3 = %2(%1, meta[relay.Constant][0]);
  %4 = fn (%p02: {TYPE}, %p12: {TYPE}, Primitive=1) -> {TYPE} {{
    add(%p02, %p12)
  }};
  %5 = %4(%3, meta[relay.Constant][1]);
  %6 = fn (%p03: {TYPE}, Primitive=1) -> {TYPE} {{
    add(%p03, %p03)
  }};
  %6(%5)
}}
"""


def test_fused_modules_have_relays_text():
    shared = relay.transform.EliminateCommonSubexpr()(relay.transform.FoldConstant()(module()))
    alone = relay.transform.FuseOps(fuse_opt_level=0)(shared)
    assert str(alone) == ALONE
    seq = tvm.transform.Sequential([relay.transform.FoldConstant(),
                                    relay.transform.EliminateCommonSubexpr(),
                                    relay.transform.FuseOps(fuse_opt_level=2)])
    assert str(seq(module())) == FUSED
    with tvm.transform.PassContext(opt_level=3):
        fused = seq(module())
        assert str(fused) == SHARED_FUSED
        assert repr(fused["main"]) == SHARED_FUSED.replace("def @main", "fn ")
        assert relay.transform.FuseOps(fuse_opt_level=2)(fused) == fused
    with tvm.transform.PassContext(opt_level=3, disabled_pass=["EliminateCommonSubexpr"]):
        assert str(seq(module())) == FUSED
    with tvm.transform.PassContext(config={"relay.FuseOps.max_depth": 1}):
        assert str(relay.transform.FuseOps()(shared)) == ALONE
    for made in (alone, fused):
        check(made)
    assert fused["main"].attrs == {} and fused["fused_conv2d_add_add_add"].attrs == {"Primitive": 1}


def test_the_two_programs_of_fuse_ops():
    """A chain becomes one function of two parameters; pools end groups."""
    def divided(data, c):
        return relay.nn.relu(relay.multiply(relay.divide(data, c), relay.const(2, "float32")))

    data = relay.var("data", shape=(10,))
    c = relay.const(np.arange(1, 11).astype("float32"))
    fused = relay.transform.FuseOps()(tvm.IRModule.from_expr(
        relay.Function([data], divided(data, c))))
    assert str(fused) == """\
def @main(%data: Tensor[(10), float32]) -> Tensor[(10), float32] {
  %2 = fn (%p0: Tensor[(10), float32], %p1: Tensor[(10), float32], Primitive=1) -> Tensor[(10), float32] {
    %0 = divide(%p0, %p1);
    %1 = multiply(%0, 2f);
    nn.relu(%1)
  };
  %2(%data, meta[relay.Constant][0])
}
"""
    data = relay.var("data", shape=(1, 3, 4, 4))
    y = divided(data, relay.const(np.ones((1, 3, 4, 4), "float32")))
    for _ in range(2):
        y = relay.nn.relu(relay.nn.max_pool2d(y, pool_size=(2, 2), strides=(2, 2)))
    fused = relay.transform.FuseOps()(tvm.IRModule.from_expr(relay.Function([data], y)))
    bodies = [re.findall(r"[\w.]+(?=\(%)", text) for text in re.findall(
        r"Primitive=1.*?\n  }", str(fused), re.DOTALL)]
    assert bodies == [["divide", "multiply", "nn.relu"], ["nn.max_pool2d", "nn.relu"],
                      ["nn.max_pool2d", "nn.relu"]]
