#include "codegen/c/lanes.h"

#include <map>

#include "codegen/c/types.h"
#include "codegen/entry/linear_form.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"

namespace strata::c {

namespace {

bool depends_on_lane(const Expr& e, const LaneRange& lanes) {
  return depends_on(e, lanes.variable);
}

Expr in_lane(const Expr& e, const LaneRange& lanes, const Expr& lane) {
  return substitute(
      e, [&](const std::string& name) { return name == lanes.variable ? lane : Expr(); });
}

Expr in_first_lane(const Expr& e, const LaneRange& lanes) { return in_lane(e, lanes, lanes.first); }

class Vectors {
 public:
  Vectors(Scope& scope, const LaneRange& lanes, Type type)
      : scope_(scope), lanes_(lanes), uniform_(scope), type_(type) {}

  // The vector that begins at the place of the first lane, as an lvalue.
  std::optional<std::string> place(const std::string& buffer, const std::vector<Expr>& indices) {
    const View& view = view_of(scope_, buffer);
    if (view.type != type_) return std::nullopt;
    LinearForm form = linear_form(scope_.position(view, indices));
    if (taken_out(form, lanes_.variable) != 1) return std::nullopt;
    for (const LinearForm::Term& term : form.terms)
      if (depends_on_lane(term.atom, lanes_) || depends_on_data(term.atom)) return std::nullopt;
    std::vector<Expr> first;
    for (const Expr& index : indices) first.push_back(in_first_lane(index, lanes_));
    return "*(" + vector_type() + " *)&" + uniform_.element(buffer, first);
  }

  // A vector, or one value for all lanes.
  struct Value {
    std::string text;
    bool is_vector;
  };
  std::optional<Value> value(const Expr& e) {
    if (++parts_ > most_parts) return std::nullopt;
    if (!depends_on_lane(e, lanes_)) return Value{uniform_.operand(e), false};
    if (e.op() == Op::named) return value(e.args()[0]);
    if (e.type() != type_) return std::nullopt;
    if (e.op() == Op::load) {
      const auto found = scope_.scalars.count(e.name()) ? std::nullopt : place(e.name(), e.args());
      return found ? std::optional(Value{*found, true}) : std::nullopt;
    }
    if (e.op() == Op::negate) {
      const auto a = value(e.args()[0]);
      return a ? std::optional(Value{"(-" + a->text + ")", true}) : std::nullopt;
    }
    return combined(e);
  }

  std::string spread(const Value& value) const {
    return value.is_vector
               ? value.text
               : scope_.helpers->vector_of(type_, lanes_.count) + "(" + value.text + ")";
  }

  std::string vector_type() const { return scope_.helpers->vector_type(type_, lanes_.count); }
  std::vector<std::string> definitions() { return uniform_.definitions(); }

 private:
  static constexpr int most_parts = 200;

  std::optional<Value> combined(const Expr& e) {
    static const std::map<Op, std::string> symbols{
        {Op::add, " + "}, {Op::sub, " - "}, {Op::mul, " * "}, {Op::div, " / "}};
    const auto symbol = symbols.find(e.op());
    if (e.op() == Op::div && scope_.fast)
      if (const auto factor = inverse_of_divisor(e))
        return value(e.args()[0] * real_constant(type_, *factor));
    const bool extremum = e.op() == Op::min || e.op() == Op::max;
    if (symbol == symbols.end() && !extremum) return std::nullopt;
    const auto a = value(e.args()[0]), b = value(e.args()[1]);
    if (!a || !b) return std::nullopt;
    if (!extremum) return Value{"(" + a->text + symbol->second + b->text + ")", true};
    return Value{scope_.helpers->vector_extremum(e.op(), type_, lanes_.count) + "(" + spread(*a) +
                     ", " + spread(*b) + ")",
                 true};
  }

  Scope& scope_;
  const LaneRange& lanes_;
  Expressions uniform_;
  Type type_;
  int parts_ = 0;
};

// Is e least in the last lane? Nothing if it is not linear in the lanes, or if its sums may wrap.
std::optional<bool> is_least_in_last(const Expr& e, const LaneRange& lanes) {
  LinearForm form = linear_form(e);
  const std::int64_t factor = taken_out(form, lanes.variable);
  for (const LinearForm::Term& term : form.terms)
    if (depends_on_lane(term.atom, lanes) || depends_on_data(term.atom)) return std::nullopt;
  return factor < 0;
}

// "(a + b)" as "a + b".
std::string without_parentheses(const std::string& text) {
  return text.front() == '(' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::optional<std::vector<std::string>> store_of_lanes(Scope& scope, const LaneRange& lanes,
                                                       const Execute& execute) {
  const Type type = execute.value.type();
  if ((type != Type::float32 && type != Type::float64) || execute.atomic || !execute.others.empty())
    return std::nullopt;
  Vectors vectors(scope, lanes, type);
  const auto place = vectors.place(execute.buffer, execute.indices);
  if (!place) return std::nullopt;
  const auto value = vectors.value(execute.value);
  if (!value) return std::nullopt;
  std::vector<std::string> lines = vectors.definitions();
  lines.push_back(*place + " = " +
                  (value->is_vector ? without_parentheses(value->text) : vectors.spread(*value)) +
                  ";");
  return lines;
}

std::optional<Expr> in_all_lanes(const Expr& condition, const LaneRange& lanes) {
  if (!depends_on_lane(condition, lanes)) return condition;
  const std::vector<Expr>& args = condition.args();
  if (condition.op() == Op::logical_and) {
    const auto a = in_all_lanes(args[0], lanes), b = in_all_lanes(args[1], lanes);
    return a && b ? std::optional(*a && *b) : std::nullopt;
  }
  const bool rising = condition.op() == Op::ge || condition.op() == Op::gt;
  const bool falling = condition.op() == Op::le || condition.op() == Op::lt;
  if ((!rising && !falling) || args[0].type() != Type::int64) return std::nullopt;
  const auto last = is_least_in_last(rising ? args[0] - args[1] : args[1] - args[0], lanes);
  if (!last) return std::nullopt;
  return simplified(
      in_lane(condition, lanes, *last ? lanes.first + (lanes.count - 1) : lanes.first));
}

}  // namespace strata::c
