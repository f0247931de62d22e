"""Targets: programs are compiled for this CPU."""

from __future__ import annotations

import threading
from typing import Any

from ._missing import getter

__getattr__ = getter(__name__)


class Target:
    """Target("llvm") is this CPU; other targets are refused. `with target:` sets it inside."""

    _entered = threading.local()  # all: the targets that `with` has entered in this thread

    def __init__(self, target: Any, host: Any = None) -> None:
        self.kind = str(target).split()[0]
        if self.kind not in ("llvm", "c"):
            raise ValueError(f"there is no target {self.kind}: programs are compiled for this CPU, "
                             'Target("llvm"). strata.Function has commands for GPUs')

    @staticmethod
    def current(allow_none: bool = True) -> Target | None:
        """The innermost entered target."""
        entered = Target._stack()
        if entered or allow_none:
            return entered[-1] if entered else None
        raise ValueError('no target is entered: with Target("llvm"):')

    @staticmethod
    def _stack() -> list[Target]:
        if not hasattr(Target._entered, "all"):
            Target._entered.all = []
        stack: list[Target] = Target._entered.all
        return stack

    def __enter__(self) -> Target:
        Target._stack().append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        Target._stack().pop()

    def __repr__(self) -> str:
        return self.kind
