// Expr, Var, Param and Scalar, and Python's operators on them.
#include "core/expr/expr_text.h"
#include "graph/tensor/tensor.h"
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

bool are_booleans(const Expr& a, const Expr& b) {
  return a.type() == boolean && b.type() == boolean;
}

// The operation that Python's means: & | ^ of booleans are && || != in C++.
Op meant(Op op, const Expr& a, const Expr& b) {
  if (!are_booleans(a, b)) return op;
  switch (op) {
    case Op::bit_and: return Op::logical_and;
    case Op::bit_or: return Op::logical_or;
    case Op::bit_xor: return Op::ne;
    default: return op;
  }
}

// Requires "/" for floats and "//" for integers.
void require_division(Op op, bool floor, const Expr& a, const Expr& b) {
  if (op != Op::div) return;
  const bool floats = is_float(a.type()) || is_float(b.type());
  if (floats && floor)
    throw nb::type_error("// of floats: write floor(a / b); // is the division of integers");
  if (!floats && !floor)
    throw nb::type_error(
        "/ of integers: write a // b, which rounds towards minus infinity, or cast one operand to "
        "a float: cast(f32, a) / b");
}

struct BinaryOperator {
  Op op;
  const char* name;       // "__add__"
  const char* signature;  // for help and type checkers
  const char* reflected = nullptr;
  const char* reflected_signature = nullptr;
  bool floor = false;  // is it "//"?
};

#define STRATA_OPERATOR(op, name)                                                                \
  {Op::op, "__" name "__", "def __" name "__(self, other: Operand, /) -> Expr", "__r" name "__", \
   "def __r" name "__(self, other: Operand, /) -> Expr"}
#define STRATA_COMPARISON(op, name) \
  {Op::op, "__" name "__", "def __" name "__(self, other: Operand, /) -> Expr"}
constexpr BinaryOperator binary_operators[] = {
    STRATA_OPERATOR(add, "add"),
    STRATA_OPERATOR(sub, "sub"),
    STRATA_OPERATOR(mul, "mul"),
    STRATA_OPERATOR(div, "truediv"),
    {Op::div, "__floordiv__", "def __floordiv__(self, other: Operand, /) -> Expr", "__rfloordiv__",
     "def __rfloordiv__(self, other: Operand, /) -> Expr", true},
    STRATA_OPERATOR(mod, "mod"),
    STRATA_OPERATOR(pow, "pow"),
    STRATA_OPERATOR(shift_left, "lshift"),
    STRATA_OPERATOR(shift_right, "rshift"),
    STRATA_OPERATOR(bit_and, "and"),
    STRATA_OPERATOR(bit_or, "or"),
    STRATA_OPERATOR(bit_xor, "xor"),
    STRATA_COMPARISON(eq, "eq"),
    STRATA_COMPARISON(ne, "ne"),
    STRATA_COMPARISON(lt, "lt"),
    STRATA_COMPARISON(le, "le"),
    STRATA_COMPARISON(gt, "gt"),
    STRATA_COMPARISON(ge, "ge"),
};
#undef STRATA_OPERATOR
#undef STRATA_COMPARISON

nb::object not_implemented() { return nb::borrow(Py_NotImplemented); }

nb::object binary(const BinaryOperator& o, nb::handle left, nb::handle right) {
  const auto a = find_expression(left), b = find_expression(right);
  if (!a || !b) return not_implemented();
  require_division(o.op, o.floor, *a, *b);
  return nb::cast(make(meant(o.op, *a, *b), {*a, *b}));
}

struct UnaryOperator {
  Op op;
  const char* name;
  const char* signature;
};
constexpr UnaryOperator unary_operators[] = {
    {Op::negate, "__neg__", "def __neg__(self) -> Expr"},
    {Op::bit_not, "__invert__", "def __invert__(self) -> Expr"},
    {Op::abs, "__abs__", "def __abs__(self) -> Expr"},
};

nb::object unary(Op op, nb::handle operand) {
  const auto e = find_expression(operand);
  if (!e) return not_implemented();
  return nb::cast(make(op == Op::bit_not && e->type() == boolean ? Op::logical_not : op, {*e}));
}

[[noreturn]] void refuse_truth(nb::handle) {
  throw nb::type_error(
      "an Expr has no value while the program is built: instead of `a if c else b` or `if c:` "
      "write select(c, a, b), or X.where(c) for a whole definition; instead of `and`, `or`, `not` "
      "write &, |, ~ with parentheses, and (a < b) & (b < c) instead of a < b < c");
}

