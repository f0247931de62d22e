#include "codegen/halide/emit/expression.h"

#include <algorithm>
#include <cmath>

#include "codegen/entry/index_range.h"
#include "codegen/halide/arithmetic/device_floats.h"
#include "codegen/halide/arithmetic/large_values.h"
#include "codegen/halide/arithmetic/operations.h"
#include "codegen/halide/emit/descriptor.h"
#include "codegen/halide/emit/short_positions.h"
#include "codegen/refusal.h"
#include "codegen/tree/operations.h"
#include "core/expr/interval.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::const_true;
using Halide::Internal::make_const;
using Halide::Internal::make_zero;

bool is_comparison(Op op) { return Op::eq <= op && op <= Op::ge; }

// True if the operator of "e" means the same in Halide's plain arithmetic, unless something
// overflows.
bool is_plain(const Expr& e) {
  switch (e.op()) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::min:
    case Op::max:
    case Op::negate: return true;
    case Op::div:
    case Op::mod: return is_positive_constant(e.args()[1]);
    default: return false;
  }
}

HExpr plain(Op op, const std::vector<HExpr>& o) {
  switch (op) {
    case Op::add: return o[0] + o[1];
    case Op::sub: return o[0] - o[1];
    case Op::mul: return o[0] * o[1];
    case Op::div: return o[0] / o[1];
    case Op::mod: return o[0] % o[1];
    case Op::min: return Halide::min(o[0], o[1]);
    case Op::max: return Halide::max(o[0], o[1]);
    default: return make_zero(o[0].type()) - o[0];
  }
}

HExpr simplified(const HExpr& e) { return Halide::Internal::simplify(with_large_value_shared(e)); }

// The same number, hidden from the simplifier. The simplifier would take wrapping 64-bit arithmetic
// as exact, and remove a check that can fail.
HExpr hidden(const HExpr& index) {
  const auto* call = index.as<Call>();
  if (index.as<Halide::Internal::Load>() || (call && call->name == hiding)) return index;
  if (const auto* widened = index.as<Halide::Internal::Cast>())
    if (widened->value.as<Halide::Internal::Load>()) return index;
  return Call::make(index.type(), hiding, {index, make_zero(index.type())}, Call::PureExtern);
}

}  // namespace

// Limit on the parts of an expression if each use is emitted separately (Guards::by_paths).
constexpr std::size_t most_emitted = 100'000;

HExpr ExpressionEmitter::remembered(Memo& memo, const Expr& e,
                                    HExpr (ExpressionEmitter::*emit)(const Expr&)) {
  std::uintptr_t guard = DecisionDiagram::always;
  if (depends_on_guard(e))
    guard = guards_.by_paths() ? reinterpret_cast<std::uintptr_t>(path_.get())
                               : std::uintptr_t(guards_.formula(e));
  const auto key = std::make_pair(e.identity(), guard);
  const auto found = memo.find(key);
  if (found != memo.end()) return found->second;
  if (guards_.by_paths() && ++emitted_ > most_emitted)
    throw cannot_generate(
        "an expression needs the same data under too many interdependent conditions");
  HExpr made = (this->*emit)(e);
  if (is_made_from_large(e)) made = hidden(made);
  memo.emplace(key, made);
  return made;
}

// True if "e" is emitted differently under different guards.
bool ExpressionEmitter::depends_on_guard(const Expr& e) {
  if (const auto known = depends_.find(e.identity()); known != depends_.end()) return known->second;
  bool depends = asks_for_guard(e);
  for (const Expr& arg : e.args()) depends = depends_on_guard(arg) || depends;
  return depends_[e.identity()] = depends;
}

bool ExpressionEmitter::asks_for_guard(const Expr& e) const {
  return e.op() == Op::checked || e.op() == Op::call ||
         (e.op() == Op::load && !is_loaded_anyway(e));
}

bool ExpressionEmitter::is_unconditional(const Expr& e) const {
  return guards_.by_paths() ? !path_.defined() : guards_.formula(e) == DecisionDiagram::always;
}

