#include "codegen/halide/emit/short_positions.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "codegen/halide/arithmetic/operations.h"
#include "codegen/tree/realization.h"
#include "core/expr/linear_terms.h"

namespace strata::halide {

namespace {

using Halide::Internal::make_const;

constexpr std::int64_t largest_shift = std::int64_t{1} << 30;

HExpr as_word(const HExpr& e) { return Halide::cast(Halide::UInt(32), e); }
HExpr as_word(std::int64_t value) {
  return make_const(Halide::UInt(32), value & std::int64_t{0xffffffff});
}

// The iterator of a loop: its lower bound and the number of the step, which has 32 bits.
HExpr iterator_as_word(const HExpr& e) {
  if (const auto* sum = e.as<Halide::Internal::Add>())
    return iterator_as_word(sum->a) + iterator_as_word(sum->b);
  const auto* widened = e.as<Halide::Internal::Cast>();
  return as_word(widened && widened->value.type().bits() == 32 ? widened->value : e);
}

// True for types whose values fit in a signed number of 32 bits.
bool is_small_integer(Type type) {
  return is_integer(type) && (bits(type) < 32 || type == Type::int32);
}

bool is_widened(const Expr& e) {
  return e.op() == Op::cast && e.type() == Type::int64 && is_integer(e.args()[0].type()) &&
         bits(e.args()[0].type()) <= 32;
}

bool is_converted_float(const Expr& e) {
  const bool cast = e.op() == Op::cast && e.type() == Type::int64;
  return cast && (e.args()[0].type() == Type::float32 || e.args()[0].type() == Type::float64);
}

bool is_extremum(Op op) { return op == Op::min || op == Op::max; }

// a + c, c + a or a - c.
struct Offset {
  Expr rest;
  std::int64_t constant;
};
std::optional<Offset> offset_of(const Expr& e) {
  if (e.op() != Op::add && e.op() != Op::sub) return std::nullopt;
  const Expr &a = e.args()[0], &b = e.args()[1];
  const auto limited = [](std::int64_t c) {
    return -2 * largest_shift < c && c < 2 * largest_shift;
  };
  if (b.op() == Op::constant && limited(b.node().integer))
    return Offset{a, e.op() == Op::add ? b.node().integer : -b.node().integer};
  if (e.op() == Op::add && a.op() == Op::constant && limited(a.node().integer))
    return Offset{b, a.node().integer};
  return std::nullopt;
}

}  // namespace

bool ShortPositions::is_uniform(const Expr& e) {
  return uniform_(e, [&] {
    if (e.op() == Op::variable) return e.name() != lane_;
    return std::all_of(e.args().begin(), e.args().end(),
                       [&](const Expr& arg) { return is_uniform(arg); });
  });
}

bool ShortPositions::has(const Expr& load) {
  if (lane_.empty() || bytes(load.type()) < 4) return false;
  bool linear = true;
  for (const Expr& index : load.args()) {
    if (!is_short(index)) return false;
    for (const LinearTerm& term : linear_terms(index, 1, terms_of_sum))
      linear = linear && (term.e.op() == Op::variable || is_uniform(term.e));
  }
  return !linear;
}

bool ShortPositions::is_short(const Expr& index) {
  const auto shift = shift_of(index);
  return (shift && is_limited(index, *shift)) || is_word(index);
}

// True if "e" modulo 2^32 is made of parts of 32 bits.
bool ShortPositions::is_word(const Expr& e) {
  return is_word_(e, [&] {
    const auto all = [&] {
      return std::all_of(e.args().begin(), e.args().end(),
                         [&](const Expr& arg) { return is_word(arg); });
    };
    if (is_uniform(e) || e.op() == Op::variable || is_widened(e)) return true;
    const bool is_sum = e.op() == Op::add || e.op() == Op::sub || e.op() == Op::negate;
    return (is_sum || e.op() == Op::mul || e.op() == Op::named || e.op() == Op::checked) && all();
  });
}

// True if [e - shift] is made of parts of 32 bits.
bool ShortPositions::is_limited(const Expr& e, std::int64_t shift) {
  const auto found = [&] {
    if (std::abs(shift) > largest_shift) return false;
    if (is_uniform(e)) return is_inside(exactness_.values_of(e), index_range);
    if (is_widened(e))
      return is_small_integer(e.args()[0].type()) && (shift == 0 || bits(e.args()[0].type()) < 32);
    if (is_converted_float(e)) return shift == 0;
    if (e.op() == Op::named) return is_limited(e.args()[0], shift);
    if (const auto sum = offset_of(e))
      return exactness_.is_exact(e) && is_limited(sum->rest, shift - sum->constant);
    return is_extremum(e.op()) && is_limited(e.args()[0], shift) && is_limited(e.args()[1], shift);
  };
  const Shifted key{e.identity(), shift};
  if (const auto known = is_limited_.find(key); known != is_limited_.end()) return known->second;
  return is_limited_[key] = found();
}

// The constant that is added to the first data in "e".
std::optional<std::int64_t> ShortPositions::shift_of(const Expr& e) {
  return shifts_(e, [&]() -> std::optional<std::int64_t> {
    if (is_uniform(e)) return std::nullopt;
    if (e.op() == Op::cast) return 0;
    if (e.op() == Op::named) return shift_of(e.args()[0]);
    if (const auto sum = offset_of(e)) {
      const auto rest = shift_of(sum->rest);
      if (!rest || std::abs(*rest) > largest_shift) return std::nullopt;
      return *rest + sum->constant;
    }
    if (!is_extremum(e.op())) return std::nullopt;
    const auto first = shift_of(e.args()[0]);
    return first ? first : shift_of(e.args()[1]);
  });
}

HExpr ShortPositions::position(const Expr& load, const BufferView& buffer, const Emit& value,
                               const Emit& index) {
  value_ = value;
  index_ = index;
  HExpr sum = buffer.offset.defined() ? as_word(buffer.offset) : as_word(0);
  for (std::size_t d = 0; d < load.args().size(); ++d) {
    HExpr from_origin = short_index(load.args()[d]);
    if (!buffer.origins.empty()) from_origin = from_origin - as_word(buffer.origins[d]);
    sum = sum + from_origin * as_word(buffer.strides[d]);
  }
  return Halide::cast(Halide::Int(32), sum & make_const(Halide::UInt(32), 0x7fffffff));
}

HExpr ShortPositions::short_index(const Expr& e) {
  const auto shift = shift_of(e);
  if (!shift || !is_limited(e, *shift)) return word(e);
  return as_word(limited(e, *shift)) + as_word(*shift);
}

// "e" modulo 2^32.
HExpr ShortPositions::word(const Expr& e) {
  const auto known = words_.find(e.identity());
  return known != words_.end() ? known->second : words_[e.identity()] = emit_word(e);
}

HExpr ShortPositions::emit_word(const Expr& e) {
  if (is_widened(e) && !is_uniform(e)) return as_word(value_(e.args()[0]));
  if (e.op() == Op::variable) return iterator_as_word(index_(e));
  if (is_uniform(e) || e.op() == Op::checked) return as_word(index_(e));
  const HExpr first = word(e.args()[0]);
  switch (e.op()) {
    case Op::negate: return as_word(0) - first;
    case Op::add: return first + word(e.args()[1]);
    case Op::sub: return first - word(e.args()[1]);
    case Op::mul: return first * word(e.args()[1]);
    default: return first;
  }
}

// [e - shift], as an Int(32).
HExpr ShortPositions::limited(const Expr& e, std::int64_t shift) {
  const Shifted key{e.identity(), shift};
  const auto known = limited_.find(key);
  return known != limited_.end() ? known->second : limited_[key] = emit_limited(e, shift);
}

HExpr ShortPositions::emit_limited(const Expr& e, std::int64_t shift) {
  const HType narrow = Halide::Int(32);
  if (is_uniform(e)) {
    const HExpr lowest = HExpr(std::int64_t{std::numeric_limits<std::int32_t>::min()});
    const HExpr highest = HExpr(std::int64_t{std::numeric_limits<std::int32_t>::max()});
    return Halide::cast(narrow, Halide::clamp(index_(e) - HExpr(shift), lowest, highest));
  }
  if (is_widened(e)) return Halide::cast(narrow, value_(e.args()[0])) - make_const(narrow, shift);
  if (is_converted_float(e))
    return converted(Type::int32, e.args()[0].type(), value_(e.args()[0]),
                     HalfFloats::converted_by_bits);
  if (e.op() == Op::named) return limited(e.args()[0], shift);
  if (const auto sum = offset_of(e)) return limited(sum->rest, shift - sum->constant);
  const HExpr a = limited(e.args()[0], shift), b = limited(e.args()[1], shift);
  return e.op() == Op::min ? Halide::min(a, b) : Halide::max(a, b);
}

namespace {

class ShortGathers {
 public:
  std::set<std::string> buffers;

  void operator()(const StmtPtr& s, const std::string& lane) {
    if (const auto* execute = std::get_if<Execute>(s.get())) return look(*execute, lane);
    const auto* loop = std::get_if<For>(s.get());
    const std::string inside = loop && is_vector(*loop) ? loop->variable : lane;
    for_each_inside(*s, [&](const StmtPtr& part) { (*this)(part, inside); });
  }

 private:
  void look(const Execute& execute, const std::string& lane) {
    if (lane.empty()) return;
    ShortPositions positions(lane);
    const auto find = [&](const Expr& e) {
      if (e.op() == Op::load && positions.has(e)) buffers.insert(e.name());
    };
    visit(execute.value, find);
    for (const Execute::Other& other : execute.others) visit(other.value, find);
    for (const Expr& index : execute.indices) visit(index, find);
  }
};

}  // namespace

std::set<std::string> buffers_of_short_gathers(const StmtPtr& statement) {
  ShortGathers gathers;
  gathers(statement, "");
  return gathers.buffers;
}

}  // namespace strata::halide
