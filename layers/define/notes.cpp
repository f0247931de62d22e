#include "layers/define/notes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/expr/expr_text.h"
#include "core/expr/interval.h"

namespace strata {

namespace {

bool is_arithmetic(const Expr& e) {
  return e.op() == Op::add || e.op() == Op::sub || e.op() == Op::mul;
}

bool is_narrow(Type type) { return is_integer(type) && bits(type) < 32; }

// Ranges of values: reads may be anything in their type; sums, differences and products of narrow
// types are computed in Z, other operations in their type.
class InZ : public Intervals {
  Known taken(const Expr& e, const std::vector<Known>& parts) override {
    if (!is_integer(e.type())) return std::nullopt;
    const Known result = exact(e, parts);
    const bool unbounded = is_narrow(e.type()) && (is_arithmetic(e) || e.op() == Op::named);
    if (result && (unbounded || is_inside(*result, range_of(e.type())))) return result;
    return range_of(e.type());
  }
};

const Expr& unnamed(const Expr& e) { return e.op() == Op::named ? unnamed(e.args()[0]) : e; }

// What happens to the operand whose value differs in Z; "" if it only wraps again.
std::string use_of(const Expr& e, const Expr& operand) {
  if (e.op() == Op::div) return "divided";
  if (e.op() == Op::shift_right) return "shifted right";
  if (Op::eq <= e.op() && e.op() <= Op::ge) return "compared";
  const bool wider = is_float(e.type()) || bits(e.type()) > bits(operand.type());
  return e.op() == Op::cast && wider ? "made " + to_string(e.type()) : "";
}

// The type to cast to, as an author writes it: it holds the whole interval, which "type" does not.
std::string wider_type(Type type, const Interval& values) {
  const std::array candidates = is_signed_integer(type) || values.lowest < 0
                                    ? std::array{i16, i32, i64}
                                    : std::array{u16, u32, u64};
  for (const Type t : candidates)
    if (bits(t) > bits(type) && is_inside(values, range_of(t)))
      return (is_signed_integer(t) ? "i" : "u") + std::to_string(bits(t));
  return "f64";
}

// The first operand of the innermost operation, preferably not a constant.
Expr first_operand(const Expr& e) {
  if (e.op() != Op::named && !is_arithmetic(e)) return e;
  const Expr first = first_operand(e.args()[0]);
  return first.op() == Op::constant && e.args().size() > 1 ? first_operand(e.args()[1]) : first;
}

std::string kind_of(const Expr& e) {
  return e.op() == Op::add ? "sum" : e.op() == Op::sub ? "difference" : "product";
}

std::string short_text(const Expr& e) {
  constexpr std::size_t longest = 60;
  std::string text = to_text(e);
  if (text.size() > longest) text.replace(longest, std::string::npos, " ..");
  return text;
}

// Values beyond int64 are clamped.
std::string number(Wide value) {
  const Interval ends = range_of(i64);
  return std::to_string(static_cast<long long>(std::clamp(value, ends.lowest, ends.highest)));
}

std::string note_on(const Expr& sum, const Interval& values, const std::string& what) {
  return "the " + to_string(sum.type()) + " " + kind_of(sum) + " " + short_text(sum) +
         " wraps before it is " + what + ": it ranges from " + number(values.lowest) + " to " +
         number(values.highest) + ", but " + to_string(sum.type()) + " holds " +
         number(range_of(sum.type()).lowest) + " to " + number(range_of(sum.type()).highest) +
         "; to avoid wrapping, cast its operands first: cast(" + wider_type(sum.type(), values) +
         ", " + short_text(first_operand(sum)) + ")";
}

}  // namespace

std::string note_on_wrapping(const Definition& definition) {
  InZ values;
  std::string note;
  const auto look = [&](const Expr& e) {
    for (const Expr& arg : e.args()) {
      const Expr& operand = unnamed(arg);
      if (!note.empty() || !is_arithmetic(operand) || !is_narrow(operand.type())) continue;
      const std::string what = use_of(e, operand);
      const Known range = values.of(operand);
      if (what.empty() || !range || is_inside(*range, range_of(operand.type()))) continue;
      note = note_on(operand, *range, what);
    }
  };
  for_each_expression(definition, [&](const Expr& whole) { visit(whole, look); });
  return note;
}

}  // namespace strata
