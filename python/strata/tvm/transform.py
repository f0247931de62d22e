"""Passes, and the contexts that they run in."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..graph import transform as _t
from ._function import Function, with_functions
from ._missing import getter
from ._module import IRModule, shows_relay

__getattr__ = getter(__name__)


class Pass:
    """A pass of strata.graph on IRModules."""

    def __init__(self, graph: _t.Pass, made_of: Any = None) -> None:
        self.graph, self._made_of = graph, made_of

    @property
    def info(self) -> _t.PassInfo:
        return self.graph.info

    def __call__(self, mod: IRModule) -> IRModule:
        if not isinstance(mod, IRModule):
            raise TypeError(f"the pass {self.info.name} takes an IRModule: IRModule.from_expr(f)")
        before = shows_relay.set(mod.is_relay)
        try:
            return IRModule.of_graph(self.graph(mod.graph))
        finally:
            shows_relay.reset(before)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or self._made_of is None:
            raise AttributeError(f"the pass {self.graph.info.name} has no {name}")
        return getattr(self._made_of, name)

    def __repr__(self) -> str:
        return info_text(self.info.name, self.info.opt_level, self.info.required)


def info_text(name: str, opt_level: int, required: Sequence[str]) -> str:
    """TVM's text about a pass."""
    return (f"The meta data of the pass - pass name: {name}, opt_level: {opt_level}, "
            f"required passes: [{', '.join(required)}]")


def Sequential(passes: Sequence[Pass] = (), opt_level: int = 0, name: str = "sequential",
               required: Sequence[str] = ()) -> Pass:
    """Runs the passes that the current context enables."""
    for p in passes:
        if not isinstance(p, Pass):
            raise TypeError(f"Sequential: {p!r} is not a pass")
    return Pass(_t.Sequential([p.graph for p in passes], opt_level, name, required))


def PrintIR(header: str = "", show_meta_data: bool = False) -> Pass:
    """Prints the module at this point."""

    def print_module(mod: IRModule, ctx: Any) -> IRModule:
        print(f"PrintIR({header}):\n{mod}")
        return mod

    return _module_pass(print_module, 0, "PrintIR", ())


def _module_pass(f: Callable[..., Any], opt_level: int, name: str, required: Sequence[str],
                 made_of: Any = None) -> Pass:
    def run(graph: Any, context: Any) -> Any:
        made = f(IRModule.of_graph(graph), context)
        return made.graph if isinstance(made, IRModule) else made

    return Pass(_t.module_pass(run, opt_level=opt_level, name=name, required=required), made_of)


def _function_pass(f: Callable[..., Any], opt_level: int, name: str, required: Sequence[str],
                   made_of: Any = None) -> Pass:
    def run(graph: Any, module: Any, context: Any) -> Any:
        made = f(Function.of_graph(graph, module), IRModule.of_graph(module), context)
        if not isinstance(made, Function):
            return made
        return with_functions(module, {graph.name: made}).functions[graph.name]

    return Pass(_t.function_pass(run, opt_level=opt_level, name=name, required=required), made_of)


def _decorator(make: Callable[..., Pass], method: str, what: Any, opt_level: int | None,
               name: str | None, required: Sequence[str] | None) -> Any:
    if opt_level is None and what is None:
        raise ValueError("a pass has an opt_level")

    def decorate(what: Any) -> Any:
        chosen = (opt_level or 0, name or what.__name__, tuple(required or ()))
        if not inspect.isclass(what):
            return make(what, *chosen)

        def constructed(*args: Any, **kwargs: Any) -> Pass:
            made = what(*args, **kwargs)
            return make(lambda *given: getattr(made, method)(*given), *chosen, made)

        constructed.__name__, constructed.__doc__ = what.__name__, what.__doc__
        return constructed

    return decorate if what is None else decorate(what)


def module_pass(pass_func: Any = None, opt_level: int | None = None, name: str | None = None,
                required: Sequence[str] | None = None, traceable: bool = False) -> Any:
    """A pass of f(mod, ctx), or of a class with transform_module(self, mod, ctx)."""
    return _decorator(_module_pass, "transform_module", pass_func, opt_level, name, required)


def function_pass(pass_func: Any = None, opt_level: int | None = None, name: str | None = None,
                  required: Sequence[str] | None = None, traceable: bool = False) -> Any:
    """A pass of f(func, mod, ctx), or of a class with transform_function(self, func, mod, ctx)."""
    return _decorator(_function_pass, "transform_function", pass_func, opt_level, name, required)


class PassContext(_t.PassContext):
    """The context of passes, like strata.graph.transform.PassContext."""

    def __init__(self, opt_level: int = 2, required_pass: Sequence[str] = (),
                 disabled_pass: Sequence[str] = (), instruments: Sequence[Any] | None = None,
                 config: Any = None) -> None:
        super().__init__(opt_level, required_pass or (), disabled_pass or (), config,
                         _watching(instruments or ()))

    @staticmethod
    def current() -> Any:
        """The context of this thread."""
        return _Current()

    def override_instruments(self, instruments: Sequence[Any]) -> None:
        """Replaces the instruments: the old ones exit, and these enter."""
        super().override_instruments(_watching(instruments))


class _Current(_t._Current):
    def override_instruments(self, instruments: Sequence[Any]) -> None:
        super().override_instruments(_watching(instruments))


def _watching(instruments: Sequence[Any]) -> list[Any]:
    from .instrument import watching

    return [watching(one) for one in instruments]
