"""Instruments, which watch passes."""

from __future__ import annotations

from typing import Any

from ..graph import transform as _t
from ._missing import getter
from ._module import IRModule
from .transform import info_text

__getattr__ = getter(__name__)


class PassInstrument:
    """The base of instruments, with any of enter_pass_ctx, exit_pass_ctx, should_run(mod, info),
    run_before_pass(mod, info) and run_after_pass(mod, info)."""


class _Info:
    """What an instrument gets to know of a pass."""

    def __init__(self, info: _t.PassInfo) -> None:
        self.name, self.opt_level, self.required = info.name, info.opt_level, info.required

    def __repr__(self) -> str:
        return info_text(self.name, self.opt_level, self.required)


class _Watching:
    """An instrument of strata.graph that shows IRModules to one of TVM's."""

    def __init__(self, one: Any) -> None:
        for name in ("enter_pass_ctx", "exit_pass_ctx"):
            if hasattr(one, name):
                setattr(self, name, getattr(one, name))
        for name in ("should_run", "run_before_pass", "run_after_pass"):
            if hasattr(one, name):
                setattr(self, name, self._told(getattr(one, name)))

    @staticmethod
    def _told(method: Any) -> Any:
        return lambda module, info: method(IRModule.of_graph(module), _Info(info))


def watching(one: Any) -> Any:
    """An instrument as strata.graph takes it."""
    if isinstance(one, PassTimingInstrument):
        return one.times
    return _Watching(one)


def pass_instrument(pi_cls: Any = None) -> Any:
    """A class whose objects watch passes."""
    return (lambda cls: cls) if pi_cls is None else pi_cls


class PassTimingInstrument:
    """Times passes. render() gives a line for each pass, and forgets the times."""

    def __init__(self) -> None:
        self.times = _t.PassTimingInstrument()

    def render(self) -> str:
        return str(self.times.render())


class PassPrintingInstrument(PassInstrument):
    """Prints the names of passes before and after they run."""

    def __init__(self, print_before_pass_names: Any = (), print_after_pass_names: Any = ()) -> None:
        self.before, self.after = set(print_before_pass_names), set(print_after_pass_names)

    def run_before_pass(self, mod: Any, info: Any) -> None:
        if info.name in self.before:
            print(f"Print IR before: {info.name}\n{mod}")

    def run_after_pass(self, mod: Any, info: Any) -> None:
        if info.name in self.after:
            print(f"Print IR after: {info.name}\n{mod}")


class PrintBeforeAll(PassInstrument):
    """Prints the name and the module before each pass."""

    def run_before_pass(self, mod: Any, info: Any) -> None:
        print(f"Before Running Pass: {info}\n{mod}")


class PrintAfterAll(PassInstrument):
    """Prints the name and the module after each pass."""

    def run_after_pass(self, mod: Any, info: Any) -> None:
        print(f"After Running Pass: {info}\n{mod}")
