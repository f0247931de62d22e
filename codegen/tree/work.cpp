#include "codegen/tree/work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "codegen/tree/operations.h"
#include "codegen/tree/realization.h"

namespace strata {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double slow_operation = 8, function = 30, atomic_step = 20, allocation = 100;
constexpr std::size_t most_parts = 64;

// A division by a constant is a product.
bool is_slow(const Expr& e) {
  if (e.op() == Op::sqrt) return true;
  return (e.op() == Op::div || e.op() == Op::mod) && e.args()[1].op() != Op::constant;
}

// The operations of the values of a statement, by what they cost.
struct Mix {
  double products = 0, sums = 0, others = 0, slow = 0, functions = 0;
  bool is_known = true;

  void add(const Expr& e) {
    const bool number = e.type() != boolean;
    if (e.op() == Op::call || e.op() == Op::array)
      is_known = false;
    else if (is_c_function(e.op()))
      ++functions;
    else if (is_slow(e))
      ++slow;
    else if (e.op() == Op::mul || e.op() == Op::div)
      ++products;
    else if ((e.op() == Op::add || e.op() == Op::sub) && number)
      ++sums;
    else
      ++others;
  }

  // Vectors of operations that take 1 / fma_units cycles each.
  double fast() const { return std::max(products, sums) + others; }
};

bool is_leaf(Op op) {
  return op == Op::constant || op == Op::variable || op == Op::parameter || op == Op::named ||
         op == Op::cast;
}

void count(const Expr& e, Mix& mix, std::set<const ExprNode*>& seen) {
  if (!e.defined() || !seen.insert(e.identity()).second) return;
  if (e.op() == Op::load || e.op() == Op::checked) return;
  if (!is_leaf(e.op())) mix.add(e);
  for (const Expr& argument : e.args()) count(argument, mix, seen);
}

Mix mix_of(const Execute& s) {
  Mix mix;
  std::set<const ExprNode*> seen;
  count(s.value, mix, seen);
  for (const Execute::Other& other : s.others) count(other.value, mix, seen);
  return mix;
}

// Is there no loop in the code of a statement?
bool is_straight(const StmtPtr& stmt) {
  const auto* loop = std::get_if<For>(stmt.get());
  if (loop && is_loop(*loop) && loop->extent != 1) return false;
  bool straight = true;
  for_each_inside(*stmt, [&](const StmtPtr& part) { straight = straight && is_straight(part); });
  return straight;
}

class Measurement {
 public:
  explicit Measurement(const Machine& machine) : machine_(machine) {}

  Work of(const StmtPtr& stmt) {
    if (const auto* loop = std::get_if<For>(stmt.get())) return in_loop(*loop);
    if (const auto* s = std::get_if<Execute>(stmt.get())) return {cycles_of(*s), {}, {}};
    if (const auto* s = std::get_if<If>(stmt.get())) return of(*s);
    Work sum;
    if (const auto* s = std::get_if<Allocate>(stmt.get()))
      if (!is_on_stack(*s)) sum.cycles = allocation;
    for_each_inside(*stmt, [&](const StmtPtr& part) { add(sum, of(part)); });
    return sum;
  }

  Work repeated(const For& loop) {
    const std::string before = inner_;
    if (loop.extent != 1) inner_ = loop.variable;
    Work inside = of(loop.body);
    inner_ = before;
    inside.cycles = inside.is_constant() ? std::max(inside.cycles, 1.0) : inside.cycles + 1;
    if (depends_on_data(loop.lower) || depends_on_data(loop.upper)) inside.cycles = unknown;
    if (++parts_ > most_parts) inside.cycles = unknown;
    return {0, {{&loop, std::move(inside)}}, {}};
  }

 private:
  static void add(Work& sum, Work more) {
    sum.cycles += more.cycles;
    for (RepeatedWork& loop : more.loops) sum.loops.push_back(std::move(loop));
    for (ConditionalWork& part : more.conditions) sum.conditions.push_back(std::move(part));
  }

