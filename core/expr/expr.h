// Expressions: the right-hand sides of definitions.
//
// An Expr is an immutable, shared tree (a dag, where the author shares parts). It holds no isl
// object, so it outlives sessions and crosses threads. Building one never throws: operators cannot
// know their caller's line, so a mistake (for example, two types that do not mix) becomes an
// "invalid" node that every enclosing expression inherits, and the command that takes the
// expression reports it.
//
// Meaning of the operators, the same in every judge and on every target:
//  - Integers wrap modulo 2^bits, signed ones too.
//  - "/" and "%" of integers round towards minus infinity: a == (a / b) * b + a % b, and a % b has
//    the sign of b.  x / 0 == 0 and x % 0 == 0.
//  - Shifts by a negative count or by the width or more give 0 (-1 for ">>" of a negative value).
//  - float to integer truncates and saturates; NaN gives 0. Integer to integer wraps.
//  - round of a float is to nearest, ties to even: round(0.5) == 0, round(1.5) == 2, and
//    round(-0.5) == -0.
//  - min and max of floats: min(a, b) = a < b ? a : b, so if one operand is NaN the result is the
//    second operand.
//  - select evaluates only the side it takes: a read on the other side does not happen. (A call of
//    scalars may happen there: such a function has no effect, and returns for all operands.)
//  - Types mix only if one of them holds every value of the other (core/type.h). A C++ number
//    takes the type of its partner if that type can represent it (a double rounds to any float).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/type.h"

namespace strata {

// clang-format off
enum class Op {
  invalid,    // name = the explanation, code = its error code
  constant,   // integer or real, by type; literal = may still take its partner's type
  variable,   // name = an iterator (int64)
  parameter,  // name = a parameter of the function (int64)
  access,     // name = an input or computation, args = indices
  load,       // name = a buffer, args = indices; made by code generation, never by authors
  checked,    // args = {index, lower, upper}: the index if lower <= index < upper; else the kernel
              // fails and this is anything in that range.  name = what it is an index of; made by
              // code generation, never by authors
  array,      // name = an input or computation: all its values, which only a call takes. In a loop
              // tree name = a buffer, args = what array_argument says; its type is an element's
  named,      // name, args = {value}: the value, with a name to print it by
  call,       // name = an extern C function of scalars and arrays, args; pure by contract
  reduce,     // reduction, variables = the reduced iterators, args = {body}
  cast,
  select,  // args = {condition, then, else}
  // unary
  negate, logical_not, bit_not, abs, sqrt, exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh,
  tanh, asinh, acosh, atanh, erf, floor, ceil, round, trunc,
  // binary
  add, sub, mul, div, mod, min, max, pow, atan2, shift_left, shift_right, bit_and, bit_or, bit_xor,
  logical_and, logical_or, eq, ne, lt, le, gt, ge,
};
// clang-format on

enum class Reduction { sum, product, minimum, maximum, any, all };

class Expr;
class Var;

// The maker of a handle ("name" is what errors call it): a Function, or an operation of the
// operator graph, to which its accesses lead. All its handles carry one owner and pass it to the
// nodes that they make. Owners are compared by identity. A bare name, access("x", ..) or parsed
// text, has no owner: it is looked up in the function where it is used.
struct Maker {
  explicit Maker(std::string name) : name(std::move(name)) {}
  Maker(const Maker&) = default;
  virtual ~Maker() = default;

