"""Visitors of expressions. They meet operands first, so no chain is too long for them."""

from __future__ import annotations

from typing import Any

from .._expr import Call, Constant, Expr, GlobalVar, If, Tuple, TupleGetItem, Var, post_order
from .._function import Function
from .._missing import getter

__getattr__ = getter(__name__)


# The method for each kind of expression.
_METHODS: dict[type[Expr], str] = {
    Function: "visit_function", Call: "visit_call", Tuple: "visit_tuple",
    TupleGetItem: "visit_tuple_getitem", If: "visit_if", Constant: "visit_constant",
    GlobalVar: "visit_global_var", Expr: "visit_var"}


class ExprFunctor:
    """One overridable method for each kind of expression; each expression is visited once."""

    def __init__(self) -> None:
        self.memo_map: dict[Expr, Any] = {}

    def visit(self, expr: Any) -> Any:
        """The result for an expression."""
        if isinstance(expr, Function):
            return self._visit_one(expr)
        memo = self.__dict__.setdefault("memo_map", {})
        if expr not in memo:
            for part in post_order(expr):
                if part not in memo:
                    memo[part] = self._visit_one(part)
        return memo[expr]

    def _visit_one(self, expr: Any) -> Any:
        method = next(method for kind, method in _METHODS.items() if isinstance(expr, kind))
        return getattr(self, method)(expr)

    def visit_op(self, op: Any) -> Any:
        return op


class ExprVisitor(ExprFunctor):
    """Visits all parts of an expression."""

    def visit_function(self, func: Function) -> Any:
        for parameter in func.params:
            self.visit(parameter)
        self.visit(func.body)

    def visit_call(self, call: Call) -> Any:
        self.visit_op(call.op)
        for argument in call.args:
            self.visit(argument)

    def visit_tuple(self, tup: Tuple) -> Any:
        for field in tup.fields:
            self.visit(field)

    def visit_tuple_getitem(self, item: TupleGetItem) -> Any:
        self.visit(item.tuple_value)

    def visit_if(self, branch: If) -> Any:
        for part in (branch.cond, branch.true_branch, branch.false_branch):
            self.visit(part)

    def visit_var(self, var: Var) -> Any:
        pass

    def visit_global_var(self, var: GlobalVar) -> Any:
        pass

    def visit_constant(self, const: Constant) -> Any:
        pass


class ExprMutator(ExprFunctor):
    """Makes an expression from another one. Unchanged parts stay the same objects."""

    def visit_function(self, func: Function) -> Any:
        params = [self.visit(parameter) for parameter in func.params]
        return Function(params, self.visit(func.body), func.stated_type)

    def visit_call(self, call: Call) -> Any:
        op, args = self.visit_op(call.op), [self.visit(argument) for argument in call.args]
        if op != call.op:
            return Call(op, args)
        return call if args == call.args else call.of(args)

    def visit_tuple(self, tup: Tuple) -> Any:
        fields = [self.visit(field) for field in tup.fields]
        return tup if fields == tup.fields else Tuple(fields)

    def visit_tuple_getitem(self, item: TupleGetItem) -> Any:
        of = self.visit(item.tuple_value)
        return item if of == item.tuple_value else TupleGetItem(of, item.index)

    def visit_if(self, branch: If) -> Any:
        parts = [branch.cond, branch.true_branch, branch.false_branch]
        made = [self.visit(part) for part in parts]
        return branch if made == parts else If(*made)

    def visit_var(self, var: Var) -> Any:
        return var

    def visit_global_var(self, var: GlobalVar) -> Any:
        return var

    def visit_constant(self, const: Constant) -> Any:
        return const
