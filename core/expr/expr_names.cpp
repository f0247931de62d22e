#include <array>

#include "core/expr/expr_typing.h"

namespace strata {

namespace {

struct OpName {
  Op op;
  std::string_view name;
  std::string_view infix;
};

// In the order of the enumeration.
constexpr std::array<OpName, 59> op_names{{
    {Op::invalid, "invalid", ""},
    {Op::constant, "constant", ""},
    {Op::variable, "variable", ""},
    {Op::parameter, "parameter", ""},
    {Op::access, "access", ""},
    {Op::load, "load", ""},
    {Op::checked, "checked", ""},
    {Op::array, "array", ""},
    {Op::named, "named", ""},
    {Op::call, "call", ""},
    {Op::reduce, "reduce", ""},
    {Op::cast, "cast", ""},
    {Op::select, "select", ""},
    {Op::negate, "negate", ""},
    {Op::logical_not, "logical_not", ""},
    {Op::bit_not, "bit_not", ""},
    {Op::abs, "abs", ""},
    {Op::sqrt, "sqrt", ""},
    {Op::exp, "exp", ""},
    {Op::log, "log", ""},
    {Op::sin, "sin", ""},
    {Op::cos, "cos", ""},
    {Op::tan, "tan", ""},
    {Op::asin, "asin", ""},
    {Op::acos, "acos", ""},
    {Op::atan, "atan", ""},
    {Op::sinh, "sinh", ""},
    {Op::cosh, "cosh", ""},
    {Op::tanh, "tanh", ""},
    {Op::asinh, "asinh", ""},
    {Op::acosh, "acosh", ""},
    {Op::atanh, "atanh", ""},
    {Op::erf, "erf", ""},
    {Op::floor, "floor", ""},
    {Op::ceil, "ceil", ""},
    {Op::round, "round", ""},
    {Op::trunc, "trunc", ""},
    {Op::add, "add", "+"},
    {Op::sub, "sub", "-"},
    {Op::mul, "mul", "*"},
    {Op::div, "div", "/"},
    {Op::mod, "mod", "%"},
    {Op::min, "min", ""},
    {Op::max, "max", ""},
    {Op::pow, "pow", ""},
    {Op::atan2, "atan2", ""},
    {Op::shift_left, "shift_left", "<<"},
    {Op::shift_right, "shift_right", ">>"},
    {Op::bit_and, "bit_and", "&"},
    {Op::bit_or, "bit_or", "|"},
    {Op::bit_xor, "bit_xor", "^"},
    {Op::logical_and, "logical_and", "&&"},
    {Op::logical_or, "logical_or", "||"},
    {Op::eq, "eq", "=="},
    {Op::ne, "ne", "!="},
    {Op::lt, "lt", "<"},
    {Op::le, "le", "<="},
    {Op::gt, "gt", ">"},
    {Op::ge, "ge", ">="},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < op_names.size(); ++i)
    if (static_cast<std::size_t>(op_names[i].op) != i) return false;
  return static_cast<std::size_t>(Op::ge) + 1 == op_names.size();
}
static_assert(in_order());

const OpName& name_of(Op op) { return op_names[static_cast<std::size_t>(op)]; }

}  // namespace

std::string to_string(Op op) { return std::string(name_of(op).name); }
std::string_view infix_symbol(Op op) { return name_of(op).infix; }
bool is_unary(Op op) { return Op::negate <= op && op <= Op::trunc; }
bool is_binary(Op op) { return Op::add <= op; }

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 6> reduction_names{"sum",     "product", "minimum",
                                                          "maximum", "any",     "all"};

}  // namespace

std::string to_string(Reduction reduction) {
  return std::string(reduction_names[static_cast<std::size_t>(reduction)]);
}

std::optional<Reduction> reduction_named(std::string_view name) {
  for (std::size_t i = 0; i < reduction_names.size(); ++i)
    if (reduction_names[i] == name) return static_cast<Reduction>(i);
  return std::nullopt;
}

}  // namespace strata