  std::string name;
};
using Owner = std::shared_ptr<const Maker>;

struct ExprNode {
  Op op = Op::invalid;
  Type type = i64;
  std::vector<Expr> args;
  std::string name;
  Owner owner;               // of an access, array or parameter made by a handle
  std::int64_t integer = 0;  // an integer constant (uint64: the same bits); 0 or 1 if boolean
  double real = 0;           // a constant of float type, already rounded to it
  bool literal = false;      // a C++ number that has not taken a partner's type yet
  Reduction reduction = Reduction::sum;
  std::vector<Var> variables;
  int depth = 1;  // nodes on the longest path to a leaf
  Code code = Code::E0110_types_do_not_mix;
};

class Expr {
 public:
  Expr() = default;  // undefined
  template <typename T>
    requires(std::integral<T> || std::floating_point<T>)
  Expr(T value) : Expr(number(value)) {}
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  const ExprNode& node() const { return *node_; }
  const ExprNode* identity() const { return node_.get(); }
  Op op() const { return node_->op; }
  Type type() const { return node_->type; }
  const std::vector<Expr>& args() const { return node_->args; }
  const std::string& name() const { return node_->name; }

  // "c ? a : b", "if (c)" and "while (c)" would need a value that exists only when the kernel runs.
  template <std::same_as<bool> Truth>
  explicit operator Truth() const {
    static_assert(!std::same_as<Truth, bool>,
                  "an Expr has no value while the program is built: instead of \"c ? a : b\" or "
                  "\"if (c)\" write select(c, a, b), or X.where(c) for a whole definition");
    return false;
  }

 private:
  template <typename T>
  static Expr number(T value) {
    if constexpr (std::same_as<T, bool>)
      return literal(boolean, value ? 1 : 0);
    else if constexpr (std::floating_point<T>)
      return real_literal(sizeof(T) == 4 ? f32 : f64, double(value));
    else
      return literal(integer_type(sizeof(T), std::signed_integral<T>), std::int64_t(value));
  }
  static Type integer_type(std::size_t size, bool is_signed);
  static Expr literal(Type type, std::int64_t value);
  static Expr real_literal(Type type, double value);

  std::shared_ptr<const ExprNode> node_;
};

// An iterator. With bounds it ranges over lower <= name < upper, which may use parameters and
// earlier iterators; without, its range is inferred from the readers.
class Var {
 public:
  explicit Var(std::string name) : name_(std::move(name)) {}
  // A string literal can be used as a Var: c.vectorize("i", 8).
  template <std::size_t size>
  Var(const char (&name)[size]) : name_(name) {}
  Var(std::string name, Expr lower, Expr upper)
      : name_(std::move(name)), lower_(std::move(lower)), upper_(std::move(upper)) {}

  const std::string& name() const { return name_; }
  bool has_range() const { return lower_.defined(); }
  const Expr& lower() const { return lower_; }
  const Expr& upper() const { return upper_; }
  operator Expr() const;

 private:
  std::string name_;
  Expr lower_, upper_;
};

// A parameter: an integer known only when the kernel is called (int64_t argument).
class Param {
 public:
  explicit Param(std::string name, Owner owner = nullptr)
      : name_(std::move(name)), owner_(std::move(owner)) {}
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }
  operator Expr() const;

 private:
  std::string name_;
  Owner owner_;
};

// ---- making expressions ----

Expr variable(std::string name);
Expr parameter(std::string name, Owner owner = nullptr);
Expr constant(Type type, std::int64_t value);  // a typed constant: "value" wrapped or rounded
Expr real_constant(Type type, double value);   // of a float type (else invalid): "value" rounded
Expr access(std::string name, Type type, std::vector<Expr> indices, Owner owner = nullptr);
Expr load(std::string buffer, Type type, std::vector<Expr> indices);
Expr checked(std::string what, Expr index, Expr lower, Expr upper);
// In a loop tree: e_0, .., e_(r-1) -> the element of the buffer at
//     places[0] + sum_k (e_k - lowers[k]) * (places[k + 1] - places[0]),
// lowers[k] <= e_k < lowers[k] + extents[k]; args = places (r + 1 loads), lowers, extents.
Expr array_argument(std::string buffer, Type type, std::vector<Expr> places,
                    std::vector<Expr> lowers, std::vector<Expr> extents);
