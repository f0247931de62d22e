"""Passes over modules, contexts that gate them, and instruments that watch them.

    from strata.graph import transform

    @transform.function_pass(opt_level=1)
    def simplify(function, module, context):
        return transform.rewritten(function, lambda r, b: r.keep(b), module)

    pipeline = transform.Sequential([transform.FoldConstant(), simplify])
    with transform.PassContext(opt_level=3, disabled_pass=["FoldConstant"]):
        module = pipeline(module)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, overload

from .._strata import _graph
from .._strata._graph import Alteration as Alteration
from .._strata._graph import Binding, Block, GraphFunction, Module, TensorKernel, Value, ValueType
from .._strata._graph import Group as Group
from .._strata._graph import Pass as Pass
from .._strata._graph import PassInfo as PassInfo
from .._strata._graph import find_pass as find_pass
from .._strata._graph import register_option as register_option
from .._strata._graph import register_pass as register_pass
from .._strata._graph import rewritten as rewritten

Context = _graph.PassContext  # the context that passes get
# Layouts of tensors, or the layout of one. None leaves a tensor as it is.
Layouts = Sequence["str | None"]
Wanted = Callable[["dict[str, Any]", "list[Value]", ValueType],
                  "tuple[Layouts | None, Layouts | None] | None"]


def InferType() -> Pass:
    """Level 0: derives all types again and verifies; changes nothing."""
    return _graph.infer_type()


def ToANormalForm() -> Pass:
    """Level 1: changes nothing, since every program is in A-normal form."""
    return _graph.to_a_normal_form()


def DeadCodeElimination() -> Pass:
    """Level 1: drops bindings that nobody uses and that have no effects."""
    return _graph.dead_code_elimination()


def FoldConstant() -> Pass:
    """Level 2: computes pure calls with constant arguments in dataflow blocks."""
    return _graph.fold_constant()


def CombineParallelProducts() -> Pass:
    """Level 2: products of one tensor with several constants in dataflow blocks, as of queries, keys
    and values, become one product, and slices of it, if operators that move elements read these.
    Run FoldConstant after it, which concatenates the constants."""
    return _graph.combine_parallel_products()


def ChooseLayouts() -> Pass:
    """Level 2: tensors of dataflow blocks are stored as the kernels of sums of products read them
    best: constant factors in panels of columns, channels innermost where a window reads them. Run
    FoldConstant after it, which transforms the constants."""
    return _graph.choose_layouts()


def FuseOps(fuse_opt_level: int = -1) -> Pass:
    """Level 1: operators that may be computed together become one function with the attribute
    primitive=true, which is one kernel. At level 0 each operator gets a function of its own; -1 is
    the level of the context. The context's option FuseOps.max_depth bounds the operators of one
    function."""
    return _graph.fuse_ops(fuse_opt_level)


def FuseByBytes() -> Pass:
    """Level 1: as FuseOps. Then groups become one where a result of one can stay in a cache until
    the other one reads it. The context's options FuseOps.max_depth and FuseByBytes.max_stages bound
    the operators of one function, and those that reduce."""
    return _graph.fuse_by_bytes()


# The passes that build lowers by, in their order; all have level 0.

def ToNonDataflow() -> Pass:
    """Blocks are plain, and no variable is local."""
    return _graph.to_non_dataflow()


def CallKernelRewrite() -> Pass:
    """Arrays are made where kernels are called, and kernels write to them."""
    return _graph.call_kernel_rewrite()


def PlanMemory() -> Pass:
    """Arrays that do not live at once share a storage."""
    return _graph.plan_memory()


def MemoryLower() -> Pass:
    """Arrays without a storage get one of their own."""
    return _graph.memory_lower()


def KillAfterLastUse() -> Pass:
    """Arrays and storages are killed right after their last use."""
    return _graph.kill_after_last_use()


def ShapeLower() -> Pass:
    """Extents are numbers on a heap; what functions take and return is checked."""
    return _graph.shape_lower()


def text_of_groups(module: Module, fuse_opt_level: int = -1, *, by_bytes: bool = False) -> str:
    """The text of the module, with comments on the group that FuseOps(fuse_opt_level), or
    FuseByBytes, would put each binding into: its number, the kind of the operator, and whether it
    is the root."""
    return _graph.text_of_groups(module, fuse_opt_level, by_bytes)


def groups(module: Module, fuse_opt_level: int = -1, *, by_bytes: bool = False) -> list[Group]:
    """The groups that FuseOps(fuse_opt_level), or FuseByBytes, makes kernels. group.why() says for
    each edge whether it is fused, and by which rule; and for each member where its kernel computes
    it."""
    return _graph.groups_of(module, fuse_opt_level, by_bytes)


def FMARewrite() -> Pass:
    """Level 2: add(multiply(x, y), z) becomes ewise_fma(x, y, z)."""
    return _graph.fma_rewrite()


def EliminateCommonSubexpr(fskip: Callable[[Binding], object] | None = None) -> Pass:
    """Level 3: of equal pure calls, only the first one stays. Bindings with fskip(binding) stay
    too."""
    return _graph.eliminate_common_subexpr(fskip)


def alteration(callee: str, *, level: int = 10) -> Callable[[Wanted], Alteration]:
    """A decorator for what the calls of an operator want from AlterOpLayout. The function gets the
    attributes of a call, its operands, and the type of its result. It returns the layouts of the
    arguments and of the result, (["NCHW16c", None], "NCHW16c"), or None.

        @transform.alteration("conv2d")
        def blocked(attributes, arguments, result):
            return ["NCHW16c", "OIHW16i16o"], "NCHW16c"
    """
    return lambda function: _graph.alteration_of(callee, function, level)


def AlterOpLayout(alterations: Sequence[Alteration] = ()) -> Pass:
    """Level 3: stores the tensors of some operators by layouts, and those of readers of their
    results that can take the layout. Of the alterations of one operator, the highest level that
    wants something decides. layout_transform is put where producer and reader differ."""
    return _graph.alter_op_layout(list(alterations))


def PrintIR(header: str = "") -> Pass:
    """Prints the module at this point, after a header."""
    return _graph.print_ir(header)


def Sequential(passes: Sequence[Pass], opt_level: int = 0, name: str = "sequential",
               required: Sequence[str] = ()) -> Pass:
    """Runs the passes that the current context enables, each after the passes that it requires. It
    is a pass itself, and may be part of another Sequential."""
    return _graph.sequential(list(passes), _graph.pass_info(name, opt_level, list(required)))


F = TypeVar("F", contravariant=True)


class PassDecorator(Protocol[F]):
    """Makes a pass of a function F, or of a class: an instance's method, with the arguments kept."""

    @overload
    def __call__(self, function: F, /, *, opt_level: int = 0, name: str | None = None,
                 required: Sequence[str] = ()) -> Pass: ...

    @overload
    def __call__(self, function: type[Any], /, *, opt_level: int = 0, name: str | None = None,
                 required: Sequence[str] = ()) -> Callable[..., Pass]: ...

    @overload
    def __call__(self, /, *, opt_level: int = 0, name: str | None = None,
                 required: Sequence[str] = ()) -> PassDecorator[F]: ...


