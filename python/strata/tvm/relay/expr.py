"""Expressions."""

from .._expr import Call as Call
from .._expr import Constant as Constant
from .._expr import Expr as Expr
from .._expr import GlobalVar as GlobalVar
from .._expr import If as If
from .._expr import Tuple as Tuple
from .._expr import TupleGetItem as TupleGetItem
from .._expr import Var as Var
from .._expr import const as const
from .._missing import getter

RelayExpr = Expr
__getattr__ = getter(__name__)