// Defines "function" as a method of "type".
template <typename Act, typename... Extra>
void add_method(nb::handle type, const char* name, Act act, const Extra&... extra) {
  type.attr(name) =
      nb::cpp_function(act, nb::name(name), nb::scope(type), nb::is_method(), extra...);
}

std::string author_name(const Var& v) { return graph::author_text(v.name()); }

std::string text_of(const Var& v) {
  const std::string name = "Var('" + author_name(v) + "'";
  if (!v.has_range()) return name + ")";
  return name + ", " + to_text(v.lower()) + ", " + to_text(v.upper()) + ")";
}

void add_var(nb::module_& m) {
  nb::class_<Var> v(m, "Var",
                    "An iterator. With bounds it ranges over lower <= name < upper, which may use\n"
                    "parameters and earlier iterators; without, its range is inferred from the\n"
                    "readers. Commands also use it as the name of a loop.");
  v.def(nb::init<std::string>(), "name"_a);
  v.def(
      "__init__",
      [](Var* self, const std::string& name, const Operand& lower, const Operand& upper) {
        new (self) Var(name, lower.value, upper.value);
      },
      "name"_a, "lower"_a, "upper"_a);
  v.def_prop_ro("name", &author_name);
  v.def_prop_ro("has_range", &Var::has_range);
  v.def_prop_ro("lower", [](const Var& self) {
    return self.has_range() ? std::optional(self.lower()) : std::nullopt;
  });
  v.def_prop_ro("upper", [](const Var& self) {
    return self.has_range() ? std::optional(self.upper()) : std::nullopt;
  });
  v.def("__str__", &author_name);
  v.def("__repr__", &text_of);
  add_operators(v);
}

void add_param(nb::module_& m) {
  nb::class_<Param> p(m, "Param",
                      "An integer that is known only when the kernel is called. Function.param\n"
                      "makes one.");
  p.def(nb::init<std::string>(), "name"_a);
  p.def_prop_ro("name", &Param::name);
  p.def("__repr__", &Param::name);
  add_operators(p);
}

void add_scalar(nb::module_& m) {
  nb::class_<Scalar> s(m, "Scalar",
                       "A number of any type that is an argument of the kernel, as a value in\n"
                       "expressions. Function.scalar makes one.");
  s.def_prop_ro("name", &Scalar::name);
  s.def_prop_ro("type", &Scalar::type);
  s.def("__repr__", &Scalar::name);
  add_operators(s);
}

}  // namespace

void add_operators(nb::handle type) {
  add_method(
      type, "__hash__",
      [](nb::handle self) { return reinterpret_cast<std::intptr_t>(self.ptr()) >> 4; },
      nb::sig("def __hash__(self) -> int"));
  for (const BinaryOperator& o : binary_operators) {
    add_method(
        type, o.name, [&o](nb::handle a, nb::handle b) { return binary(o, a, b); },
        nb::sig(o.signature));
    if (o.reflected)
      add_method(
          type, o.reflected, [&o](nb::handle a, nb::handle b) { return binary(o, b, a); },
          nb::sig(o.reflected_signature));
  }
  for (const UnaryOperator& o : unary_operators)
    add_method(type, o.name, [&o](nb::handle a) { return unary(o.op, a); }, nb::sig(o.signature));
  add_method(type, "__bool__", &refuse_truth, nb::sig("def __bool__(self) -> NoReturn"));
  type.attr("__array_ufunc__") = nb::none();  // numpy leaves operators to this class
  type.attr("__iter__") = nb::none();         // x[i] does not make x a sequence
}

void add_expressions(nb::module_& m) {
  nb::class_<Expr> e(
      m, "Expr",
      "An expression: the right-hand side of a definition, an index or a condition.\n\n"
      "// and % of integers round towards minus infinity, integers wrap, & | ~ of booleans are\n"
      "and, or, not; ==, < and the others make expressions. A Python number takes the type of its\n"
      "partner if that can represent it. str() is text that parses back.");
  e.def(
      "__init__", [](Expr* self, const Operand& value) { new (self) Expr(value.value); },
      "value"_a);
  e.def_prop_ro("type", &Expr::type);
  e.def(
      "cast", [](const Expr& self, const TypeName& type) { return cast(type.value, self); },
      "type"_a, "cast(type, self).");
  e.def("__repr__", [](const Expr& self) { return graph::author_text(to_text(self)); });
  add_operators(e);
  add_var(m);
  add_param(m);
  add_scalar(m);
}

}  // namespace strata::python