// The condition under which "e" is evaluated; undefined: always.
HExpr ExpressionEmitter::guard_of(const Expr& e) {
  if (guards_.by_paths()) return path_;
  return guards_.condition(guards_.formula(e), [&](const Expr& c) { return value(c); });
}

template <typename Emit>
HExpr ExpressionEmitter::whole(const Expr& e, const Emit& emit) {
  if (inside_) {
    if (is_unconditional(e)) note_unconditional_loads(e);
    return emit();
  }
  note_unconditional_loads(e);
  guards_.enter(e,
                [&](const Expr& part) { return asks_for_guard(part) || part.op() == Op::array; });
  inside_ = true;
  const HExpr made = emit();
  inside_ = false;
  return made;
}

// True if "e" is within 2^62: sums of two such numbers do not overflow.
bool ExpressionEmitter::is_moderate(const Expr& e) {
  const Interval range = exactness_.values_of(e);
  return range.lowest >= -(Wide{1} << 62) && range.highest <= Wide{1} << 62;
}

// True if "e" is within 2^62, but min, max, select, / or % compute it from numbers that may not be.
// Other operations wrap, and the simplifier does not see through them.
bool ExpressionEmitter::is_made_from_large(const Expr& e) {
  const bool chosen = e.op() == Op::min || e.op() == Op::max || e.op() == Op::select ||
                      e.op() == Op::div || e.op() == Op::mod;
  return chosen && e.type() == Type::int64 && is_moderate(e) &&
         std::any_of(e.args().begin(), e.args().end(), [this](const Expr& arg) {
           return arg.type() == Type::int64 && !is_moderate(arg);
         });
}

// x < y is x + 2^63 < y + 2^63 on unsigned numbers.
HExpr ExpressionEmitter::compared(const Expr& e, const HExpr& a, const HExpr& b) {
  const Type type = e.args()[0].type();
  if (type != Type::int64 || (is_moderate(e.args()[0]) && is_moderate(e.args()[1])))
    return comparison(e.op(), type, a, b);
  const HExpr end = make_const(Halide::UInt(64), std::uint64_t{1} << 63);
  const auto moved = [&](const HExpr& x) { return Halide::cast(Halide::UInt(64), x) + end; };
  return comparison(e.op(), Type::uint64, moved(a), moved(b));
}

HExpr ExpressionEmitter::value(const Expr& e) {
  return whole(e, [&] { return remembered(values_, e, &ExpressionEmitter::emit_value); });
}

HExpr ExpressionEmitter::index(const Expr& e) {
  return whole(e, [&] { return remembered(indices_, e, &ExpressionEmitter::emit_index); });
}

std::vector<HExpr> ExpressionEmitter::indices(const std::vector<Expr>& list) {
  std::vector<HExpr> out;
  for (const Expr& e : list) out.push_back(index(e));
  return out;
}

HExpr ExpressionEmitter::emit_index(const Expr& e) {
  if (is_comparison(e.op()) && e.args()[0].type() == Type::int64)
    return compared(e, index(e.args()[0]), index(e.args()[1]));
  if (e.op() == Op::select) return selected(e, true);
  if (e.op() == Op::logical_and) return index(e.args()[0]) && index(e.args()[1]);
  if (e.op() == Op::logical_or) return index(e.args()[0]) || index(e.args()[1]);
  if (e.op() == Op::logical_not) return !index(e.args()[0]);
  if (e.op() == Op::named) return index(e.args()[0]);
  if (e.op() == Op::checked) return checked_index(e);
  if (e.type() == Type::int64 && is_plain(e) && !is_made_of_data(e, made_of_data_))
    return plain(e.op(), indices(e.args()));
  return value(e);
}

