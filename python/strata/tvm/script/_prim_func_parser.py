"""A T.prim_func, from its syntax tree to tensors."""

from __future__ import annotations

import ast
import inspect
import types
from typing import Any, NamedTuple

import strata as st

from ... import graph as g
from ...graph import te
from .._dims import var as symbol
from .._prim_func import PrimFunc
from ..tir import max_value, min_value
from ._source import SYMBOL, Source, Statements, element_type


class Loop(NamedTuple):
    """lower <= name < upper"""

    lower: Any
    upper: Any


class Buffer:
    """An array of the script. Reading it makes an access of the tensor that it holds."""

    def __init__(self, name: str, shape: tuple[Any, ...], dtype: str) -> None:
        self.name, self.shape, self.dtype = name, shape, dtype
        self.tensor: g.Tensor | None = None

    def __getitem__(self, indices: Any) -> Any:
        if self.tensor is None:
            raise LookupError(self.name)
        return self.tensor[indices]


class Axis:
    """T.axis: the names that a block gives to the iterators of loops."""

    @staticmethod
    def spatial(extent: Any, value: Any) -> Any:
        return value

    @staticmethod
    def remap(kinds: str, values: list[Any]) -> Any:
        return values

    reduce = S = R = spatial


def parsed(function: types.FunctionType) -> PrimFunc:
    """The function of tensors that the text describes."""
    return _Parser(Source(function)).function()


# Reductions by the operation of a store, and the initial value of each.
_REDUCTIONS: dict[str, Any] = {"Add": (te.sum, lambda dtype: 0), "Mult": (te.prod, lambda dtype: 1),
                               "max": (te.max, min_value), "min": (te.min, max_value)}


