"""The operators."""

from __future__ import annotations

from typing import Any

from ._values import operator as _operator


class _Nn:
    """The operators of neural networks."""

    def __getattr__(self, name: str) -> Any:
        return _operator(f"nn.{name}" if name == "matmul" else name)


nn = _Nn()


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return _operator(name)