  // A condition that depends on data may hold and may not; one that masks lanes holds for most.
  Work of(const If& branch) {
    Work then = of(branch.then), otherwise = branch.otherwise ? of(branch.otherwise) : Work();
    const bool small = then.is_constant() && otherwise.is_constant();
    if (branch.masks || small || depends_on_data(branch.condition)) {
      Work sum{1, {}, {}};
      add(sum, std::move(then));
      add(sum, std::move(otherwise));
      return sum;
    }
    if (++parts_ > most_parts) then.cycles = unknown;
    return {1, {}, {{branch.condition, std::move(then), std::move(otherwise)}}};
  }

  Work in_loop(const For& loop) {
    if (loop.extent && *loop.extent <= 0) return {};
    const bool straight = is_straight(loop.body);
    if (straight && loop.extent == 1) return of(loop.body);
    if (straight && !is_loop(loop)) return in_copies(loop);
    Work work = repeated(loop);
    const Work& inside = work.loops[0].inside;
    if (!loop.extent || !inside.is_constant()) return work;
    --parts_;
    return {double(*loop.extent) * inside.cycles, {}, {}};
  }

  Work in_copies(const For& loop) {
    copies_.push_back(&loop);
    Work work = of(loop.body);
    copies_.pop_back();
    return work;
  }

  // The copies of what has these indices, or of a whole statement. Lanes count as registers.
  double registers(Type type, const std::vector<Expr>* indices) const {
    double count = 1;
    for (const For* loop : copies_) {
      if (indices && !depends_on(*indices, loop->variable)) continue;
      const double extent = double(*loop->extent);
      count *= is_vector(*loop) ? std::ceil(extent / double(machine_.lanes(type))) : extent;
    }
    return count;
  }

  double values(const std::vector<Expr>& indices) const {
    double count = 1;
    for (const For* loop : copies_)
      if (depends_on(indices, loop->variable)) count *= double(*loop->extent);
    return count;
  }

  bool stays(const std::vector<Expr>& indices) const {
    return !inner_.empty() && !depends_on(indices, inner_);
  }

  double cycles_of(const Execute& s) const {
    const Mix mix = mix_of(s);
    if (!mix.is_known) return unknown;
    const Type type = s.value.type();
    const double all = registers(type, nullptr);
    double scalars = 1;
    for (const For* loop : copies_) scalars *= double(*loop->extent);
    const double operations = all * mix.fast() / machine_.fma_units +
                              all * mix.functions * function +
                              (is_float(type) ? all : scalars) * mix.slow * slow_operation;
    double loads = 0, stores = registers(type, &s.indices) * double(1 + s.others.size());
    for (const Expr& load : loads_of(s)) loads += cycles_of_load(load);
    if (s.atomic)
      stores = atomic_step * scalars;
    else if (stays(s.indices))
      stores = machine_.fma_latency;
    return std::max({operations, loads, stores});
  }

  double cycles_of_load(const Expr& load) const {
    const bool data = std::any_of(load.args().begin(), load.args().end(), depends_on_data);
    if (data) return values(load.args());
    if (stays(load.args())) return 0;
    return registers(load.type(), &load.args()) / machine_.loads;
  }

  const Machine& machine_;
  std::string inner_;               // the iterator of the innermost loop in the code
  std::vector<const For*> copies_;  // the loops inside it, lanes and copies
  std::size_t parts_ = 0;
};

}  // namespace

Work work_of(const For& loop, const Machine& machine) {
  return Measurement(machine).repeated(loop);
}

bool is_unknown(const Work& work) {
  return std::isinf(work.cycles) ||
         std::any_of(work.loops.begin(), work.loops.end(),
                     [](const RepeatedWork& part) { return is_unknown(part.inside); }) ||
         std::any_of(work.conditions.begin(), work.conditions.end(),
                     [](const ConditionalWork& part) {
                       return is_unknown(part.then) || is_unknown(part.otherwise);
                     });
}

}  // namespace strata
