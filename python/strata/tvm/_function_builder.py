"""Functions of strata.graph from expressions.

A value is computed in the innermost side of a branch that has all of its readers. The parts between
branches form dataflow blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import graph as g
from ._expr import Computed, Expr, If, Tuple, Var, operands_of, post_order

# The branches around an expression, the outermost first, each with its side.
Path = tuple[tuple[If, bool], ...]


def _readings(part: Expr, path: Path) -> list[tuple[Expr, Path]]:
    """The operands of a part on this path, and the path where each is read."""
    if isinstance(part, If):
        return [(part.cond, path), (part.true_branch, (*path, (part, True))),
                (part.false_branch, (*path, (part, False)))]
    return [(operand, path) for operand in operands_of(part)]


def _shared(a: Path, b: Path) -> Path:
    """The innermost path that contains both."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return a[:count]


def paths_of(order: Sequence[Expr]) -> dict[Expr, Path]:
    """The path where each part is computed. The parts are in post-order."""
    paths: dict[Expr, Path] = {order[-1]: ()}
    for part in reversed(order):
        for operand, path in _readings(part, paths[part]):
            paths[operand] = _shared(paths[operand], path) if operand in paths else path
    return paths


class _Run:
    """Parts of one path between branches."""

    def __init__(self) -> None:
        self.parts: list[Computed] = []


class _Planned:
    """The runs and the branches of each path, in order."""

    def __init__(self, result: Expr) -> None:
        order = post_order(result)
        paths = paths_of(order)
        self.steps: dict[Path, list[_Run | If]] = {}
        self.step_of: dict[Expr, _Run | If] = {}
        for part in order:
            if isinstance(part, (Computed, If)):
                self._add(part, self.steps.setdefault(paths[part], []))
        self.outputs = self._read_outside(order)

    def _add(self, part: Computed | If, steps: list[_Run | If]) -> None:
        if isinstance(part, If):
            steps.append(part)
            self.step_of[part] = part
            return
        run = steps[-1] if steps else None
        if not isinstance(run, _Run):
            run = _Run()
            steps.append(run)
        run.parts.append(part)
        self.step_of[part] = run

    def _read_outside(self, order: Sequence[Expr]) -> set[Expr]:
        """The parts that are read outside of their run. The fields of a tuple are read where the
        tuple is."""
        readers: dict[Expr, set[Any]] = {order[-1]: {None}}
        for part in reversed(order):
            inside = readers[part] if isinstance(part, Tuple) else {self.step_of.get(part)}
            for operand in operands_of(part):
                readers.setdefault(operand, set()).update(inside)
        return {part for part, step in self.step_of.items() if readers[part] - {step}}


class _FunctionBuilder:
    """Binds the parts of an expression."""

    def __init__(self, builder: g.GraphBuilder, result: Expr, bound: dict[Expr, g.Value]) -> None:
        self.builder, self.planned, self.bound = builder, _Planned(result), bound

    def side(self, path: Path, result: Expr) -> g.Value:
        """Binds the parts of a path. Returns the value of the result."""
        for step in self.planned.steps.get(path, []):
            if isinstance(step, If):
                self.branch(step, path)
            else:
                self.run(step)
        return self.leaf(result)

    def run(self, run: _Run) -> None:
        with self.builder.dataflow():
            for part in run.parts:
                is_output = part in self.planned.outputs
                emit = self.builder.emit_output if is_output else self.builder.emit
                operands = [self.leaf(operand) for operand in operands_of(part)]
                self.bound[part] = emit(part.rebuilt(operands))

    def branch(self, part: If, path: Path) -> None:
        with self.builder.branch(self.leaf(part.cond)) as branch:
            with branch.then():
                branch.result(self.side((*path, (part, True)), part.true_branch))
            with branch.otherwise():
                branch.result(self.side((*path, (part, False)), part.false_branch))
        self.bound[part] = branch.value

    def leaf(self, part: Expr) -> g.Value:
        if isinstance(part, Tuple):
            return g.tuple_value([self.leaf(field) for field in part.fields])
        return self.bound.get(part, part.value)


def build_function(builder: g.GraphBuilder, name: str, params: Mapping[Var, g.Value],
                   body: Expr) -> None:
    """Builds the function of an expression. params maps parameters to their variables."""
    with builder.function(name, list(params.values())):
        bound: dict[Expr, g.Value] = {v: value for v, value in params.items()}
        made = _FunctionBuilder(builder, body, bound)
        builder.emit_function_output(made.side((), body))
