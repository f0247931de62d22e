"""Shapes, as programs return them."""

from __future__ import annotations


class Shape(tuple[int, ...]):
    """The extents of an array, as a value of a program. It is a tuple of ints, but programs
    distinguish it from a tuple of values.

        >>> Shape((2, 3))
        Shape(2, 3)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Shape({', '.join(map(str, self))})"
