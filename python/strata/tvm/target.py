"""Targets: programs are compiled for this CPU."""

from __future__ import annotations

from typing import Any

from ._missing import getter

__getattr__ = getter(__name__)


class Target:
    """Target("llvm") is this CPU; others are refused. `with target:` says so for what is inside."""

    _entered: list[Target] = []

    def __init__(self, target: Any, host: Any = None) -> None:
        self.kind = str(target).split()[0]
        if self.kind not in ("llvm", "c"):
            raise ValueError(f"there is no target {self.kind}: programs are compiled for this CPU, "
                             'Target("llvm"). strata.Function has commands for GPUs')

    @staticmethod
    def current(allow_none: bool = True) -> Target | None:
        """The innermost one that is entered."""
        if Target._entered or allow_none:
            return Target._entered[-1] if Target._entered else None
        raise ValueError("no target is entered: with Target(\"llvm\"):")

    def __enter__(self) -> Target:
        Target._entered.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        Target._entered.pop()

    def __repr__(self) -> str:
        return self.kind
