"""Passes over modules, contexts that gate them, and instruments that watch them.

    from strata.graph import transform

    @transform.function_pass(opt_level=1)
    def simplify(function, module, context):
        return transform.rewritten(function, lambda r, b: r.keep(b), module)

    pipeline = transform.Sequential([transform.FoldConstant(), simplify])
    with transform.PassContext(opt_level=3, disabled_pass=["FoldConstant"]):
        module = pipeline(module)
"""

import inspect

from .._strata import _graph
from .._strata._graph import Alteration as Alteration
from .._strata._graph import Pass as Pass
from .._strata._graph import PassInfo as PassInfo
from .._strata._graph import find_pass as find_pass
from .._strata._graph import register_option as register_option
from .._strata._graph import register_pass as register_pass
from .._strata._graph import rewritten as rewritten


def InferType():
    """Level 0: derives all types again and verifies; changes nothing."""
    return _graph.infer_type()


def ToANormalForm():
    """Level 1: changes nothing, since every program is in A-normal form."""
    return _graph.to_a_normal_form()


def DeadCodeElimination():
    """Level 1: leaves out what nobody uses and what does nothing else."""
    return _graph.dead_code_elimination()


def FoldConstant():
    """Level 2: computes pure calls of constants in dataflow blocks."""
    return _graph.fold_constant()


def FuseOps(fuse_opt_level=-1):
    """Level 1: operators that may be computed together become one function with the attribute
    primitive=true, which is one kernel. At level 0 each has one of its own; -1 is the level of the
    context, whose option FuseOps.max_depth bounds the operators of one."""
    return _graph.fuse_ops(fuse_opt_level)


def FMARewrite():
    """Level 2: add(multiply(x, y), z) becomes ewise_fma(x, y, z)."""
    return _graph.fma_rewrite()


def EliminateCommonSubexpr(fskip=None):
    """Level 3: of equal pure calls the first one stays. fskip(binding) leaves bindings alone."""
    return _graph.eliminate_common_subexpr(fskip)


def alteration(callee, *, level=10):
    """A decorator: what the calls of an operator want of AlterOpLayout. The function gets the
    attributes of a call, its operands, and the type of its result, and returns how tensors are to be
    stored, or None: (["NCHW16c", None], "NCHW16c"), the layouts of the arguments and of the result.

        @transform.alteration("conv2d")
        def blocked(attributes, arguments, result):
            return ["NCHW16c", "OIHW16i16o"], "NCHW16c"
    """
    return lambda function: _graph.alteration_of(callee, function, level)


def AlterOpLayout(alterations=()):
    """Level 3: stores the tensors of some operators by layouts, and of what reads their results and
    bears the layout. Of the alterations of one operator, that of the highest level which wants
    something decides. layout_transform stands where producer and reader differ."""
    return _graph.alter_op_layout(list(alterations))


def PrintIR(header=""):
    """Prints the module, after a header, where it stands."""
    return _graph.print_ir(header)


def Sequential(passes, opt_level=0, name="sequential", required=()):
    """Runs the passes that the current context enables, each after those that it requires. It is a
    pass itself, and may stand in another one."""
    return _graph.sequential(list(passes), _graph.pass_info(name, opt_level, list(required)))


def _decorator(make, method, function, opt_level, name, required):
    """A pass of a function, or of a class: an instance's method, with the arguments kept."""

    def decorate(what):
        info = _graph.pass_info(name or what.__name__, opt_level, list(required))
        if not inspect.isclass(what):
            return make(info, what)

        def constructed(*args, **kwargs):
            made = what(*args, **kwargs)
            return make(info, lambda *given: getattr(made, method)(*given))

        constructed.__name__, constructed.__doc__ = what.__name__, what.__doc__
        return constructed

    return decorate if function is None else decorate(function)


def module_pass(function=None, *, opt_level=0, name=None, required=()):
    """A pass of f(module, context), or of a class with transform_module(self, module, context)."""
    return _decorator(_graph.module_pass, "transform_module", function, opt_level, name, required)


def function_pass(function=None, *, opt_level=0, name=None, required=()):
    """A pass of f(function, module, context) over each graph function, or of a class with
    transform_function(self, function, module, context). It returns a GraphFunction."""
    return _decorator(_graph.function_pass, "transform_function", function, opt_level, name,
                      required)


def kernel_pass(function=None, *, opt_level=0, name=None, required=()):
    """A pass of f(kernel, module, context) over each kernel, or of a class with
    transform_kernel(self, kernel, module, context). It returns a TensorKernel of the same name."""
    return _decorator(_graph.kernel_pass, "transform_kernel", function, opt_level, name, required)


def dataflow_pass(function=None, *, opt_level=0, name=None, required=()):
    """A pass of f(block, module, context) over each dataflow block, or of a class with
    transform_dataflow(self, block, module, context). It returns a Block with the same outputs."""
    return _decorator(_graph.dataflow_pass, "transform_dataflow", function, opt_level, name,
                      required)


def pass_instrument(cls):
    """A class whose objects watch passes, with any of enter_pass_ctx(self), exit_pass_ctx(self),
    should_run(self, module, info), run_before_pass(self, module, info) and
    run_after_pass(self, module, info)."""
    return cls


class _Current:
    """The context of this thread, as it is now."""

    def __init__(self):
        self._context = _graph.current_context()

    def override_instruments(self, instruments):
        """Others watch from now on: those before exit, these enter."""
        _graph.override_instruments(None, list(instruments))

    def __getattr__(self, name):
        return getattr(self._context, name)


class PassContext:
    """`with PassContext(..):` is what passes run in. The inner one shadows; each thread has its own.

    A Sequential runs passes that are in required_pass, or whose level is not above opt_level; and
    never those in disabled_pass. config gives options their values: E0606 an unknown key, or a value
    of another type.
    """

    def __init__(self, opt_level=2, required_pass=(), disabled_pass=(), config=None, instruments=()):
        self.instruments = list(instruments)
        self._context = _graph.pass_context(opt_level, list(required_pass), list(disabled_pass),
                                            dict(config or {}), self.instruments)

    @staticmethod
    def current():
        """That of this thread, with opt_level, required_pass, disabled_pass, config and
        override_instruments."""
        return _Current()

    def override_instruments(self, instruments):
        """Others watch from now on: those before exit, these enter."""
        self.instruments = list(instruments)
        try:
            _graph.override_instruments(self._context, self.instruments)
        finally:
            self._forget()

    def __enter__(self):
        try:
            _graph.enter_context(self._context)
        finally:
            self._forget()
        return self

    def __exit__(self, *_):
        try:
            _graph.leave_context(self._context)
        finally:
            self._forget()

    def _forget(self):
        """One that throws empties the list."""
        if self._context.num_instruments == 0:
            self.instruments = []

    def __getattr__(self, name):
        return getattr(self._context, name)


def PassTimingInstrument():
    """An instrument that takes the time of passes. render() gives a line for each, below the
    Sequential that ran it, and forgets them."""
    return _graph.PassTimes()


def PrintBeforeAll():
    """An instrument that prints the module before each pass."""
    return _graph.print_before()


def PrintAfterAll():
    """An instrument that prints the module after each pass."""
    return _graph.print_after()
