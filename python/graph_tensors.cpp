// Tensors and the operations that make them.
#include <nanobind/stl/shared_ptr.h>

#include "core/expr/expr_text.h"
#include "graph/dim/dim.h"
#include "graph/tensor/checks.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/module.h"

namespace strata::python {

namespace {

using graph::Operation;
using graph::Tensor;
using SharedOperation = std::shared_ptr<const Operation>;

// An access that still lacks indices: a[i] of a tensor of two dimensions.
struct PartialAccess {
  Tensor tensor;
  graph::Indices indices;
};

// a[i, j] and a[i][j]: an expression as soon as there are enough indices.
nb::object element(const Tensor& tensor, graph::Indices indices, nb::handle more) {
  const auto add = [&](nb::handle index) {
    indices.push_back(index_of(index, tensor.name(), indices.size()));
  };
  if (PyTuple_Check(more.ptr()))
    for (const nb::handle index : nb::borrow<nb::tuple>(more)) add(index);
  else
    add(more);
  if (indices.rank() < tensor.rank()) return nb::cast(PartialAccess{tensor, indices});
  return nb::cast(tensor(indices));
}

// A dim for Python: an int, or the expression.
nb::object python_dim(const Expr& dim) {
  if (const auto number = graph::constant_dim(dim)) return nb::int_(*number);
  return nb::cast(dim);
}

// The value that the function of a compute returns: an expression, several, or a Tuple.
Tuple tuple_of(nb::handle value) {
  if (nb::isinstance<Tuple>(value)) return nb::cast<Tuple>(value);
  if (const auto e = find_expression(value)) return tuple({*e});
  std::vector<Operand> several;
  if (!nb::try_cast(value, several))
    throw nb::type_error("the function of a compute returns no expression, and no list of them");
  return tuple(values_of(several));
}

std::vector<Tensor> computed(nb::handle shape, const std::vector<std::string>& iterators,
                             const nb::callable& f, const std::string& name) {
  const auto value = [&](const graph::Indices& i) {
    nb::list indices;
    for (const Expr& index : i) indices.append(Var(index.name()));
    return tuple_of(f(*nb::tuple(indices)));
  };
  return graph::compute_tuple(shape_of(shape), {iterators, false}, value, name, python_line());
}

void add_operation(nb::module_& m) {
  nb::class_<Operation>(m, "Operation",
                        "What makes tensors: placeholder(..), compute(..) or external.")
      .def_prop_ro("name", [](const Operation& self) { return self.name; })
      .def_prop_ro(
          "kind",
          [](const Operation& self) {
            if (self.is_placeholder()) return "placeholder";
            return self.computed() ? "compute" : "extern";
          },
          "\"compute\", \"extern\", or the name of what makes data from outside.")
      .def_prop_ro("num_outputs", [](const Operation& self) { return self.outputs().size(); })
      .def_prop_ro("axis", &Operation::axis, "Its iterators, with their ranges.")
      .def_prop_ro("reduce_axis", &Operation::reduce_axis, "The iterators that it reduces over.")
      .def_prop_ro("body", &Operation::body, "An expression for each output.")
      .def_prop_ro("input_tensors",
                   [](const Operation& self) { return graph::input_tensors(self); })
      .def(
          "output",
          [](const std::shared_ptr<Operation>& self, const Integer& index) {
            if (index.value < 0 || index.value >= std::int64_t(self->outputs().size()))
              throw nb::index_error(("the operation " + self->name + " has " +
                                     std::to_string(self->outputs().size()) + " outputs")
                                        .c_str());
            return Tensor(self, int(index.value));
          },
          "index"_a, "The tensor that is its output of this number.")
      .def("__repr__", [](const Operation& self) { return "Operation(" + self.name + ")"; });
}

// "t op other". For two tensors this is the operator, with numpy's broadcasting. For a tensor and a
// scalar, each element is combined with the scalar.
template <typename F>
nb::object combined(const char* op, const F& f, const Tensor& t, nb::handle other, bool reflected) {
  const Where where = python_line();
  if (nb::isinstance<Tensor>(other)) {
    const std::vector<Tensor> operands{t, nb::cast<Tensor>(other)};
    return nb::cast(graph::find_operator(op, where)(operands, {}, where)[0]);
  }
  const auto scalar = find_expression(other);
  if (!scalar) return nb::borrow(Py_NotImplemented);
  const auto element = [&](const graph::Indices& i) {
    return tuple({reflected ? f(*scalar, t(i)) : f(t(i), *scalar)});
  };
  return nb::cast(graph::compute_tuple(t.shape(), {}, element, op, where)[0]);
}

template <typename F>
void add_arithmetic(nb::class_<Tensor>& c, const std::string& symbol, const char* op, const F& f) {
  c.def(("__" + symbol + "__").c_str(),
        [=](const Tensor& self, nb::handle other) { return combined(op, f, self, other, false); },
        nb::sig(("def __" + symbol + "__(self, other: Tensor | Operand, /) -> Tensor").c_str()));
  c.def(("__r" + symbol + "__").c_str(),
        [=](const Tensor& self, nb::handle other) { return combined(op, f, self, other, true); },
        nb::sig(("def __r" + symbol + "__(self, other: Operand, /) -> Tensor").c_str()));
}

nb::object operation_of(const Tensor& t) {
  return nb::cast(std::const_pointer_cast<Operation>(t.shared_op()));
}

void add_tensor(nb::module_& m) {
  nb::class_<Tensor> c(m, "Tensor",
                       "One output of an operation. t[i, j] reads an element. t + u, t - u, t * u\n"
                       "and t / u are the operators; u may be a scalar.");
  c.def_prop_ro("name", &Tensor::name)
      .def_prop_ro("dtype", [](const Tensor& self) { return to_string(self.type()); })
      .def_prop_ro("type", &Tensor::type)
      .def_prop_ro(
          "shape", [](const Tensor& self) { return python_shape(self.shape()); },
          nb::for_getter(nb::sig("def shape(self) -> Dims")))
      .def_prop_ro("ndim", &Tensor::rank)
      .def_prop_ro("op", &operation_of, nb::for_getter(nb::sig("def op(self) -> Operation")))
      .def_prop_ro("value_index", &Tensor::index, "Among the outputs of the operation.")
      .def(
          "__getitem__", [](const Tensor& self, nb::handle i) { return element(self, {}, i); },
          nb::sig("def __getitem__(self, indices: object, /) -> Any"))
      .def(
          "__call__", [](const Tensor& self, const nb::args& i) { return element(self, {}, i); },
          nb::sig("def __call__(self, *indices: object) -> Any"))
      .def("__eq__", [](const Tensor& self, const Tensor& other) { return self == other; })
      .def("__eq__", [](const Tensor&, nb::handle) { return false; })
      .def("__hash__",
           [](const Tensor& self) {
             return (reinterpret_cast<std::intptr_t>(&self.op()) >> 4) + self.index();
           })
      .def("__repr__", [](const Tensor& self) {
        return "Tensor(" + self.name() + ", " +
               nb::cast<std::string>(nb::repr(python_shape(self.shape()))) + ", " +
               to_string(self.type()) + ")";
      });
  add_arithmetic(c, "add", "add", [](const Expr& a, const Expr& b) { return a + b; });
  add_arithmetic(c, "sub", "subtract", [](const Expr& a, const Expr& b) { return a - b; });
  add_arithmetic(c, "mul", "multiply", [](const Expr& a, const Expr& b) { return a * b; });
  add_arithmetic(c, "truediv", "divide", [](const Expr& a, const Expr& b) { return a / b; });
  nb::class_<PartialAccess>(m, "PartialAccess", "t[i] of a tensor of more dimensions.")
      .def(
          "__getitem__",
          [](const PartialAccess& self, nb::handle i) {
            return element(self.tensor, self.indices, i);
          },
          nb::sig("def __getitem__(self, indices: object, /) -> Any"));
}

// Defines a property of strata.Expr.
template <typename Get>
void add_property(nb::handle type, const char* name, Get get) {
  const nb::object property = nb::module_::import_("builtins").attr("property");
  type.attr(name) =
      property(nb::cpp_function(get, nb::name(name), nb::is_method(), nb::scope(type)));
}

Expr operand(const Expr& e, std::size_t number) {
  if (number >= e.args().size())
    throw nb::attribute_error(("the expression " + to_text(e) + " has no such operand").c_str());
  return e.args()[number];
}

void add_parts_of_expressions() {
  const nb::handle expr = nb::type<Expr>();
  add_property(expr, "a", [](const Expr& e) { return operand(e, 0); });
  add_property(expr, "b", [](const Expr& e) { return operand(e, 1); });
  add_property(expr, "op", [](const Expr& e) { return to_string(e.op()); });
  add_property(expr, "args", [](const Expr& e) { return e.args(); });
  add_property(expr, "indices", [](const Expr& e) { return e.args(); });
  add_property(expr, "producer", [](const Expr& e) {
    const Tensor t = graph::tensor_of(e);
    if (!t.defined())
      throw nb::attribute_error(("the expression " + to_text(e) + " reads no tensor").c_str());
    return t;
  });
}

}  // namespace

nb::tuple python_shape(const graph::Shape& shape) {
  nb::list dims;
  for (const Expr& dim : shape) dims.append(python_dim(dim));
  return nb::tuple(dims);
}

graph::Shape shape_of(nb::handle object) {
  if (const auto e = find_expression(object)) return {*e};
  std::vector<Operand> dims;
  if (!nb::try_cast(object, dims))
    throw nb::type_error("a shape is a list of ints and of expressions over symbols");
  return values_of(dims);
}

graph::Shape dims_of(nb::handle object, const std::string& what) {
  return graph::checked_shape(shape_of(object), {what, python_line()});
}

void add_tensors(nb::module_& m) {
  add_operation(m);
  add_tensor(m);
  add_parts_of_expressions();
  m.def(
      "placeholder",
      [](const std::string& name, const TypeName& type, nb::handle shape) {
        return graph::placeholder(name, type.value, shape_of(shape), python_line());
      },
      "name"_a, "type"_a, "shape"_a);
  m.def("compute", &computed, "shape"_a, "iterators"_a, "f"_a, "name"_a,
        nb::sig("def compute(shape: object, iterators: Sequence[str], f: Callable[..., object], "
                "name: str) -> list[Tensor]"));
  m.def(
      "reduce_axis",
      [](const Operand& lower, const Operand& upper, const std::string& name) {
        return graph::reduce_axis(lower.value, upper.value, name);
      },
      "lower"_a, "upper"_a, "name"_a,
      nb::sig("def reduce_axis(lower: Operand, upper: Operand, name: str) -> strata._strata.Var"));
  m.def(
      "visit",
      [](const Expr& e, const nb::callable& f) { visit(e, [&](const Expr& part) { f(part); }); },
      "e"_a, "f"_a, nb::sig("def visit(e: Expr, f: Callable[[Expr], object]) -> None"));
  m.def(
      "normal_dim", [](const Operand& dim) { return python_dim(graph::normal(dim.value)); },
      "dim"_a, nb::sig("def normal_dim(dim: Operand) -> Dim"));
}

}  // namespace strata::python