def _decorator(make: Callable[[PassInfo, Any], Pass], method: str, doc: str) -> Any:
    def decorate(function: Any = None, *, opt_level: int = 0, name: str | None = None,
                 required: Sequence[str] = ()) -> Any:
        if function is None:
            return functools.partial(decorate, opt_level=opt_level, name=name, required=required)
        info = _graph.pass_info(name or function.__name__, opt_level, list(required))
        if not inspect.isclass(function):
            return make(info, function)

        def constructed(*args: Any, **kwargs: Any) -> Pass:
            made = function(*args, **kwargs)
            return make(info, lambda *given: getattr(made, method)(*given))

        constructed.__name__, constructed.__doc__ = function.__name__, function.__doc__
        return constructed

    decorate.__name__ = decorate.__qualname__ = make.__name__
    decorate.__doc__ = doc
    return decorate


module_pass: PassDecorator[Callable[[Module, Context], Module]] = _decorator(
    _graph.module_pass, "transform_module",
    """A pass of f(module, context), or of a class with transform_module(self, module, context).""")

function_pass: PassDecorator[
    Callable[[GraphFunction, Module, Context], GraphFunction]] = _decorator(
    _graph.function_pass, "transform_function",
    """A pass of f(function, module, context) over each graph function, or of a class with
    transform_function(self, function, module, context). It returns a GraphFunction.""")

