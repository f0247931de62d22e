"""Builds programs: a module of functions, binding by binding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NoReturn, TypeVar

from .._strata import Code, _graph
from .._strata._graph import Body, Value

T = TypeVar("T")
Do = Callable[[], object]


def _refuse_branch(explanation: str, mend: str) -> NoReturn:
    _graph.refuse(Code.E0601_malformed_graph, "a branch", explanation, mend)


class _Scope(Generic[T]):
    """A scope: a with statement opens and closes it, or abandons it if an exception leaves it."""

    def __init__(self, begin: Do, end: Do, abandon: Do, what: T) -> None:
        self._begin, self._end, self._abandon, self._what = begin, end, abandon, what

    def __enter__(self) -> T:
        self._begin()
        return self._what

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._abandon()
            return
        try:
            self._end()
        except BaseException:
            self._abandon()
            raise


class Branch:
    """The two sides of a branch, each a scope that gives its result."""

    def __init__(self, builder: GraphBuilder, condition: object) -> None:
        self._builder, self._condition = builder, condition
        self._bodies: dict[str, Body] = {}
        self._results: dict[str, object] = {}
        self._open: str | None = None  # the side that is being built
        self._value: Value | None = None

    @property
    def value(self) -> Value:
        """The variable of the branch, after its with statement."""
        if self._value is None:
            _refuse_branch("it has no value yet", "take it after the with statement")
        return self._value

    def then(self) -> _Scope[None]:
        """`with branch.then():` has the bindings for a condition that holds."""
        return self._side("then")

    def otherwise(self) -> _Scope[None]:
        """`with branch.otherwise():` has the bindings for a condition that does not hold."""
        return self._side("otherwise")

    def result(self, value: object) -> None:
        """Gives the value of the side that is open."""
        if self._open is None or self._open in self._results:
            _refuse_branch("a result is given twice, or outside of a side",
                                 "give each side one result")
        self._results[self._open] = value

    def _side(self, name: str) -> _Scope[None]:
        def begin() -> None:
            if self._open is not None or name in self._bodies or self._value is not None:
                _refuse_branch(f"the side {name} begins twice, or inside of the other",
                                     "build each side once")
            self._builder._begin_branch()
            self._open = name

        def end() -> None:
            if name not in self._results:
                _refuse_branch(f"the side {name} has no result", "call branch.result(value)")
            self._bodies[name] = self._builder._end_branch(self._results[name])
            self._open = None

        def abandon() -> None:
            self._builder._abandon_branch()
            self._results.pop(name, None)
            self._open = None

        return _Scope(begin, end, abandon, None)

    def _begin(self) -> None:
        if isinstance(self._condition, Value) and self._condition.is_call:
            self._condition = self._builder.emit(self._condition)

    def _emit(self) -> None:
        for name in ("then", "otherwise"):
            if name not in self._bodies:
                _refuse_branch(f"there is no side {name}", f"build it: with branch.{name}():")
        self._value = self._builder._emit_branch(self._condition, self._bodies["then"],
                                                 self._bodies["otherwise"])


class GraphBuilder(_graph.GraphBuilder):
    """Builds a module, starting from another one or from nothing.

        b = GraphBuilder()
        x = variable("x", ValueType.tensor((n, m), "float32"))
        with b.function("main", [x]):
            with b.dataflow():
                y = b.emit_output(ops.add(ops.exp(x), x))
            b.emit_function_output(y)
        module = b.module()

    If an exception leaves a function, a block or a side of a branch, the builder drops it, and
    stays usable. Its own errors are E0601.
    """

    def function(self, name: str, parameters: Sequence[Value] | None = None) -> _Scope[None]:
        """`with b.function(name, parameters):` builds a graph function of these variables. Inside,
        make bindings, and call emit_function_output once."""
        return _Scope(lambda: self._begin_function(name, parameters), self._end_function,
                      self._abandon_function, None)

    def dataflow(self) -> _Scope[None]:
        """`with b.dataflow():` holds the bindings of a pure block: without branches, and without
        packed calls that are not marked as pure. Only the variables of emit_output are seen
        outside."""
        return _Scope(self._begin_dataflow, self._end_dataflow, self._abandon_dataflow,
                      None)

    def branch(self, condition: object) -> _Scope[Branch]:
        """Chooses one of two values by a condition, which is a boolean tensor of rank 0.

            with b.branch(condition) as branch:
                with branch.then():
                    branch.result(b.emit(ops.exp(x)))
                with branch.otherwise():
                    branch.result(x)
            y = branch.value
        """
        branch = Branch(self, condition)
        return _Scope(branch._begin, branch._emit, lambda: None, branch)

    def emit_te(self, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Value:
        """Binds a call of the kernel of f(*args, **kwargs). f gets tensors for values, also inside
        lists, tuples and dictionaries, and returns a tensor or a list of tensors.

        The kernel gets the name of f, or te_func if f has none, unless the module has an equal
        kernel. Symbols of the kernel that are not extents of its arguments are passed as integers.
        Errors: E0602 if the extents of a value are unknown; match_shape gives them.
        """
        inputs = _graph.TensorInputs()

        def tensors(argument: Any) -> Any:
            if isinstance(argument, Value):
                return inputs.argument(argument)
            if isinstance(argument, dict):
                return {key: tensors(value) for key, value in argument.items()}
            if isinstance(argument, (list, tuple)):
                items = [tensors(item) for item in argument]
                is_named = hasattr(argument, "_fields")  # a namedtuple
                return type(argument)(*items) if is_named else type(argument)(items)
            return argument

        given = [tensors(argument) for argument in args]
        result = f(*given, **tensors(kwargs))
        name = getattr(f, "__name__", "<lambda>")
        return self._emit_kernel("te_func" if name == "<lambda>" else name, inputs, result)