// In the algorithm.
Expr array_argument(std::string name, Type type, Owner owner = nullptr);
Expr invalid(Code code, std::string explanation);
// The node "op" on "args": types are checked and mixed by the rule above.
Expr make(Op op, std::vector<Expr> args);
// "a && b"; either may be undefined.
Expr both(const Expr& a, const Expr& b);
// The same node with other arguments of the same types.
Expr with_args(const Expr& e, std::vector<Expr> args);

Expr cast(Type type, Expr e);
Expr select(Expr condition, Expr then, Expr otherwise);
Expr clamp(Expr e, Expr lowest, Expr highest);
// "e", printed as "name".
Expr let(std::string name, Expr e);
// A call of the C function "name", which must be pure. Scalars are passed as their C types, arrays
// (array() of a handle) as a halide_buffer_t* (strata/buffer.h) whose dimension 0 is the array's
// last index, with the least index as its min and any strides.
Expr call(Type type, std::string name, std::vector<Expr> args);

// Reductions over the ranges of iterators: the order of the contributions does not matter (floats
// may be reassociated). An empty range gives the identity: 0, 1, the largest, the smallest value
// (of floats: infinity, -infinity); for any and all, which take booleans, false and true.
Expr sum(std::vector<Var> over, Expr body);
Expr product(std::vector<Var> over, Expr body);
Expr minimum(std::vector<Var> over, Expr body);
Expr maximum(std::vector<Var> over, Expr body);
Expr any(std::vector<Var> over, Expr body);
Expr all(std::vector<Var> over, Expr body);
inline Expr sum(Var k, Expr body) { return sum(std::vector<Var>{std::move(k)}, std::move(body)); }
inline Expr product(Var k, Expr body) {
  return product(std::vector<Var>{std::move(k)}, std::move(body));
}
inline Expr minimum(Var k, Expr body) {
  return minimum(std::vector<Var>{std::move(k)}, std::move(body));
}
inline Expr maximum(Var k, Expr body) {
  return maximum(std::vector<Var>{std::move(k)}, std::move(body));
}
inline Expr any(Var k, Expr body) { return any(std::vector<Var>{std::move(k)}, std::move(body)); }
inline Expr all(Var k, Expr body) { return all(std::vector<Var>{std::move(k)}, std::move(body)); }
// The initial value of a reduction of "type", and one step of it.
Expr identity_of(Reduction reduction, Type type);
Expr combine(Reduction reduction, Expr a, Expr b);

// Operators take anything that converts to Expr, provided one side is an Expr, Var, Param or handle
// and not a plain number.
template <typename T>
concept Operand = std::convertible_to<T, Expr>;
template <typename T>
concept Number =
    std::integral<std::remove_cvref_t<T>> || std::floating_point<std::remove_cvref_t<T>>;
template <typename A, typename B>
concept Operands = Operand<A> && Operand<B> && !(Number<A> && Number<B>);

#define STRATA_BINARY(symbol, op)                \
  template <typename A, typename B>              \
    requires Operands<A, B>                      \
  Expr operator symbol(const A& a, const B& b) { \
    return make(Op::op, {Expr(a), Expr(b)});     \
  }

// a += b: "a" becomes the handle of another expression, a + b.
#define STRATA_ASSIGNING(symbol, op)             \
  template <Operand B>                           \
  Expr& operator symbol(Expr & a, const B & b) { \
    return a = make(Op::op, {a, Expr(b)});       \
  }
STRATA_ASSIGNING(+=, add)
STRATA_ASSIGNING(-=, sub)
STRATA_ASSIGNING(*=, mul)
STRATA_ASSIGNING(/=, div)
STRATA_ASSIGNING(%=, mod)
STRATA_ASSIGNING(<<=, shift_left)
STRATA_ASSIGNING(>>=, shift_right)
STRATA_ASSIGNING(&=, bit_and)
STRATA_ASSIGNING(|=, bit_or)
STRATA_ASSIGNING(^=, bit_xor)
#undef STRATA_ASSIGNING

