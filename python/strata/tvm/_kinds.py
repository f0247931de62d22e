"""Names of kinds of values, for isinstance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Kind(type):
    """The class of a kind. An object is of the kind if it is of the class _of and _holds is
    true."""

    _of: type
    _holds: Callable[[Any], bool]

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls._of) and cls._holds(value)


def kind(name: str, of: type, holds: Callable[[Any], bool],
         make: Callable[..., Any] | None = None) -> Any:
    """A kind. Calling it makes an object of the kind."""
    members: dict[str, Any] = {"_of": of, "_holds": staticmethod(holds)}
    if make:
        members["__new__"] = lambda cls, *given, **named: make(*given, **named)
    return Kind(name, (), members)
