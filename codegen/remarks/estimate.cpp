#include "codegen/remarks/estimate.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/floor_quotient.h"

namespace strata {

namespace {

using Integer = std::int64_t;
using Estimate = std::optional<Integer>;

constexpr Integer usual_sizes[] = {1000, 1024, 960, 512, 100, 64, 32, 16, 8, 4, 2, 1};

Integer wrapped(std::uint64_t bits) { return Integer(bits); }

// Arithmetic modulo 2^64; "/" and "%" floor, and give 0 for a divisor of 0.
Estimate of_numbers(Op op, Integer a, Integer b) {
  const auto x = std::uint64_t(a), y = std::uint64_t(b);
  switch (op) {
    case Op::add: return wrapped(x + y);
    case Op::sub: return wrapped(x - y);
    case Op::mul: return wrapped(x * y);
    case Op::div: return b == 0 ? 0 : b == -1 ? wrapped(0 - x) : floor_quotient(a, b);
    case Op::mod: return b == 0 || b == -1 ? 0 : a - b * floor_quotient(a, b);
    case Op::min: return std::min(a, b);
    case Op::max: return std::max(a, b);
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::logical_and: return a && b;
    case Op::logical_or: return a || b;
    default: return std::nullopt;
  }
}

Estimate of_select(const Expr& e, const Values& values) {
  const Estimate condition = estimated(e.args()[0], values);
  if (!condition) return std::nullopt;
  return estimated(e.args()[*condition ? 1 : 2], values);
}

}  // namespace

std::optional<std::int64_t> estimated(const Expr& e, const Values& values) {
  if (e.op() == Op::constant) return e.node().integer;
  if (e.op() == Op::variable || e.op() == Op::parameter) {
    const auto found = values.find(e.name());
    return found == values.end() ? Estimate() : found->second;
  }
  if (e.op() == Op::select) return of_select(e, values);
  if (e.op() == Op::named || e.op() == Op::cast) return estimated(e.args()[0], values);
  if (e.args().empty() || e.args().size() > 2) return std::nullopt;
  const Estimate a = estimated(e.args()[0], values);
  if (!a) return std::nullopt;
  if (e.op() == Op::negate) return of_numbers(Op::sub, 0, *a);
  if (e.op() == Op::logical_not) return !*a;
  if (e.args().size() != 2) return std::nullopt;
  const Estimate b = estimated(e.args()[1], values);
  return b ? of_numbers(e.op(), *a, *b) : std::nullopt;
}

double estimated_cycles(const Work& work, const Values& values) {
  double sum = work.cycles;
  for (const RepeatedWork& part : work.loops) {
    const Estimate lower = estimated(part.loop->lower, values);
    const Estimate upper = estimated(part.loop->upper, values);
    if (!lower || !upper) return std::numeric_limits<double>::infinity();
    if (*upper <= *lower) continue;
    Values inside = values;
    inside[part.loop->variable] = middle(*lower, *upper);
    sum += double(*upper - *lower) * estimated_cycles(part.inside, inside);
  }
  for (const ConditionalWork& part : work.conditions)
    sum += estimated_cycles(estimated(part.condition, values) == 0 ? part.otherwise : part.then,
                            values);
  return sum;
}

std::int64_t middle(std::int64_t lower, std::int64_t upper) {
  return lower + std::max<std::int64_t>(upper - lower, 0) / 2;
}

Values typical_sizes(const Kernel& kernel, const Values& given) {
  const auto all = [&](Integer size) {
    Values values = given;
    for (const std::string& name : kernel.parameters) values.emplace(name, size);
    for (const SizeRead& read : kernel.sizes) values.emplace(read.parameter, size);
    return values;
  };
  for (const Integer size : usual_sizes) {
    const Values values = all(size);
    const auto holds = [&](const Assumption& a) { return estimated(a.condition, values) != 0; };
    if (std::all_of(kernel.assumptions.begin(), kernel.assumptions.end(), holds)) return values;
  }
  return all(usual_sizes[0]);
}

}  // namespace strata