// With  inside = index - lower < upper - lower  in wrapping unsigned arithmetic:
//     inside ? index : lower
HExpr ExpressionEmitter::checked_index(const Expr& e) {
  const HType word = Halide::UInt(64);
  const HExpr found = hidden(value(e.args()[0]));
  const HExpr lower = index(e.args()[1]), upper = index(e.args()[2]);
  const HExpr offset = Halide::cast(word, found) - Halide::cast(word, lower);
  const HExpr inside = offset < Halide::cast(word, upper - lower);
  HExpr bad = !inside;
  if (const HExpr guard = guard_of(e); guard.defined()) bad = guard && bad;
  if (mask_.defined()) bad = mask_ && bad;
  checks_.push_back({e.name(), found, bad, lower, upper});
  return Halide::select(inside, found, lower);
}

HExpr ExpressionEmitter::emit_value(const Expr& e) {
  switch (e.op()) {
    case Op::constant: return constant_in_flight(e.node());
    case Op::variable:
    case Op::parameter: return name(e);
    case Op::load: return loaded(e);
    case Op::checked: return checked_index(e);
    case Op::call: return called(e);
    case Op::named: return value(e.args()[0]);
    case Op::select: return selected(e, false);
    case Op::cast:
      return converted(e.type(), e.args()[0].type(), value(e.args()[0]), scope_.abilities.halves);
    case Op::invalid:
    case Op::access:
    case Op::array:
    case Op::reduce:
      throw cannot_generate("an expression of a loop tree has a node '" + to_string(e.op()) + "'");
    default: return operation(e);
  }
}

HExpr ExpressionEmitter::name(const Expr& e) const {
  const auto& names = e.op() == Op::variable ? scope_.variables : scope_.parameters;
  const auto found = names.find(e.name());
  if (found == names.end()) throw cannot_generate("the name '" + e.name() + "' is not bound here");
  return found->second;
}

HExpr ExpressionEmitter::operation(const Expr& e) {
  const Type type = e.args()[0].type();
  if (is_comparison(e.op())) return compared(e, value(e.args()[0]), value(e.args()[1]));
  if (is_float(type)) return operation_on_floats(e);
  std::vector<HExpr> operands;
  for (const Expr& arg : e.args()) operands.push_back(value(arg));
  return integer_operation(e.op(), type, operands);
}

bool ExpressionEmitter::is_product(const Expr& e) const {
  if (e.type() != Type::float32 && e.type() != Type::float64) return false;
  return e.op() == Op::mul ||
         (scope_.abilities.reciprocals && e.op() == Op::div && inverse_of_divisor(e));
}

std::pair<HExpr, HExpr> ExpressionEmitter::factors(const Expr& product) {
  const HExpr a = value(product.args()[0]);
  if (product.op() == Op::mul) return {a, value(product.args()[1])};
  return {a, make_const(a.type(), *inverse_of_divisor(product))};
}

HExpr ExpressionEmitter::float_result(Op op, Type type, const std::vector<HExpr>& operands) const {
  const Abilities& able = scope_.abilities;
  if (scope_.in_launch)
    return device_float_operation(op, type, operands, {able.device, able.exact});
  return float_operation(op, type, operands, able.halves, able.math);
}

HExpr ExpressionEmitter::fused(const HExpr& a, const HExpr& b, const HExpr& c) const {
  const Abilities& able = scope_.abilities;
  if (scope_.in_launch) return device_fused_multiply_add(a, b, c, {able.device, able.exact});
  return fused_multiply_add(a, b, c);
}

// a * b + c, c + a * b, a * b - c and c - a * b are rounded once if that is allowed.
HExpr ExpressionEmitter::operation_on_floats(const Expr& e) {
  const Type type = e.type();
  if (is_product(e)) {
    const auto [a, b] = factors(e);
    return float_result(Op::mul, type, {a, b});
  }
  if ((e.op() == Op::add || e.op() == Op::sub) && scope_.abilities.fused) {
    const Expr &left = e.args()[0], &right = e.args()[1];
    const auto signed_by_op = [&](const HExpr& x) {
      return e.op() == Op::sub ? float_result(Op::negate, type, {x}) : x;
    };
    if (is_product(right)) {
      const auto [a, b] = factors(right);
      return fused(signed_by_op(a), b, value(left));
    }
    if (is_product(left)) {
      const auto [a, b] = factors(left);
      return fused(a, b, signed_by_op(value(right)));
    }
  }
  std::vector<HExpr> operands;
  for (const Expr& arg : e.args()) operands.push_back(value(arg));
  return float_result(e.op(), type, operands);
}

