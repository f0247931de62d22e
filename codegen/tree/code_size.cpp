#include "codegen/tree/code_size.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/tree/realization.h"

namespace strata {

namespace {

constexpr double register_bytes = 64;
constexpr double loop_overhead = 2;
constexpr double pairs_of_operations = 4000;
constexpr double wide_vectors = 1000;
constexpr double many_pieces = 100;
constexpr double many_vectors = 220;

bool is_leaf(const Expr& e) {
  return e.op() == Op::constant || e.op() == Op::variable || e.op() == Op::parameter;
}

class Operations {
 public:
  double of(const Expr& e) {
    if (!e.defined() || is_leaf(e) || !seen_.insert(e.identity()).second) return 0;
    double sum = 1;
    for (const Expr& argument : e.args()) sum += of(argument);
    return sum;
  }
  double of(const std::vector<Expr>& list) {
    double sum = 0;
    for (const Expr& e : list) sum += of(e);
    return sum;
  }

 private:
  std::set<const ExprNode*> seen_;
};

// The complete pieces seen so far, and the current piece.
struct Size {
  double size = 0, pieces = 0;
  double straight = 0, quadratic = 0, scalars = 0, vectors = 0;

  Size& operator+=(const Size& other) {
    size += other.size;
    pieces += other.pieces;
    straight += other.straight;
    quadratic += other.quadratic;
    scalars += other.scalars;
    vectors += other.vectors;
    return *this;
  }
  Size times(double c) const {
    return {c * size, c * pieces, c * straight, c * quadratic, c * scalars, c * vectors};
  }

  // With the current piece as one more complete one.
  Size completed(double overhead) const {
    const double piece = straight + quadratic * straight / pairs_of_operations + scalars * scalars +
                         vectors * vectors * vectors / many_vectors;
    return {size + piece, pieces + 1, overhead, overhead};
  }
};

class Measure {
 public:
  CodeSize of(const Kernel& kernel) {
    const Size all = size(kernel.body).completed(0);
    result_.units = all.size * (1 + all.pieces / many_pieces);
    return result_;
  }

 private:
  Size size(const StmtPtr& stmt) {
    if (const auto* loop = std::get_if<For>(stmt.get())) return of(*loop);
    if (const auto* s = std::get_if<Execute>(stmt.get())) return of(*s);
    Size sum;
    if (const auto* a = std::get_if<Allocate>(stmt.get()))
      if (is_on_stack(*a)) on_stack_.insert(a->buffer);
    if (const auto* s = std::get_if<If>(stmt.get()))
      sum = straight_code(Operations().of(s->condition) * weight(i64));
    for_each_inside(*stmt, [&](const StmtPtr& part) { sum += size(part); });
    return sum;
  }

  Size of(const For& loop) {
    if (loop.processor != Processor::block || in_launch_) return of_loop(loop);
    in_launch_ = true;
    const Size size = of_loop(loop);
    in_launch_ = false;
    return size;
  }

  Size of_loop(const For& loop) {
    const bool constant = loop.extent && *loop.extent > 1;
    const bool lanes = has_lanes(loop.processor) && loop.lockstep;
    const bool copies = is_copied(loop.processor);
    if (!constant || !(lanes || copies)) {
      if (loop.extent && *loop.extent <= 1) return *loop.extent == 1 ? size(loop.body) : Size();
      return size(loop.body).completed(loop_overhead);
    }
    const double before = lanes ? lanes_ : copies_;
    (lanes ? lanes_ : copies_) *= double(*loop.extent);
    around_.push_back({loop.name, loop.processor, *loop.extent});
    const Size inside = size(loop.body);
    around_.pop_back();
    (lanes ? lanes_ : copies_) = before;
    return lanes ? inside : inside.times(double(*loop.extent));
  }

  Size of(const Execute& s) {
    Operations operations;
    double sum = (1 + operations.of(s.value)) * weight(s.value.type());
    for (const Execute::Other& other : s.others)
      sum += (1 + operations.of(other.value)) * weight(other.value.type());
    sum += operations.of(s.indices);
    if (sum * copies_ > largest_) {
      largest_ = sum * copies_;
      result_.computation = s.computation;
      result_.loops = around_;
    }
    Size size = straight_code(sum);
    if (in_launch_) return size;
    if (lanes_ == 1)
      size.scalars = 1;
    else if (moves_memory(s))
      size.vectors = registers(s.value.type());
    return size;
  }

  // Does it store what it computes from memory in memory?
  bool moves_memory(const Execute& s) const {
    if (on_stack_.count(s.buffer)) return false;
    bool loads = false;
    visit(s.value,
          [&](const Expr& e) { loads |= e.op() == Op::load && !on_stack_.count(e.name()); });
    return loads;
  }

  Size straight_code(double operations) const {
    return {0, 0, operations, in_launch_ ? 0 : operations};
  }

  double registers(Type type) const {
    return std::max(1.0, std::ceil(lanes_ * bytes(type) / register_bytes));
  }

  double weight(Type type) const {
    const double count = registers(type);
    return count + count * count * count / wide_vectors;
  }

  CodeSize result_;
  double largest_ = 0;
  double lanes_ = 1, copies_ = 1;
  bool in_launch_ = false;
  std::set<std::string> on_stack_;  // buffers
  std::vector<CopyingLoop> around_;
};

}  // namespace

CodeSize code_size(const Kernel& kernel) { return Measure().of(kernel); }

}  // namespace strata
