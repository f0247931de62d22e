"""The rows of Relay's operators: their names here, and their attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from .. import graph as g
from .._strata import Code, _graph

Convert = Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


class Attribute:
    """An attribute by Relay's name. It is printed if it is not the default.

    The operator of strata.graph calls it `graph`. to_graph(value) is its value there, and
    from_graph the reverse. `absent` is Relay's value if strata.graph's operator does not have the
    attribute.
    """

    is_always_printed = False

    def __init__(self, name: str, default: Any = None, graph: str = "", to_graph: Convert = _same,
                 from_graph: Convert = _same, absent: Any = None) -> None:
        self.name, self.default, self.graph = name, default, graph
        self.to_graph, self.from_graph = to_graph, from_graph
        self.absent = default if absent is None else absent

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        """Puts an author's value among the attributes of strata.graph's operator."""
        if value is None:
            return
        there = self.to_graph(value)
        if there != self.to_graph(self.absent):
            attributes[self.graph] = there

    def taken(self, attributes: dict[str, Any], definition: g.Value) -> Any:
        """Relay's value of the attribute, in a call of strata.graph."""
        if self.graph in attributes:
            return self.from_graph(attributes[self.graph])
        return self.absent


class Needed(Attribute):
    """An attribute that strata.graph's operator always has. Without a default it must be given."""

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        attributes[self.graph] = self.to_graph(value)

    def give_default(self, attributes: dict[str, Any], row: Row) -> None:
        """Called if an author gives nothing."""
        if self.default is None:
            raise TypeError(f"{row.relay} needs {self.name}")
        attributes[self.graph] = self.to_graph(self.default)


class Implied(Attribute):
    """An attribute that repeats what the types of the arguments say. It is checked, and kept as a
    note, which no operator of strata.graph sees. Relay prints some of these even if nobody gave
    them."""

    def __init__(self, name: str, derived: Callable[[list[g.Value]], Any],
                 is_always_printed: bool = False) -> None:
        super().__init__(name, graph=f"relay.{name}")
        self.derived, self.is_always_printed = derived, is_always_printed

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        if value is None:
            return
        derived = self.derived(leaves)
        given = list(value) if isinstance(value, (tuple, list)) else value
        if derived is not None and given != derived:
            _graph.refuse(Code.E0602_does_not_fit, row.relay,
                          f"{self.name} is {given}, and the arguments have {derived}",
                          f"leave {self.name} out")
        attributes[self.graph] = given


class Fixed(Attribute):
    """An attribute with only one possible value here."""

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        if value not in (None, "", self.default):
            _graph.refuse(Code.E0603_unknown_operator, row.relay,
                          f"{self.name}={value!r} is not here", f"leave {self.name} out")


class Stored(Fixed):
    """The layout of a tensor: of the argument of this number, or else of the result. The operator
    has the default. An alteration may ask for another layout, and calls made by AlterOpLayout have
    it."""

    def __init__(self, name: str, default: str, argument: int | None = None) -> None:
        super().__init__(name, default)
        self.argument = argument

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        wanted = wanted_layouts.get()
        if wanted is None:
            super().give(value, attributes, row, leaves)
        elif value not in (None, "", self.default):
            wanted[self.name] = value

    def taken(self, attributes: dict[str, Any], definition: g.Value) -> Any:
        if definition.layouts is None:
            return self.default
        arguments, results = definition.layouts
        if self.argument is None:
            return self.default if results[0] == arguments[0] else results[0]
        layout = arguments[self.argument]
        return self.default if layout == "_" else layout


# What the running alteration asks for, by the names of attributes; None if no alteration runs.
wanted_layouts: ContextVar[dict[str, str] | None] = ContextVar("wanted_layouts", default=None)


class Row(NamedTuple):
    """An operator."""

    relay: str  # "nn.conv2d"
    graph: str  # "conv2d"
    args: Sequence[str]
    attributes: Sequence[Attribute] = ()
    takes_list: bool = False


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def _pair(value: Any) -> list[int]:
    pair = _list(value)
    return pair * 2 if len(pair) == 1 else pair


def _padding(value: Any) -> list[int]:
    """Top, left, bottom, right, from one number, from two, or from four."""
    ends = _pair(value)
    return ends * 2 if len(ends) == 2 else ends


def _floats(value: Any) -> float:
    return float(value)


def _kernel_size(leaves: list[g.Value]) -> Any:
    dims = leaves[1].type.dims
    return None if dims is None else [d for d in dims[2:]]


def _first_extent(leaves: list[g.Value]) -> Any:
    dims = leaves[1].type.dims
    return None if dims is None else dims[0]



class _PadWidth(Attribute):
    """((before, after), ..); strata.graph has two lists instead."""

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        attributes["before"] = [pair[0] for pair in value]
        attributes["after"] = [pair[1] for pair in value]

    def taken(self, attributes: dict[str, Any], definition: g.Value) -> Any:
        return [list(pair) for pair in zip(attributes["before"], attributes["after"])]


class _Sections(Attribute):
    """A number of equal parts, or where parts begin."""

    def give(self, value: Any, attributes: dict[str, Any], row: Row, leaves: list[g.Value]) -> None:
        attributes["sections" if isinstance(value, int) else "indices"] = value

    def taken(self, attributes: dict[str, Any], definition: g.Value) -> Any:
        return attributes.get("sections") or attributes.get("indices")


_LAYOUTS = [Stored("data_layout", "NCHW", 0), Stored("kernel_layout", "OIHW", 1),
            Stored("out_layout", ""), Fixed("out_dtype", "")]