STRATA_BINARY(+, add)
STRATA_BINARY(-, sub)
STRATA_BINARY(*, mul)
STRATA_BINARY(/, div)
STRATA_BINARY(%, mod)
STRATA_BINARY(<<, shift_left)
STRATA_BINARY(>>, shift_right)
STRATA_BINARY(&, bit_and)
STRATA_BINARY(|, bit_or)
STRATA_BINARY(^, bit_xor)
STRATA_BINARY(&&, logical_and)
STRATA_BINARY(||, logical_or)
STRATA_BINARY(==, eq)
STRATA_BINARY(!=, ne)
STRATA_BINARY(<, lt)
STRATA_BINARY(<=, le)
STRATA_BINARY(>, gt)
STRATA_BINARY(>=, ge)
#undef STRATA_BINARY

#define STRATA_BINARY_FUNCTION(name)           \
  template <typename A, typename B>            \
    requires Operands<A, B>                    \
  Expr name(const A& a, const B& b) {          \
    return make(Op::name, {Expr(a), Expr(b)}); \
  }
STRATA_BINARY_FUNCTION(min)
STRATA_BINARY_FUNCTION(max)
STRATA_BINARY_FUNCTION(pow)
STRATA_BINARY_FUNCTION(atan2)
#undef STRATA_BINARY_FUNCTION

#define STRATA_UNARY(signature, op) \
  template <Operand A>              \
    requires(!Number<A>)            \
  Expr signature(const A& a) {      \
    return make(Op::op, {Expr(a)}); \
  }
STRATA_UNARY(operator-, negate)
STRATA_UNARY(operator!, logical_not)
STRATA_UNARY(operator~, bit_not)
STRATA_UNARY(abs, abs)
STRATA_UNARY(sqrt, sqrt)
STRATA_UNARY(exp, exp)
STRATA_UNARY(log, log)
STRATA_UNARY(sin, sin)
STRATA_UNARY(cos, cos)
STRATA_UNARY(tan, tan)
STRATA_UNARY(asin, asin)
STRATA_UNARY(acos, acos)
STRATA_UNARY(atan, atan)
STRATA_UNARY(sinh, sinh)
STRATA_UNARY(cosh, cosh)
STRATA_UNARY(tanh, tanh)
STRATA_UNARY(asinh, asinh)
STRATA_UNARY(acosh, acosh)
STRATA_UNARY(atanh, atanh)
STRATA_UNARY(erf, erf)
STRATA_UNARY(floor, floor)
STRATA_UNARY(ceil, ceil)
STRATA_UNARY(round, round)
STRATA_UNARY(trunc, trunc)
#undef STRATA_UNARY

// ---- looking into expressions ----

// The first mistake inside "e", or null.
const ExprNode* find_invalid(const Expr& e);
// Visits every node once, arguments before the node.
void visit(const Expr& e, const std::function<void(const Expr&)>& visitor);
// Rebuilds "e" bottom-up; "replace" maps a node (with rebuilt arguments) to its replacement, or to
// an undefined Expr to keep it.
Expr rewrite(const Expr& e, const std::function<Expr(const Expr&)>& replace);
// The iterators that "e" uses and no reduction inside it binds.
std::set<std::string> free_variables(const Expr& e);
// Replaces free iterators by expressions, by name; an undefined Expr keeps the iterator. Reduced
// iterators are renamed to avoid capture.
Expr substitute(const Expr& e, const std::function<Expr(const std::string&)>& value_of);
// True if a call in "e" takes an array.
bool takes_arrays(const Expr& e);
// True for the same tree, node by node: a literal equals the constant of its type, and owners are
// ignored where one of them is null.
bool same(const Expr& a, const Expr& b);

std::string to_string(Op op);
std::string to_string(Reduction reduction);
std::optional<Reduction> reduction_named(std::string_view name);

}  // namespace strata
