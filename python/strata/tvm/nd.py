"""Arrays."""

from __future__ import annotations

from typing import Any

import numpy

from ._build import NDArray as NDArray
from ._missing import getter

__getattr__ = getter(__name__)


def array(arr: Any, device: Any = None) -> NDArray:
    """A copy of an array."""
    return numpy.array(arr).view(NDArray)


def empty(shape: Any, dtype: str = "float32", device: Any = None) -> NDArray:
    """An array, of zeros."""
    return numpy.zeros(shape, dtype).view(NDArray)