_STRIDES = Attribute("strides", [1, 1], "strides", _pair)
_PADDING = Attribute("padding", [0, 0], "padding", _padding, _padding, absent=[0, 0, 0, 0])
_REDUCTION = [Attribute("axis", [], "axes", _list), Attribute("keepdims", False, "keepdims", bool),
              Fixed("exclude", False)]
_ARG = [Needed("axis", None, "axis"), Attribute("keepdims", False, "keepdims", bool)]
_WINDOW = [Needed("pool_size", [1, 1], "window", _pair), _STRIDES, Fixed("dilation", [1, 1]),
           _PADDING, Stored("layout", "NCHW", 0), Stored("out_layout", ""),
           Attribute("ceil_mode", False, "ceil_mode", bool)]

_UNARY = ("negative abs sqrt rsqrt exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh "
          "atanh erf floor ceil round trunc sign logical_not bitwise_not sigmoid").split()
_BINARY = ("add subtract multiply divide floor_divide power maximum minimum equal not_equal less "
           "less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and "
           "bitwise_or bitwise_xor left_shift right_shift").split()
_REDUCTIONS = "sum mean max min prod any all".split()

_ROWS = [
    *(Row(name, name, ["data"]) for name in _UNARY),
    *(Row(name, name, ["lhs", "rhs"]) for name in _BINARY),
    *(Row(name, name, ["data"], _REDUCTION) for name in _REDUCTIONS),
    Row("floor_mod", "mod", ["lhs", "rhs"]),
    Row("isnan", "is_nan", ["data"]),
    Row("where", "where", ["condition", "x", "y"]),
    Row("argmax", "argmax", ["data"], _ARG),
    Row("argmin", "argmin", ["data"], _ARG),
    Row("cast", "cast", ["data"], [Needed("dtype", None, "type", _same, lambda t: t.name)]),
    Row("clip", "clip", ["a"], [Needed("a_min", None, "min", _floats),
                                Needed("a_max", None, "max", _floats)]),
    Row("expand_dims", "expand_dims", ["data"], [Needed("axis", None, "axis"),
                                                 Fixed("num_newaxis", 1)]),
    Row("squeeze", "squeeze", ["data"], [Attribute("axis", [], "axes", _list)]),
    Row("reshape", "reshape", ["data"], [Needed("newshape", None, "shape", tuple, list)]),
    Row("broadcast_to", "broadcast_to", ["data"], [Needed("shape", None, "shape", tuple, list)]),
    Row("transpose", "transpose", ["data"], [Attribute("axes", [], "axes", _list)]),
    Row("concatenate", "concatenate", ["data"], [Attribute("axis", 0, "axis")], True),
    Row("stack", "stack", ["data"], [Attribute("axis", 0, "axis")], True),
    Row("split", "split", ["data"], [_Sections("indices_or_sections"),
                                     Attribute("axis", 0, "axis")]),
    Row("tile", "tile", ["data"], [Needed("reps", None, "reps", _list)]),
    Row("reverse", "reverse", ["data"], [Needed("axis", None, "axes", _list, lambda a: a[0])]),
    Row("take", "take", ["data", "indices"], [Needed("axis", None, "axis")]),
    Row("strided_slice", "strided_slice", ["data"],
        [Needed("begin", None, "begin", _list), Needed("end", None, "end", _list),
         Attribute("strides", [], "strides", _list), Attribute("axes", [], "axes", _list)]),
    Row("layout_transform", "layout_transform", ["data"],
        [Needed("src_layout", None, "from"), Needed("dst_layout", None, "to")]),
    Row("nn.relu", "relu", ["data"]),
    Row("nn.softmax", "softmax", ["data"], [Attribute("axis", -1, "axis")]),
    Row("nn.log_softmax", "log_softmax", ["data"], [Attribute("axis", -1, "axis")]),
    Row("nn.leaky_relu", "leaky_relu", ["data"], [Needed("alpha", None, "alpha", _floats)]),
    Row("nn.prelu", "prelu", ["data", "alpha"], [Attribute("axis", 1, "axis")]),
    Row("nn.bias_add", "bias_add", ["data", "bias"], [Attribute("axis", 1, "axis")]),
    Row("nn.batch_flatten", "batch_flatten", ["data"]),
    Row("nn.dense", "dense", ["data", "weight"],
        [Implied("units", _first_extent, is_always_printed=True), Fixed("out_dtype", "")]),
    Row("nn.batch_matmul", "batch_matmul", ["tensor_a", "tensor_b"],
        [Fixed("out_dtype", ""), Attribute("transpose_a", False, "transpose_a", bool),
         Attribute("transpose_b", False, "transpose_b", bool, absent=True)]),
    Row("nn.pad", "pad", ["data"], [_PadWidth("pad_width"),
                                    Attribute("pad_value", 0.0, "value", _floats),
                                    Attribute("pad_mode", "constant", "mode")]),
    Row("nn.conv2d", "conv2d", ["data", "weight"],
        [_STRIDES, _PADDING, Attribute("dilation", [1, 1], "dilation", _pair),
         Attribute("groups", 1, "groups"), Implied("channels", _first_extent),
         Implied("kernel_size", _kernel_size), *_LAYOUTS]),
    Row("nn.max_pool2d", "max_pool2d", ["data"], _WINDOW),
    Row("nn.avg_pool2d", "avg_pool2d", ["data"],
        [*_WINDOW, Attribute("count_include_pad", False, "count_include_pad", bool)]),
    Row("nn.global_max_pool2d", "global_max_pool2d", ["data"], [Stored("layout", "NCHW", 0)]),
    Row("nn.global_avg_pool2d", "global_avg_pool2d", ["data"], [Stored("layout", "NCHW", 0)]),
]
ROWS = {row.relay: row for row in _ROWS}
