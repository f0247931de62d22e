#include "tests/unit/codegen/plain_value.h"

#include <algorithm>
#include <stdexcept>

namespace strata::test {

namespace {

using Wide = __int128;

std::int64_t wrapped(Type type, Wide value) {
  switch (type) {
    case Type::boolean: return value != 0;
    case Type::int8: return std::int8_t(value);
    case Type::int16: return std::int16_t(value);
    case Type::int32: return std::int32_t(value);
    case Type::uint8: return std::uint8_t(value);
    case Type::uint16: return std::uint16_t(value);
    case Type::uint32: return std::uint32_t(value);
    default: return std::int64_t(std::uint64_t(value));
  }
}

Wide floor_quotient(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

Wide operation(Op op, Wide a, Wide b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return b == 0 ? 0 : floor_quotient(a, b);
    case Op::mod: return b == 0 ? 0 : a - b * floor_quotient(a, b);
    case Op::min: return std::min(a, b);
    case Op::max: return std::max(a, b);
    case Op::shift_left:
      return b < 0 || b > 63 ? Wide(0) : Wide(std::uint64_t(a) << std::uint64_t(b));
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    case Op::logical_and: return a != 0 && b != 0;
    default: throw std::logic_error("not an operation of indices");
  }
}

struct Value {
  std::int64_t number;
  bool is_index;
};

class Walk {
 public:
  explicit Walk(const Numbers& at) : at_(at) {}
  bool is_beyond = false;

  Value of(const Expr& e) {
    const auto& args = e.args();
    switch (e.op()) {
      case Op::constant: return {e.node().integer, true};
      case Op::parameter: return {at_.n, true};
      case Op::variable: return {e.name() == "k" ? at_.k : at_.i, true};
      case Op::load: return {wrapped(e.type(), at_.data[std::size_t(of(args[0]).number)]), false};
      case Op::cast: return {wrapped(e.type(), of(args[0]).number), false};
      case Op::select: return of(args[of(args[0]).number != 0 ? 1 : 2]);
      default: break;
    }
    const Value a = of(args[0]), b = args.size() > 1 ? of(args[1]) : Value{0, true};
    const Wide result = args.size() > 1        ? operation(e.op(), a.number, b.number)
                        : e.op() == Op::negate ? -Wide(a.number)
                                               : Wide(a.number == 0);
    const bool index = a.is_index && b.is_index;
    const Wide end = Wide{1} << 61;
    is_beyond = is_beyond || (index && (result < -end || result > end));
    return {wrapped(e.type(), result), index};
  }

 private:
  const Numbers& at_;
};

}  // namespace

std::string Numbers::text() const {
  std::string result = "k = " + std::to_string(k) + ", i = " + std::to_string(i) +
                       ", N = " + std::to_string(n) + ", x =";
  for (const std::int64_t x : data) result += " " + std::to_string(x);
  return result;
}

std::optional<std::int64_t> plain_value(const Expr& e, const Numbers& at) {
  Walk walk(at);
  const std::int64_t value = walk.of(e).number;
  return walk.is_beyond ? std::nullopt : std::optional(value);
}

}  // namespace strata::test
