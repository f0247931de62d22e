"""A model as a C library, called from Python by ctypes."""

import ctypes
import os
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).resolve().parent.parent.parent
RUNTIME = os.environ.get("STRATA_RUNTIME", SOURCE / "build/release/runtime/libstrata_runtime.a")


class Dimension(ctypes.Structure):
    _fields_ = [("min", ctypes.c_int32), ("extent", ctypes.c_int32), ("stride", ctypes.c_int32),
                ("flags", ctypes.c_uint32)]


class Buffer(ctypes.Structure):
    """strata_buffer (strata/runtime.h)."""
    _fields_ = [("device", ctypes.c_uint64), ("device_interface", ctypes.c_void_p),
                ("host", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("rank", ctypes.c_int32),
                ("dim", ctypes.POINTER(Dimension)), ("padding", ctypes.c_void_p)]


def buffer_of(array: np.ndarray) -> Buffer:
    """A dense array as an argument; the array must live as long."""
    dims = (Dimension * max(array.ndim, 1))()
    stride = 1
    for place, extent in enumerate(reversed(array.shape)):
        dims[place] = Dimension(0, extent, stride, 0)
        stride *= extent
    bits = 1 if array.dtype == bool else 8 * array.dtype.itemsize
    return Buffer(0, None, array.ctypes.data, 0, {"i": 0, "u": 1, "b": 1, "f": 2}[array.dtype.kind],
                  bits, 1, array.ndim, dims, None)


def rank_of(dims: str) -> int:
    """The number of dims in "n, max(m, 1)"."""
    depth, commas = 0, 0
    for c in dims:
        depth += (c == "(") - (c == ")")
        commas += c == "," and depth == 0
    return commas + 1 if dims.strip() else 0


class Library:
    """The function main of a model; `extents` are the extents of its inputs, in order."""

    def __init__(self, built: object, folder: str) -> None:
        built.save_library(folder, "model")
        subprocess.run(["cc", "-std=c99", "-O2", "-shared", "-fPIC", f"-I{SOURCE}/include",
                        f"{folder}/model.c", f"{folder}/model_kernels.a", RUNTIME, "-lpthread",
                        "-ldl", "-lm", "-o", f"{folder}/model.so"], check=True)
        self.code = ctypes.CDLL(f"{folder}/model.so")
        self.code.strata_last_error.restype = ctypes.c_char_p
        self.code.model_open.restype = ctypes.c_void_p
        self.model = ctypes.c_void_p(self.code.model_open(f"{folder}/model.weights".encode()))
        text = Path(folder, "model.h").read_text()
        comment = text[text.index("/* @main\n"):]
        self.types = re.findall(r"\* +\w+: Tensor\[\((.*)\), (\w+)\](, written)?\n",
                                comment[:comment.index("*/")])
        declared = re.search(r"int model_main\(([^)]*)\)", text)[1]
        self.symbols = re.findall(r"int64_t (\w+)", declared)

    def call(self, inputs: list[np.ndarray]):
        """A function without arguments that runs the model, and its results."""
        values = {}
        for (dims, _, _), array in zip(self.types, inputs):
            for name, extent in zip(dims.split(", "), array.shape):
                values.setdefault(re.sub(r"\W", "_", name), extent)
        symbols = [ctypes.c_int64(values[name]) for name in self.symbols]
        written = [(rank_of(dims), element) for dims, element, is_written in self.types if is_written]
        extents = [(ctypes.c_int64 * rank)() for rank, _ in written]
        self.require(self.code.model_main_shape(*symbols, *[e for e in extents if len(e)]))
        results = [np.empty(tuple(e), element) for e, (_, element) in zip(extents, written)]
        self.buffers = [buffer_of(array) for array in [*inputs, *results]]
        arguments = [self.model, *symbols, *map(ctypes.byref, self.buffers)]
        return lambda: self.require(self.code.model_main(*arguments)), results

    def require(self, code: int) -> None:
        if code != 0:
            raise RuntimeError(self.code.strata_last_error().decode())


def library(built: object, inputs: list[np.ndarray]):
    """A function that runs the model, and returns its first result."""
    folder = tempfile.TemporaryDirectory()
    made = Library(built, folder.name)
    dense = [np.ascontiguousarray(array).reshape(array.shape) for array in inputs]
    run, results = made.call(dense)

    def first() -> np.ndarray:
        run()
        return results[0]

    first.keeps = (folder, made, dense)
    return first