kernel_pass: PassDecorator[
    Callable[[TensorKernel, Module, Context], TensorKernel]] = _decorator(
    _graph.kernel_pass, "transform_kernel",
    """A pass of f(kernel, module, context) over each kernel, or of a class with
    transform_kernel(self, kernel, module, context). It returns a TensorKernel of the same name.""")

dataflow_pass: PassDecorator[Callable[[Block, Module, Context], Block]] = _decorator(
    _graph.dataflow_pass, "transform_dataflow",
    """A pass of f(block, module, context) over each dataflow block, or of a class with
    transform_dataflow(self, block, module, context). It returns a Block with the same outputs.""")

Watcher = TypeVar("Watcher")
Config = Mapping[str, "bool | int | float | str"]


def pass_instrument(cls: type[Watcher]) -> type[Watcher]:
    """A class whose objects watch passes, with any of enter_pass_ctx(self), exit_pass_ctx(self),
    should_run(self, module, info), run_before_pass(self, module, info) and
    run_after_pass(self, module, info)."""
    return cls


class _Current:
    """The current context of this thread."""

    opt_level: int
    required_pass: list[str]
    disabled_pass: list[str]
    config: Config

    def __init__(self) -> None:
        self._context = _graph.current_context()

    def override_instruments(self, instruments: Sequence[object]) -> None:
        """Replaces the instruments: the old ones exit, and these enter."""
        _graph.override_instruments(None, list(instruments))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


class PassContext:
    """`with PassContext(..):` is the context of the passes inside. An inner context shadows the
    outer one. Each thread has its own.

    A Sequential runs passes in required_pass, and passes of levels up to opt_level, but never those
    in disabled_pass. config gives options their values: E0606 for an unknown key, or a value of
    another type.
    """

    opt_level: int
    required_pass: list[str]
    disabled_pass: list[str]
    config: Config

    def __init__(self, opt_level: int = 2, required_pass: Sequence[str] = (),
                 disabled_pass: Sequence[str] = (), config: Config | None = None,
                 instruments: Sequence[object] = ()) -> None:
        self.instruments = list(instruments)
        self._context = _graph.pass_context(opt_level, list(required_pass), list(disabled_pass),
                                            dict(config or {}), self.instruments)

    @staticmethod
    def current() -> _Current:
        """The context of this thread, with opt_level, required_pass, disabled_pass, config and
        override_instruments."""
        return _Current()

    def override_instruments(self, instruments: Sequence[object]) -> None:
        """Replaces the instruments: the old ones exit, and these enter."""
        self.instruments = list(instruments)
        try:
            _graph.override_instruments(self._context, self.instruments)
        finally:
            self._forget()

    def __enter__(self) -> PassContext:
        try:
            _graph.enter_context(self._context)
        finally:
            self._forget()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            _graph.leave_context(self._context)
        finally:
            self._forget()

    def _forget(self) -> None:
        """An instrument that throws empties the list."""
        if self._context.num_instruments == 0:
            self.instruments = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


def PassTimingInstrument() -> _graph.PassTimes:
    """An instrument that times passes. render() gives a line for each pass, below the Sequential
    that ran it, and forgets the times."""
    return _graph.PassTimes()


def PrintBeforeAll() -> _graph.Instrument:
    """An instrument that prints the module before each pass."""
    return _graph.print_before()


def PrintAfterAll() -> _graph.Instrument:
    """An instrument that prints the module after each pass."""
    return _graph.print_after()
