"""A program of Relay that several tests change by passes, and what it computes."""

import numpy as np

import strata.tvm as tvm
import strata.tvm.relay as relay
from graph_check import array

SIZES = dict(x=(1, 4, 7, 6), w=(4, 4, 3, 3), c=(1, 4, 5, 4))


def example():
    """conv2d, and sums of a constant: conv + (c + c) * 2, and c added to it twice."""
    c = relay.const(np.arange(80).reshape(SIZES["c"]).astype("float32"))
    x = relay.var("x", relay.TensorType(SIZES["x"], "float32"))
    w = relay.var("w", shape=SIZES["w"])
    window = relay.nn.conv2d(x, w)
    twice = relay.multiply(relay.add(c, c), relay.const(2, "float32"))
    y = relay.add(window, twice)
    left = relay.add(y, c)
    right = relay.add(y, c)
    return relay.Function([x, w], relay.add(left, right))


def module():
    return tvm.IRModule.from_expr(example())


def want(x, w):
    c = np.arange(80).reshape(SIZES["c"]).astype(np.float32)
    conv = sum(np.einsum("ncij,oc->noij", x[:, :, i:i + 5, j:j + 4], w[:, :, i, j])
               for i in range(3) for j in range(3))
    return 2 * (conv + 5 * c)


def check(mod):
    x, w = array(SIZES["x"]), array(SIZES["w"])
    got = relay.create_executor("graph", mod=mod).evaluate()(x, w)
    np.testing.assert_allclose(got.numpy(), want(x, w), rtol=1e-4, atol=1e-4)


HEAD = ("def @main(%x: Tensor[(1, 4, 7, 6), float32], %w: Tensor[(4, 4, 3, 3), float32]) -> "
        "Tensor[(1, 4, 5, 4), float32] {\n")