class _Parser(Statements):
    instead = "write loops, blocks, and stores to whole buffers"

    def __init__(self, source: Source) -> None:
        self.source = source
        self.node: Any = source.node
        self.names: dict[str, Any] = {}  # symbols, buffers, iterators
        self.loops: dict[str, Loop] = {}  # open loops, by the names of their iterators
        self.loop_of: dict[str, str] = {}  # the loop of each name in the open block
        self.parameters: dict[str, Buffer | None] = {}
        self.initial: dict[str, ast.expr] = {}  # buffers that T.init has set, in the open block
        self.written = {target.value.id for part in ast.walk(self.node)
                        for target in _targets(part)}

    def function(self) -> PrimFunc:
        for argument in self.node.args.args:
            self.parameters[argument.arg] = None
            kind = self.annotation(argument)
            if isinstance(kind, tuple):
                self.parameters[argument.arg] = self.buffer(argument, argument.arg, *kind)
        self.body(self.node.body)
        tensors = []
        for name, buffer in self.parameters.items():
            if buffer is None or buffer.tensor is None:
                self.source.refuse(self.node, f"{name} is neither read nor written",
                                   "leave it out, or match_buffer it and write to it")
            tensors.append(buffer.tensor)
        return self.source.at(self.node, lambda: PrimFunc(tensors, self.node.name))

    def annotation(self, argument: ast.arg) -> Any:
        if argument.annotation is None:
            return None
        for part in ast.walk(argument.annotation):
            if isinstance(part, ast.Name) and part.id not in self.source.outside:
                self.names.setdefault(part.id, symbol(part.id))
        return self.source.evaluated(argument.annotation, self.names)

    # ---- statements ----

    def do_Expr(self, statement: ast.Expr) -> None:
        called = _called(statement.value)
        if isinstance(statement.value, ast.Constant) or called in ("func_attr", "reads", "writes"):
            return
        self.source.refuse(statement, "the value is not used", "store it to a buffer")

    def do_Assign(self, statement: ast.Assign) -> None:
        [target] = statement.targets
        if isinstance(target, ast.Subscript):
            self.store(target, statement.value)
        elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            for name, value in zip(target.elts, statement.value.elts):
                self.define(name, value)
        else:
            self.define(target, statement.value)

    def do_AnnAssign(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None:
            self.define(statement.target, statement.value)

    def do_AugAssign(self, statement: ast.AugAssign) -> None:
        self.reduction(statement.target, type(statement.op).__name__, statement.value)

    def do_For(self, statement: ast.For) -> None:
        self.loop(statement.target, statement.iter, statement.body)

    def do_With(self, statement: ast.With) -> None:
        [item] = statement.items
        called = _called(item.context_expr)
        if called in ("grid", "serial"):
            self.loop(item.optional_vars, item.context_expr, statement.body)
        elif called == "init":
            for store in statement.body:
                targets = _targets(store)
                if not isinstance(store, ast.Assign) or not targets:
                    self.source.refuse(store, "T.init holds stores only")
                self.initial[targets[0].value.id] = store.value
        elif called == "block":
            before = dict(self.loops)
            self.block(item)
            self.body(statement.body)
            self.loops, self.loop_of, self.initial = before, {}, {}
        else:
            self.source.refuse(statement, "there is no such scope",
                               "there are T.grid, T.serial, T.block and T.init")

    # ---- names ----

    def define(self, target: Any, value: ast.expr) -> None:
        called = _called(value)
        if isinstance(target, ast.Tuple) and called == "remap":
            for name, loop in zip(target.elts, self.source.evaluated(value, self.iterators())):
                self.rename(name, loop)
        elif not isinstance(target, ast.Name):
            self.source.refuse(target, "a name stands here, or an element of a buffer")
        elif called in ("match_buffer", "alloc_buffer"):
            self.match(target, value, called == "match_buffer")
        elif called in ("spatial", "reduce", "S", "R", "remap"):
            loop = self.source.evaluated(value, self.iterators())
            self.rename(target, loop[0] if isinstance(loop, list) else loop)
        else:
            made = self.source.evaluated(value, self.iterators())
            self.names[target.id] = symbol(target.id) if made is SYMBOL else made

    def match(self, target: ast.Name, call: Any, is_parameter: bool) -> None:
        arguments = list(call.args)
        parameter = None
        if is_parameter:
            parameter = arguments.pop(0)
            if not isinstance(parameter, ast.Name) or parameter.id not in self.parameters:
                self.source.refuse(parameter, "match_buffer takes a parameter of the function")
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        shape = arguments[0] if arguments else given["shape"]
        for part in ast.walk(shape):
            if isinstance(part, ast.Name) and part.id not in self.names \
                    and not isinstance(self.source.outside.get(part.id), int):
                self.names[part.id] = symbol(part.id)
        dims = self.source.evaluated(shape, self.names)
        dtype = arguments[1] if len(arguments) > 1 else given.get("dtype")
        kind = self.source.evaluated(dtype, self.names) if dtype is not None else "float32"
        buffer = self.buffer(target, target.id, _tuple(dims), kind)
        if parameter is not None:
            self.parameters[parameter.id] = buffer

    def buffer(self, node: ast.AST, name: str, shape: tuple[Any, ...], dtype: str) -> Buffer:
        dtype = self.source.at(node, lambda: element_type(dtype))
        made = self.names[name] = Buffer(name, tuple(shape), dtype)
        if name not in self.written:
            made.tensor = self.source.at(node, lambda: te.placeholder(shape, dtype, name))
        return made

    # ---- loops and blocks ----

    def loop(self, target: Any, ranges: Any, body: list[ast.stmt]) -> None:
        called = _called(ranges)
        if called not in ("grid", "serial", "range", "parallel", "vectorized", "unroll"):
            self.source.refuse(ranges, "there is no such loop", "there are T.grid and T.serial")
        limits = [self.source.evaluated(a, self.names) for a in ranges.args]
        if called == "grid":
            bounds = [(0, limit) for limit in limits]
        else:
            bounds = [(0, limits[0]) if len(limits) == 1 else (limits[0], limits[1])]
        is_list = isinstance(target, (ast.Tuple, ast.List))
        names: list[Any] = target.elts if is_list else [target]
        if len(names) != len(bounds):
            self.source.refuse(target, f"{len(names)} iterators stand for {len(bounds)} loops")
        before = dict(self.loops)
        for name, (lower, upper) in zip(names, bounds):
            self.loops[name.id] = Loop(lower, upper)
        self.body(body)
        self.loops = before

    def block(self, item: ast.withitem) -> None:
        """The older form gives ranges and iterators: with T.block([n, m]) as [i, j]."""
        call: Any = item.context_expr
        if not isinstance(item.optional_vars, (ast.Tuple, ast.List)):
            return
        ranges = self.source.evaluated(call.args[0], self.names)
        names: list[Any] = item.optional_vars.elts
        for name, limit in zip(names, ranges):
            is_range = hasattr(limit, "upper")
            self.loops[name.id] = Loop(limit.lower, limit.upper) if is_range else Loop(0, limit)

    def iterators(self) -> dict[str, Any]:
        loops = {name: st.Var(name) for name in self.loops}
        return {**self.names, **loops,
                **{name: loops[loop] for name, loop in self.loop_of.items() if loop in loops}}

    def rename(self, target: Any, value: Any) -> None:
        """The block's name for the iterator of a loop."""
        if str(value) not in self.loops:
            self.source.refuse(target, f"{target.id} stands for {value}, which is not a loop",
                               "give a block the iterators of loops as they are")
        self.loop_of[target.id] = str(value)

    # ---- stores ----

    def store(self, target: Any, value: ast.expr) -> None:
        own = _reduced(target, value)
        if own is not None:
            self.reduction(target, *own)
            return
        buffer, indices = self.place(target)
        self.compute(target, buffer, indices, value, None)

    def reduction(self, target: Any, kind: str, value: ast.expr) -> None:
        if kind not in _REDUCTIONS:
            self.source.refuse(target, "there is no such reduction", "there are +, *, T.max, T.min")
        buffer, indices = self.place(target)
        if buffer.name not in self.initial:
            self.source.refuse(target, f"{buffer.name} is read before it is written",
                               f"set {buffer.name} in with T.init():")
        reduce, identity = _REDUCTIONS[kind]
        initial = self.source.evaluated(self.initial[buffer.name], self.names)
        wanted = self.typed(identity(buffer.dtype), buffer.dtype)
        if str(self.typed(initial, buffer.dtype)) != str(wanted):
            self.source.refuse(
                target, f"{buffer.name} begins with {initial}, and the reduction with {wanted}",
                "begin with that, and add the rest after it")
        self.compute(target, buffer, indices, value, reduce)

    def place(self, target: Any) -> tuple[Buffer, list[str]]:
        """The buffer that a store writes to, and the loops of its indices."""
        buffer = self.names.get(target.value.id)
        if not isinstance(buffer, Buffer):
            self.source.refuse(target, f"{target.value.id} is not a buffer")
        parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        names = [part.id if isinstance(part, ast.Name) else "" for part in parts]
        indices = [self.loop_of.get(name, name) for name in names]
        loops = [self.loops[index] for index in indices if index in self.loops]
        whole = len(loops) == len(buffer.shape) == len(set(indices)) and all(
            _is_equal(loop.lower, 0) and _is_equal(loop.upper, extent)
            for loop, extent in zip(loops, buffer.shape))
        if not whole:
            self.source.refuse(target, f"the store does not define all of {buffer.name}",
                               "write to each element once, at the iterators of loops over all of "
                               f"{buffer.shape}")
        if buffer.tensor is not None:
            self.source.refuse(target, f"{buffer.name} is written twice", "use another buffer")
        return buffer, indices

    def compute(self, target: Any, buffer: Buffer, indices: list[str], value: ast.expr,
                reduce: Any) -> None:
        names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
        called = {loop: name for name, loop in self.loop_of.items() if name in names}
        axes = {loop: st.Var(called.get(loop, loop), *self.loops[loop])
                for loop in self.loops if loop not in indices}
        if axes and reduce is None:
            self.source.refuse(target, f"{buffer.name} is written for each {next(iter(axes))}",
                               "close the loop before, or reduce over it: +=, T.max, T.min")

        def element(*given: Any) -> Any:
            made = {**axes, **dict(zip(indices, given))}
            blocks = {name: made[loop] for name, loop in self.loop_of.items() if loop in made}
            body = self.typed(self.read(value, {**self.names, **made, **blocks}), buffer.dtype)
            return body if reduce is None else reduce(body, list(axes.values()))

        element.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
            inspect.Parameter(called.get(loop, loop), inspect.Parameter.POSITIONAL_ONLY)
            for loop in indices])
        buffer.tensor = self.source.at(
            target, lambda: te.compute(buffer.shape, element, buffer.name))

    def read(self, value: ast.expr, names: dict[str, Any]) -> Any:
        try:
            return self.source.evaluated(value, names)
        except LookupError as error:
            name = error.args[0]
            place = next((part for part in ast.walk(value)
                          if isinstance(part, ast.Name) and part.id == name), value)
            self.source.refuse(place, f"{name} is read before it is written",
                               f"write to {name} before")

    def typed(self, value: Any, dtype: str) -> Any:
        made = st.Expr(value)
        if made.type.name == dtype:
            return made
        return st.constant(dtype, value) if isinstance(value, (int, float)) else \
            st.cast(dtype, made)