HExpr ExpressionEmitter::selected(const Expr& e, bool as_index) {
  const auto emit = [&](const Expr& x) { return as_index ? index(x) : value(x); };
  const HExpr condition = emit(e.args()[0]);
  guards_.note(e.args()[0], condition);
  const HExpr outer = path_;
  const auto under = [&](const HExpr& c, const Expr& side) {
    if (!guards_.by_paths()) return emit(side);
    path_ = outer.defined() ? outer && c : c;
    alive_.push_back(path_);
    const HExpr result = emit(side);
    path_ = outer;
    return result;
  };
  const HExpr then = under(condition, e.args()[1]);
  const HExpr otherwise = under(!condition, e.args()[2]);
  return Halide::select(condition, then, otherwise);
}

bool ExpressionEmitter::depends_on_lane(const Expr& load) const {
  bool depends = false;
  for (const Expr& index : load.args())
    visit(index, [&](const Expr& e) {
      depends |= e.op() == Op::load || (e.op() == Op::variable && e.name() == lane_);
    });
  return depends;
}

// A load that does not depend on the lane needs no mask, since at least one lane is on.
HExpr ExpressionEmitter::guard_for(const Expr& load) {
  if (padding_ && padding_->has(load.name(), load.args())) return const_true();
  const bool selected = !is_loaded_anyway(load) && !is_unconditional(load);
  const HExpr guard = selected ? guard_of(load) : const_true();
  if (!mask_.defined() || !depends_on_lane(load)) return guard;
  return selected ? mask_ && guard : mask_;
}

HExpr ExpressionEmitter::position_of(const Expr& load, const BufferView& buffer) {
  ShortPositions positions(lane_);
  if (!buffer.small || !positions.has(load)) return buffer.position(indices(load.args()));
  return positions.position(
      load, buffer, [this](const Expr& e) { return value(e); },
      [this](const Expr& e) { return index(e); });
}

HExpr ExpressionEmitter::loaded(const Expr& e) {
  if (const auto scalar = scope_.scalars.find(e.name()); scalar != scope_.scalars.end())
    return scalar->second;
  const HExpr guard = guard_for(e);
  if (Halide::Internal::is_const_zero(guard)) return make_zero(type_in_flight(e.type()));
  return from_memory(e.type(), stored_under(guard, e), scope_.abilities.halves);
}

HExpr ExpressionEmitter::stored(const Expr& load) {
  if (const auto scalar = scope_.scalars.find(load.name()); scalar != scope_.scalars.end())
    return to_memory(load.type(), scalar->second, scope_.abilities.halves);
  return whole(load, [&] { return stored_under(guard_for(load), load); });
}

HExpr ExpressionEmitter::stored_under(HExpr guard, const Expr& e) {
  const BufferView& buffer = buffer_named(scope_, e.name());
  if (scope_.arrays_may_be_empty) guard = guard && has_elements(e);
  if (scope_.in_launch && !Halide::Internal::is_const_one(guard)) has_branches_ = true;
  return Halide::Internal::Load::make(
      type_in_memory(buffer.type), buffer.symbol, position_of(e, buffer), Halide::Buffer<>(),
      Halide::Parameter(), guard, Halide::Internal::ModulusRemainder());
}

// True if all arrays with checked indices in "e" have elements.
HExpr ExpressionEmitter::has_elements(const Expr& e) {
  HExpr all = const_true();
  for (const Expr& arg : e.args())
    visit(arg, [&](const Expr& part) {
      if (part.op() == Op::checked) all = all && index(part.args()[1]) < index(part.args()[2]);
    });
  return simplified(all);
}

