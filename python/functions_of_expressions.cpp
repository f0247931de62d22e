// The functions of core/expr/expr.h that make expressions.
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

struct Named {
  Op op;
  const char* name;
  const char* doc;
};

constexpr Named unary_functions[] = {
    {Op::abs, "abs", "The absolute value, in the operand's type."},
    {Op::sqrt, "sqrt", "The square root of a float."},
    {Op::exp, "exp", "e to the power of a float."},
    {Op::log, "log", "The natural logarithm of a float."},
    {Op::sin, "sin", "The sine of a float in radians."},
    {Op::cos, "cos", "The cosine of a float in radians."},
    {Op::tan, "tan", "The tangent of a float in radians."},
    {Op::asin, "asin", "The inverse sine, in radians."},
    {Op::acos, "acos", "The inverse cosine, in radians."},
    {Op::atan, "atan", "The inverse tangent, in radians."},
    {Op::sinh, "sinh", "The hyperbolic sine of a float."},
    {Op::cosh, "cosh", "The hyperbolic cosine of a float."},
    {Op::tanh, "tanh", "The hyperbolic tangent of a float."},
    {Op::asinh, "asinh", "The inverse hyperbolic sine of a float."},
    {Op::acosh, "acosh", "The inverse hyperbolic cosine of a float."},
    {Op::atanh, "atanh", "The inverse hyperbolic tangent of a float."},
    {Op::erf, "erf", "The error function of a float."},
    {Op::floor, "floor", "A float rounded towards minus infinity; it stays a float."},
    {Op::ceil, "ceil", "A float rounded towards infinity; it stays a float."},
    {Op::round, "round",
     "A float rounded to the nearest integer, ties to the even one; it stays a float."},
    {Op::trunc, "trunc", "A float rounded towards zero; it stays a float."},
};

constexpr Named binary_functions[] = {
    {Op::min, "min", "a if a < b, else b."},
    {Op::max, "max", "a if a > b, else b."},
    {Op::pow, "pow", "a to the power of b, of floats."},
    {Op::atan2, "atan2", "The angle of the point (b, a) in radians."},
};

void add_choices(nb::module_& m) {
  m.def(
      "cast", [](const TypeName& type, const Operand& e) { return cast(type.value, e.value); },
      "type"_a, "e"_a,
      "e as another type: floats to integers truncate and saturate, integers wrap.");
  m.def(
      "select",
      [](const Operand& condition, const Operand& then, const Operand& otherwise) {
        return select(condition.value, then.value, otherwise.value);
      },
      "condition"_a, "then"_a, "otherwise"_a,
      "\"then\" where the condition holds, else \"otherwise\". Only the side taken is evaluated.");
  m.def(
      "clamp",
      [](const Operand& e, const Operand& lowest, const Operand& highest) {
        return clamp(e.value, lowest.value, highest.value);
      },
      "e"_a, "lowest"_a, "highest"_a, "e, at least \"lowest\" and at most \"highest\".");
}

void add_makers(nb::module_& m) {
  m.def(
      "let", [](const std::string& name, const Operand& e) { return let(name, e.value); }, "name"_a,
      "e"_a, "e, printed as \"name\".");
  m.def(
      "call",
      [](const TypeName& type, const std::string& name, const std::vector<Operand>& args) {
        return call(type.value, name, values_of(args));
      },
      "type"_a, "name"_a, "args"_a,
      "A call of the C function \"name\", which must be pure. Scalars are passed as their C\n"
      "types, arrays (X.array()) as a halide_buffer_t*.");
  m.def(
      "constant",
      [](const TypeName& type, const nb::handle& value) -> Expr {
        if (is_float(type.value))
          return real_constant(type.value, nb::cast<double>(nb::float_(value)));
        const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
        if (!number.is_valid()) throw nb::python_error();
        return constant(type.value, std::int64_t(PyLong_AsUnsignedLongLongMask(number.ptr())));
      },
      "type"_a, "value"_a.sig("float"), "A typed constant: the value wrapped or rounded.");
  m.def(
      "access",
      [](const std::string& name, const TypeName& type, const std::vector<Operand>& indices) {
        return access(name, type.value, values_of(indices));
      },
      "name"_a, "type"_a, "indices"_a,
      "The element of the array of this name, in whatever function it is used.");
}

}  // namespace

void add_functions_of_expressions(nb::module_& m) {
  for (const Named& f : unary_functions)
    m.def(f.name, [&f](const Operand& e) { return make(f.op, {e.value}); }, "e"_a, f.doc);
  for (const Named& f : binary_functions)
    m.def(
        f.name, [&f](const Operand& a, const Operand& b) { return make(f.op, {a.value, b.value}); },
        "a"_a, "b"_a, f.doc);
  add_choices(m);
  add_makers(m);
}

}  // namespace strata::python