def _targets(node: ast.AST) -> list[Any]:
    """The elements of buffers that a statement writes to."""
    if isinstance(node, ast.Assign):
        targets: list[Any] = node.targets
    else:
        targets = [node.target] if isinstance(node, ast.AugAssign) else []
    return [t for t in targets if isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name)]


def _called(node: Any) -> str | None:
    """The last part of the name of what is called."""
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)


def _reduced(target: Any, value: ast.expr) -> tuple[str, ast.expr] | None:
    """C[i] = C[i] + x, or T.max(C[i], x): the operation, and x."""
    own = ast.dump(target.value), ast.dump(target.slice)

    def is_own(node: Any) -> bool:
        return isinstance(node, ast.Subscript) and (ast.dump(node.value).replace(
            "Load", "Store"), ast.dump(node.slice)) == (own[0].replace("Load", "Store"), own[1])

    if isinstance(value, ast.BinOp) and is_own(value.left):
        return type(value.op).__name__, value.right
    if isinstance(value, ast.Call) and len(value.args) == 2 and is_own(value.args[0]):
        return _called(value) or "", value.args[1]
    return None


def _tuple(dims: Any) -> tuple[Any, ...]:
    return tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)


def _is_equal(a: Any, b: Any) -> bool:
    difference = g.normal_dim(st.Expr(a) - b)
    return isinstance(difference, int) and difference == 0