// C's calling convention leaves the high bits of a narrow argument undefined, and compilers
// disagree on who clears them. So the argument is widened here. A 16-bit float is passed as a
// float.
HExpr ExpressionEmitter::argument(const Expr& e) {
  if (e.op() == Op::array) return array_argument(e);
  const HExpr x = value(e);
  const bool narrow = !x.type().is_float() && x.type().bits() < 32;
  return narrow ? Halide::cast(Halide::Int(32), x) : x;
}

// A function of arrays reads memory that has the values only where the call is evaluated. The
// arrays can be described only if all indices, extents and strides are in range. So the call
// happens only under its guard, and only if no check of its arguments fails.
HExpr ExpressionEmitter::called(const Expr& e) {
  std::vector<HExpr> operands;
  const std::size_t noted = checks_.size();
  for (const Expr& arg : e.args()) operands.push_back(argument(arg));
  const bool reads = takes_arrays(e), truth = e.type() == Type::boolean;
  const HType result = truth ? Halide::UInt(8) : type_in_flight(e.type());
  HExpr made = Call::make(result, e.name(), operands, reads ? Call::Extern : Call::PureExtern);
  HExpr happens = guard_of(e);
  for (std::size_t n = noted; reads && n < checks_.size(); ++n)
    happens = happens.defined() ? happens && !checks_[n].bad : !checks_[n].bad;
  if (reads && happens.defined())
    made = Call::make(result, Call::if_then_else, {happens, made, make_zero(result)},
                      Call::PureIntrinsic);
  if (truth) return made != make_zero(made.type());
  return rounded(e.type(), made, scope_.abilities.halves);
}

HExpr ExpressionEmitter::array_argument(const Expr& e) {
  const std::size_t rank = e.args().size() / 3;
  const BufferView& buffer = buffer_named(scope_, e.name());
  const auto position = [&](std::size_t n) { return buffer.position(indices(e.args()[n].args())); };
  const HExpr first = position(0);
  std::vector<Extent> shape;
  for (std::size_t k = 0; k < rank; ++k) {
    const HExpr lower = index(e.args()[rank + 1 + k]), extent = index(e.args()[2 * rank + 1 + k]);
    const HExpr stride = simplified(position(k + 1) - first);
    const std::string where = " in dimension " + std::to_string(k) + " of " + e.name();
    require_32_bits(e, "the least index" + where, lower);
    require_32_bits(e, "the extent" + where, extent);
    require_32_bits(e, "the stride" + where, stride);
    shape.push_back({lower, extent, stride});
  }
  return descriptor(buffer, first, shape);
}

void ExpressionEmitter::require_32_bits(const Expr& array, const std::string& what,
                                        const HExpr& number) {
  const HExpr end = HExpr(std::int64_t{1} << 31);
  HExpr bad = number < -end || number >= end;
  if (const HExpr guard = guard_of(array); guard.defined()) bad = guard && bad;
  bad = simplified(bad);
  if (!Halide::Internal::is_const_zero(bad)) checks_.push_back({what, number, bad, -end, end});
}

// Notes the loads that happen whichever sides the selects take.
void ExpressionEmitter::note_unconditional_loads(const Expr& e) {
  if (!noted_.emplace(e.identity(), true).second) return;
  if (e.op() == Op::array) return;
  if (e.op() == Op::load) unconditional_.push_back(e);
  const std::size_t count = e.op() == Op::select ? 1 : e.args().size();
  for (std::size_t i = 0; i < count; ++i) note_unconditional_loads(e.args()[i]);
}

bool ExpressionEmitter::is_loaded_anyway(const Expr& e) const {
  return std::any_of(unconditional_.begin(), unconditional_.end(),
                     [&](const Expr& u) { return same(u, e); });
}

}  // namespace strata::halide
