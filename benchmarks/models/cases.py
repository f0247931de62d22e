"""Models and parts of models in the format ONNX, with weights by a fixed seed.

    python cases.py FOLDER      writes each as FOLDER/NAME.onnx, and its inputs as FOLDER/NAME.npz
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Writer:
    """Writes one graph: nodes, and constants drawn as they are asked for."""

    def __init__(self, seed: int = 1):
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.inputs: dict[str, tuple[object, ...]] = {}

    def input(self, name: str, *dims: object) -> str:
        self.inputs[name] = dims
        return name

    def constant(self, array: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, *dims: int, summed: int = 1) -> str:
        drawn = self.random.normal(0, summed ** -0.5, dims)
        return self.constant(drawn.astype(np.float32))

    def positive(self, *dims: int) -> str:
        return self.constant(self.random.uniform(0.5, 1.5, dims).astype(np.float32))

    def scalar(self, value: float) -> str:
        return self.constant(np.float32(value))

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def linear(self, x: str, given: int, made: int) -> str:
        return self.op("Add", self.op("MatMul", x, self.weight(given, made, summed=given)),
                       self.weight(made))

    def norm(self, x: str, width: int) -> str:
        return self.op("LayerNormalization", x, self.positive(width), self.weight(width), axis=-1)

    def gelu(self, x: str) -> str:
        erf = self.op("Erf", self.op("Div", x, self.scalar(2**0.5)))
        return self.op("Mul", self.op("Mul", x, self.op("Add", erf, self.scalar(1))),
                       self.scalar(0.5))

    def conv(self, x: str, given: int, made: int, group: int = 1) -> str:
        w = self.weight(made, given // group, 3, 3, summed=given // group * 9)
        return self.op("Conv", x, w, kernel_shape=[3, 3], pads=[1] * 4, group=group)

    def batch_norm(self, x: str, channels: int) -> str:
        return self.op("BatchNormalization", x, self.positive(channels), self.weight(channels),
                       self.weight(channels), self.positive(channels))

    def softmax_of_products(self, q: str, k: str, v: str, width: int, mask: str = "") -> str:
        scores = self.op("Div", self.op("MatMul", q, k), self.scalar(width**0.5))
        if mask:
            scores = self.op("Add", scores, mask)
        return self.op("MatMul", self.op("Softmax", scores, axis=-1), v)

    def heads(self, x: str, heads: int, width: int) -> str:
        shape = self.constant(np.array([0, heads, width]))
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[1, 0, 2])

    def attention(self, x: str, heads: int, width: int, mask: str = "") -> str:
        total = heads * width
        q, k, v = (self.heads(self.linear(x, total, total), heads, width) for _ in range(3))
        mixed = self.softmax_of_products(q, self.op("Transpose", k, perm=[0, 2, 1]), v, width, mask)
        flat = self.op("Reshape", self.op("Transpose", mixed, perm=[1, 0, 2]),
                       self.constant(np.array([0, total])))
        return self.linear(flat, total, total)

    def model(self, result: str) -> onnx.ModelProto:
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(dims))
                  for name, dims in self.inputs.items()]
        out = helper.make_tensor_value_info(result, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "model", values, [out], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        model = onnx.shape_inference.infer_shapes(model)
        onnx.checker.check_model(model)
        return model


def chain(w: Writer) -> str:
    x = w.input("x", "n", 32768)
    y = w.op("Exp", w.op("Mul", w.op("Add", x, w.scalar(1)), w.scalar(0.5)))
    y = w.op("Sub", w.op("Mul", y, y), w.scalar(0.1))
    return w.op("Sqrt", w.op("Abs", w.op("Add", y, x)))


def add_norm(w: Writer) -> str:
    return w.norm(w.op("Add", w.input("x", "n", 1024), w.input("y", "n", 1024)), 1024)


def softmax(w: Writer) -> str:
    return w.op("Softmax", w.input("x", "n", 1000), axis=-1)


def dense_relu(w: Writer) -> str:
    return w.op("Relu", w.linear(w.input("x", "n", 384), 384, 1536))


def dense_gelu_norm(w: Writer) -> str:
    return w.norm(w.gelu(w.linear(w.input("x", "n", 384), 384, 1536)), 1536)


def conv_norm_relu(w: Writer) -> str:
    return w.op("Relu", w.batch_norm(w.conv(w.input("x", 1, 64, 56, 56), 64, 64), 64))


def depthwise_relu(w: Writer) -> str:
    return w.op("Relu", w.conv(w.input("x", 1, 96, 80, 80), 96, 96, group=96))


def products_of_rows(w: Writer) -> str:
    return w.softmax_of_products(w.input("q", "n", 64), w.input("k", 64, "m"),
                                 w.input("v", "m", 64), 64)


def perceptron(w: Writer) -> str:
    y = w.op("Relu", w.linear(w.input("x", "n", 784), 784, 512))
    return w.linear(w.op("Relu", w.linear(y, 512, 256)), 256, 10)


def residual(w: Writer, channels: int, size: int) -> str:
    x = w.input("x", 1, channels, size, size)
    y = w.op("Relu", w.batch_norm(w.conv(x, channels, channels), channels))
    return w.op("Relu", w.op("Add", w.batch_norm(w.conv(y, channels, channels), channels), x))


def lstm(w: Writer) -> str:
    x = w.input("x", 100, 1, 256)
    return w.op("LSTM", x, w.weight(1, 1024, 256, summed=256), w.weight(1, 1024, 256, summed=256),
                w.weight(1, 2048), hidden_size=256)


def attention(w: Writer) -> str:
    return w.attention(w.input("x", "n", 768), 12, 64)


def masked_attention(w: Writer) -> str:
    return w.attention(w.input("x", "n", 768), 12, 64, w.input("mask", "n", "n"))


def one_token(w: Writer) -> str:
    return w.softmax_of_products(w.input("q", 12, 1, 64), w.input("k", 12, 64, "m"),
                                 w.input("v", 12, "m", 64), 64)


def product_of_row(w: Writer) -> str:
    return w.linear(w.input("x", 1, 1024), 1024, 4096)


# Each case, and the sizes of its symbols.
CASES: dict[str, tuple[Callable[[Writer], str], dict[str, int]]] = {
    "chain of 8": (chain, {"n": 128}),
    "add, layer_norm": (add_norm, {"n": 1024}),
    "softmax": (softmax, {"n": 1024}),
    "dense, relu": (dense_relu, {"n": 128}),
    "dense, gelu, layer_norm": (dense_gelu_norm, {"n": 128}),
    "conv, batch_norm, relu": (conv_norm_relu, {}),
    "depthwise conv, relu": (depthwise_relu, {}),
    "product, softmax, product": (products_of_rows, {"n": 512, "m": 512}),
    "perceptron, 1 row": (perceptron, {"n": 1}),
    "perceptron, 64 rows": (perceptron, {"n": 64}),
    "residual block, 64 x 56": (lambda w: residual(w, 64, 56), {}),
    "residual block, 256 x 14": (lambda w: residual(w, 256, 14), {}),
    "lstm, 100 steps": (lstm, {}),
    "attention": (attention, {"n": 128}),
    "attention with mask": (masked_attention, {"n": 128}),
    "one token, 1024 keys": (one_token, {"m": 1024}),
    "product of a row": (product_of_row, {}),
}


def write(name: str, folder: Path) -> None:
    make, sizes = CASES[name]
    writer = Writer()
    onnx.save(writer.model(make(writer)), folder / f"{name}.onnx")
    drawn = np.random.default_rng(2)
    arrays = {key: drawn.normal(0, 1, [sizes.get(d, d) for d in dims]).astype(np.float32)
              for key, dims in writer.inputs.items()}
    np.savez(folder / f"{name}.npz", **arrays)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        write(name, folder)
