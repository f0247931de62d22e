"""Functions of tensors that write their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..graph import GraphBuilder, Module, Tensor, TensorKernel, compile


class PrimFunc:
    """A kernel of strata.graph, with the order of its arguments: arrays that it reads, and arrays
    that it writes. Two kernels are equal if they compute the same."""

    def __init__(self, tensors: Sequence[Tensor], name: str = "main") -> None:
        self.tensors = list(tensors)
        self.name = name
        inputs = [t for t in self.tensors if _is_input(t)]
        outputs = [t for t in self.tensors if not _is_input(t)]
        builder = GraphBuilder()
        builder.add_kernel(name, inputs, outputs)
        self.module: Module = builder.module()

    @property
    def kernel(self) -> TensorKernel:
        return self.module.kernels[self.name]

    def named(self, name: str) -> PrimFunc:
        return self if name == self.name else PrimFunc(self.tensors, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrimFunc):
            return NotImplemented
        order = [[_is_input(t) for t in f.tensors] for f in (self, other)]
        return order[0] == order[1] and self.module == other.named(self.name).module

    def __hash__(self) -> int:
        return hash(PrimFunc(self.tensors).module if self.name != "main" else self.module)

    def script(self) -> str:
        return str(self.module)

    def show(self) -> None:
        print(self.script())

    def __repr__(self) -> str:
        return self.script()

    def built(self) -> Callable[..., None]:
        """A function of arrays, in the order of the arguments."""
        outputs = [t for t in self.tensors if not _is_input(t)]
        compiled = compile(outputs)

        def call(*arrays: Any) -> None:
            if len(arrays) != len(self.tensors):
                raise TypeError(f"{self.name} takes {len(self.tensors)} arrays, not {len(arrays)}")
            given = dict(zip(self.tensors, arrays))
            results = compiled(*(given[t] for t in compiled.arguments))
            for tensor, result in zip(outputs, results):
                numpy.asarray(given[tensor])[...] = numpy.asarray(result)

        return call


def _is_input(tensor: Tensor) -> bool:
    return tensor.op.kind == "placeholder"


def create_prim_func(ops: Sequence[Tensor]) -> PrimFunc:
    """The function with these tensors as arguments. It reads placeholders, and writes the
    others."""
    return PrimFunc(ops)
