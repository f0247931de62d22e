#include "tests/fuzz/operations.h"

#include <algorithm>
#include <limits>

#include "layers/define/build.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

const Request drawing{"operations drawn", {"operations", 0}};

// Elements beside those of N, so that most edges are met.
constexpr std::int64_t elements = 40;

const std::vector<Type>& numbers() {
  static const std::vector<Type> all{i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64};
  return all;
}

bool is_between(Op first, Op op, Op last) { return first <= op && op <= last; }
bool is_comparison(Op op) { return is_between(Op::eq, op, Op::ge); }
bool is_logical(Op op) {
  return op == Op::logical_not || op == Op::logical_and || op == Op::logical_or;
}
bool is_of_integers(Op op) {
  return op == Op::bit_not || op == Op::mod || is_between(Op::shift_left, op, Op::bit_xor);
}
bool is_of_floats(Op op) { return op == Op::sqrt || !is_the_same_everywhere(op); }
bool is_unary(Op op) { return op < Op::add; }

// May "op" have a result of this type?
bool may_give(Op op, Type type) {
  if (is_comparison(op) || is_logical(op)) return type == boolean;
  if (is_of_integers(op)) return is_integer(type);
  return is_of_floats(op) ? is_float(type) : type != boolean;
}

std::vector<Expr> edges_of(Type type) {
  std::vector<Expr> all;
  if (!is_float(type)) {
    const int width = bits(type);
    for (const int shift : {width - 1, width - 2, width / 2, 1})
      for (const std::int64_t around : {-1, 0, 1})
        all.push_back(constant(type, std::int64_t(std::uint64_t{1} << shift) + around));
    for (const std::int64_t small : {-1, 0, 3}) all.push_back(constant(type, small));
    return all;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const double half_place = type == f64 ? 4503599627370495.5 : type == f32 ? 8388607.5 : 127.5;
  for (const double x : {0.0, 0.5, 1.5, 2.5, 0.25, 1.0, 127.0, 32768.0, 2147483648.0, 1e18,
                         half_place, 5e-324, 1e-40, 3e38, infinity})
    for (const double sign : {1.0, -1.0}) all.push_back(real_constant(type, sign * x));
  all.push_back(real_constant(type, std::numeric_limits<double>::quiet_NaN()));
  return all;
}

class Operations {
 public:
  Operations(Random& random, Hardware hardware) : random_(random), hardware_(hardware) {
    for (const Op op : all_operations())
      if (hardware == Hardware::cpu || is_the_same_everywhere(op)) choices_.push_back(op);
    Program& program = drawn_.program;
    program = new_program(std::make_shared<Session>(), "f", drawing);
    program = with_parameter(program, "N", drawing);
    program = with_assumption(program, n >= 0, drawing);
    program = with_input(program, "which", i32, {n + elements}, drawing);
  }

  DrawnOperations draw() {
    const std::int64_t count = between(random_, 1, 3);
    for (std::int64_t c = 0; c < count; ++c) add("S" + std::to_string(c));
    return drawn_;
  }

 private:
  void add(const std::string& name) {
    NewDefinition d;
    d.array = name;
    d.iterators = {Var("i", 0, n + elements)};
    d.value = value(any_type(), 3);
    drawn_.program = with_definition(drawn_.program, d, drawing);
    schedule(name);
  }

  Expr value(Type type, int depth) {
    if (depth == 0) return edge(type);
    const std::int64_t kind = between(random_, 0, 9);
    if (kind == 0) return cast(type, value(any_type(), depth - 1));
    if (kind == 1) {
      const Expr condition = value(boolean, depth - 1);
      const Expr then = value(type, depth - 1);
      return select(condition, then, value(type, depth - 1));
    }
    return operation(type, depth);
  }

  // The operations of one kind of result are equally likely, whatever their operands.
  Expr operation(Type type, int depth) {
    Op op = one_of(random_, choices_);
    while (!may_give(op, type)) op = one_of(random_, choices_);
    drawn_.operations.insert(op);
    const Type of = is_comparison(op) ? one_of(random_, numbers()) : type;
    const Expr a = value(of, depth - 1);
    if (is_unary(op)) return make(op, {a});
    return make(op, {a, value(of, depth - 1)});
  }

  Type any_type() { return chance(random_, 15) ? boolean : one_of(random_, numbers()); }

  // An input's element, or one of a few edges, as the data say.
  Expr edge(Type type) {
    if (type == boolean) return bit(between(random_, 0, 20)) == constant(i32, 1);
    Expr result = access(input_of(type), type, {variable("i")});
    const std::vector<Expr> edges = edges_of(type);
    for (std::int64_t count = between(random_, 1, 4); count > 0; --count) {
      const Expr is_edge = bit(between(random_, 0, 20)) == constant(i32, 1);
      result = select(is_edge, one_of(random_, edges), result);
    }
    return chance(random_, 15) ? one_of(random_, edges) : result;
  }

  static Expr bit(std::int64_t at) {
    return (access("which", i32, {variable("i")}) >> constant(i32, at)) & constant(i32, 1);
  }

  std::string input_of(Type type) {
    const std::string name = "in_" + to_string(type);
    if (!drawn_.program.algorithm->find_input(name))
      drawn_.program = with_input(drawn_.program, name, type, {n + elements}, drawing);
    return name;
  }

  void schedule(const std::string& name) {
    const std::int64_t lanes = one_of(random_, std::vector<std::int64_t>{2, 3, 4, 8, 16});
    const bool in_vectors = chance(random_, 65);
    const LoopRef i{name, "i"}, rest{name, "q"}, vector{name, "v"};
    if (in_vectors) {
      drawn_.give("split", {i, lanes, "q", "v"});
      drawn_.give("vectorize", {vector});
    }
    if (hardware_ == Hardware::gpu)
      drawn_.give("gpu_tile", {in_vectors ? rest : i, between(random_, 2, 8), "b", "t"});
  }

  Random& random_;
  const Hardware hardware_;
  std::vector<Op> choices_;
  DrawnOperations drawn_;
};

}  // namespace

bool is_the_same_everywhere(Op op) {
  return !is_between(Op::exp, op, Op::erf) && op != Op::pow && op != Op::atan2;
}

std::vector<Op> all_operations() {
  std::vector<Op> all;
  for (int op = int(Op::negate); op <= int(Op::ge); ++op) all.push_back(Op(op));
  return all;
}

DrawnOperations draw_operations(Random& random, Hardware hardware) {
  return Operations(random, hardware).draw();
}

}  // namespace strata::fuzz
