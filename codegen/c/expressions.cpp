#include "codegen/c/expressions.h"

#include <algorithm>

#include "codegen/c/types.h"
#include "codegen/entry/facts.h"
#include "codegen/refusal.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"

namespace strata::c {

namespace {

// A limit on the text of one statement's expressions: conditions repeat shared parts.
constexpr std::size_t longest_text = 1'000'000;

bool is_leaf(const Expr& e) { return e.args().empty(); }

const char* symbol_of(Op op) {
  switch (op) {
    case Op::add: return "+";
    case Op::sub: return "-";
    case Op::mul: return "*";
    case Op::div: return "/";
    case Op::bit_and:
    case Op::logical_and: return "&";
    case Op::bit_or:
    case Op::logical_or: return "|";
    case Op::bit_xor: return "^";
    case Op::eq: return "==";
    case Op::ne: return "!=";
    case Op::lt: return "<";
    case Op::le: return "<=";
    case Op::gt: return ">";
    case Op::ge: return ">=";
    default: return "";
  }
}

// The function of math.h; "" if there is none.
std::string math_function(Op op) {
  if (op == Op::round) return "nearbyint";
  if (op == Op::abs) return "fabs";
  const bool is_function = Op::sqrt <= op && op <= Op::trunc;
  return is_function || op == Op::pow || op == Op::atan2 ? to_string(op) : "";
}

// Is its result exact or correctly rounded in every C library?
bool is_nearest(Op op) {
  return op == Op::sqrt || op == Op::floor || op == Op::ceil || op == Op::trunc ||
         op == Op::round || op == Op::abs;
}

}  // namespace

void Expressions::count_uses(const Expr& e, bool always) {
  if (is_leaf(e)) return;
  const bool seen = uses_.count(e.identity()) != 0;
  if (!seen) alive_.push_back(e);
  ++uses_[e.identity()];
  const bool newly_needed = always && needed_.insert(e.identity()).second;
  if (seen && !newly_needed) return;
  const bool select = e.op() == Op::select;
  for (std::size_t n = 0; n < e.args().size(); ++n)
    count_uses(e.args()[n], always && (!select || n == 0));
}

void Expressions::share(const std::vector<Expr>& whole) {
  for (const Expr& e : whole) {
    count_uses(e, true);
    const EvaluatedParts parts(e, false, diagram_, [&](const Expr& select) {
      return std::optional(number_of(select.args()[0]));
    });
    given_up_ = given_up_ || parts.given_up();
    for (const EvaluatedParts::Use& use : parts.uses()) {
      const auto [known, is_new] = formulas_.emplace(use.e->identity(), parts[use]);
      if (!is_new) known->second = diagram_.either(known->second, parts[use]);
    }
  }
}

int Expressions::number_of(const Expr& condition) {
  const auto [known, is_new] = numbers_.emplace(condition.identity(), int(conditions_.size()));
  if (is_new) conditions_.push_back(condition);
  return known->second;
}

// An expression that is true where the formula holds. It evaluates a condition only where the
// conditions before it in the diagram leave the answer open.
std::string Expressions::condition(DecisionDiagram::Formula formula) {
  if (formula == DecisionDiagram::always) return "true";
  if (formula == DecisionDiagram::never) return "false";
  const DecisionDiagram::Node node = diagram_[formula];
  const std::string c = at_least(conditions_[std::size_t(node.condition)], prefix);
  if (node.low == DecisionDiagram::never)
    return node.high == DecisionDiagram::always ? c : "(" + c + " && " + condition(node.high) + ")";
  if (node.high == DecisionDiagram::never)
    return node.low == DecisionDiagram::always ? "!" + c
                                               : "(!" + c + " && " + condition(node.low) + ")";
  return "(" + c + " ? " + condition(node.high) + " : " + condition(node.low) + ")";
}

std::string Expressions::text(const Expr& e) { return made(e).text; }

std::string Expressions::operand(const Expr& e) { return at_least(e, prefix); }

std::vector<std::string> Expressions::definitions() { return std::exchange(definitions_, {}); }

std::string Expressions::at_least(const Expr& e, Binds binds) {
  const Text part = made(e);
  return part.binds >= binds ? part.text : "(" + part.text + ")";
}

// A shared part gets a name. A part with loads is computed only where some use needs it.
Expressions::Text Expressions::made(const Expr& e) {
  if (const auto found = named_.find(e.identity()); found != named_.end())
    return {found->second, whole};
  const bool is_own_condition = !open_.insert(e.identity()).second;
  Text text = written(e);
  size_ += text.text.size();
  if (size_ > longest_text)
    throw cannot_generate("an expression needs the same data under too many conditions");
  if (is_own_condition) return text;
  const auto uses = uses_.find(e.identity());
  const bool shared = uses != uses_.end() && uses->second > 1 && e.op() != Op::array;
  const bool loads = has_loads_(e, [&] {
    bool any = false;
    visit(e, [&](const Expr& part) {
      any = any || part.op() == Op::load || part.op() == Op::checked || part.op() == Op::call;
    });
    return any;
  });
  std::string when;
  const bool conditional = loads && !is_always_needed(e);
  if (shared && conditional && !given_up_)
    if (const auto formula = formulas_.find(e.identity()); formula != formulas_.end())
      when = condition(formula->second);
  open_.erase(e.identity());
  if (!shared || (conditional && when.empty()) || text.text.size() < 4) return text;
  if (!when.empty()) text.text = when + " ? " + text.text + " : 0";
  const std::string name = scope_.fresh("t");
  definitions_.push_back("const " + value_type(e.type()) + " " + name + " = " + text.text + ";");
  named_[e.identity()] = name;
  return {name, whole};
}

Expressions::Text Expressions::written(const Expr& e) {
  switch (e.op()) {
    case Op::constant: return {constant_text(e.node()), whole};
    case Op::variable:
    case Op::parameter: {
      const auto& names = e.op() == Op::variable ? scope_.names : scope_.parameters;
      const auto found = names.find(e.name());
      if (found == names.end())
        throw cannot_generate("the name '" + e.name() + "' is not bound here");
      return {found->second, whole};
    }
    case Op::load: return loaded(e);
    case Op::checked: return checked(e);
    case Op::call: return called(e);
    case Op::named: return made(e.args()[0]);
    case Op::select: return selected(e);
    case Op::cast: return converted(e);
    case Op::invalid:
    case Op::access:
    case Op::array:
    case Op::reduce:
      throw cannot_generate("an expression of a loop tree has a node '" + to_string(e.op()) + "'");
    default: return operation(e);
  }
}

std::string Expressions::element(const std::string& buffer, const std::vector<Expr>& indices) {
  const View& view = view_of(scope_, buffer);
  return view.name + "[" + text(scope_.position(view, indices)) + "]";
}

// An array without elements has no place for a checked index: then nothing is loaded.
Expressions::Text Expressions::loaded(const Expr& e) {
  if (const auto scalar = scope_.scalars.find(e.name()); scalar != scope_.scalars.end())
    return {scalar->second, whole};
  std::string place = element(e.name(), e.args());
  Binds binds = whole;
  if (e.type() == Type::boolean) {
    place += " != 0";
    binds = compared;
  } else if (is_half(e.type())) {
    place = scope_.helpers->widened(e.type()) + "(" + place + ")";
  }
  std::string exists, checks;
  for (const Expr& index : e.args())
    visit(index, [&](const Expr& part) {
      if (part.op() != Op::checked) return;
      exists += (exists.empty() ? "" : " && ") + at_least(part.args()[1], summed) + " < " +
                at_least(part.args()[2], summed);
      checks += "(void)" + text(part) + ", ";
    });
  if (exists.empty()) return {place, binds};
  return {exists + " ? " + place + " : (" + checks + "0)", ternary};
}

Expressions::Text Expressions::checked(const Expr& e) {
  const std::string note = note_of(scope_, e.name(), e.args()[1], e.args()[2]);
  return {scope_.helpers->checked() + "(" + text(e.args()[0]) + ", " + text(e.args()[1]) + ", " +
              text(e.args()[2]) + ", &" + note + ")",
          whole};
}

Expressions::Text Expressions::called(const Expr& e) {
  std::string list, types, fits;
  for (const Expr& arg : e.args()) {
    const bool array = arg.op() == Op::array;
    types += (types.empty() ? "" : ", ") +
             (array ? "struct halide_buffer_t *" : argument_type(arg.type()));
    list += list.empty() ? "" : ", ";
    if (!array) {
      list += text(arg);
      continue;
    }
    const Array passed = array_argument(arg);
    list += passed.text;
    fits += (fits.empty() ? "" : " & ") + passed.fits;
  }
  const bool truth = e.type() == Type::boolean;
  const std::string result = truth ? "uint8_t" : value_type(e.type());
  (*scope_.prototypes)[e.name()] =
      "extern " + result + " " + e.name() + "(" + (types.empty() ? "void" : types) + ");";
  const std::string plain = e.name() + "(" + list + ")";
  const Text call{fits.empty() ? plain : "(" + fits + " ? " + plain + " : 0)", whole};
  if (truth) return {call.text + " != 0", compared};
  return rounded(e.type(), call);
}

// Defines a strata_buffer before the statement. Its numbers have 32 bits: if one does not fit, the
// code notes it, and "fits" is false.
Expressions::Array Expressions::array_argument(const Expr& e) {
  const std::size_t rank = e.args().size() / 3;
  const View& view = view_of(scope_, e.name());
  const auto position = [&](std::size_t n) { return scope_.position(view, e.args()[n].args()); };
  const Expr first = position(0);
  const std::string dims = scope_.fresh(view.name + "_dims"), fits = scope_.fresh("fits");
  std::string list, all = "true";
  const auto in_32_bits = [&](const std::string& what, const Expr& number) {
    const Expr end = constant(Type::int64, std::int64_t{1} << 31);
    const std::string note = note_of(scope_, what + " of " + e.name(),
                                     constant(Type::int64, -(std::int64_t{1} << 31)), end);
    const std::string value = at_least(number, prefix), limit = "INT64_C(1) << 31";
    scope_.helpers->checked();
    all += " & (strata_checked(" + value + ", -(" + limit + "), " + limit + ", &" + note +
           ") == " + value + ")";
    return "(int32_t)" + value;
  };
  for (std::size_t k = rank; k-- > 0;) {
    const std::string where = " in dimension " + std::to_string(k);
    const Expr stride = simplified(position(k + 1) - first);
    list += "{" + in_32_bits("the least index" + where, e.args()[rank + 1 + k]) + ", " +
            in_32_bits("the extent" + where, e.args()[2 * rank + 1 + k]) + ", " +
            in_32_bits("the stride" + where, stride) + ", 0}, ";
  }
  const ElementCode type = element_code(e.type());
  const std::string name = scope_.fresh(view.name + "_array");
  definitions_.push_back("const bool " + fits + " = " + all + ";");
  definitions_.push_back("strata_dimension " + dims + "[] = {" +
                         (list.empty() ? "{0, 0, 0, 0}" : list) + "};");
  definitions_.push_back("strata_buffer " + name + " = {0, NULL, (uint8_t *)&" + view.name + "[" +
                         text(first) + "], 0, {" + std::to_string(type.code) + ", " +
                         std::to_string(type.bits) + ", 1}, " + std::to_string(rank) + ", " + dims +
                         ", NULL};");
  return {"(struct halide_buffer_t *)&" + name, fits};
}

Expressions::Text Expressions::selected(const Expr& e) {
  return {at_least(e.args()[0], either) + " ? " + at_least(e.args()[1], either) + " : " +
              at_least(e.args()[2], ternary),
          ternary};
}

Expressions::Text Expressions::rounded(Type type, Text text) {
  if (!is_half(type)) return text;
  return {
      scope_.helpers->widened(type) + "(" + scope_.helpers->narrowed(type) + "(" + text.text + "))",
      whole};
}

Expressions::Text Expressions::converted(const Expr& e) {
  const Expr& from = e.args()[0];
  const Type to = e.type();
  if (to == from.type()) return made(from);
  if (to == Type::boolean) return {at_least(from, summed) + " != 0", compared};
  if (is_half(to)) {
    const bool exact = from.type() == Type::boolean || is_half(from.type()) ||
                       from.type() == Type::float32 || bits(from.type()) <= 16;
    const std::string wide =
        exact                          ? text(from)
        : from.type() == Type::float64 ? scope_.helpers->odd_from_double() + "(" + text(from) + ")"
        : bits(from.type()) < 64
            ? scope_.helpers->odd_from_double() + "(" + text(from) + ")"
            : scope_.helpers->odd_from_integer(from.type()) + "(" + text(from) + ")";
    return rounded(to, {wide, ternary});
  }
  if (is_integer(to) && is_float(from.type()))
    return {scope_.helpers->integer_from_float(to) + "(" + text(from) + ")", whole};
  if (is_half(from.type()) && to == Type::float32) return made(from);
  return {"(" + value_type(to) + ")" + at_least(from, prefix), prefix};
}

Expressions::Text Expressions::truth(const Expr& e) {
  if (e.op() == Op::logical_not) return {"!" + at_least(e.args()[0], prefix), prefix};
  if (e.op() == Op::logical_and || e.op() == Op::logical_or) {
    // The code evaluates both sides, so that a check on the right is never skipped.
    const Binds own = e.op() == Op::logical_and ? both : either;
    bool checks = false;
    visit(e.args()[1], [&](const Expr& part) { checks = checks || part.op() == Op::checked; });
    const std::string op = std::string(symbol_of(e.op())) + (checks ? "" : symbol_of(e.op()));
    const Binds least = checks ? prefix : Binds(own + 1);
    return {at_least(e.args()[0], least) + " " + op + " " + at_least(e.args()[1], least),
            checks ? ternary : own};
  }
  return {
      at_least(e.args()[0], summed) + " " + symbol_of(e.op()) + " " + at_least(e.args()[1], summed),
      compared};
}

// "(a, b)": the operands, as a function takes them.
std::string Expressions::operands(const Expr& e) {
  std::string list;
  for (const Expr& arg : e.args()) list += (list.empty() ? "" : ", ") + text(arg);
  return "(" + list + ")";
}

Expressions::Text Expressions::operation(const Expr& e) {
  if (e.type() == Type::boolean) return truth(e);
  return is_float(e.type()) ? on_floats(e) : on_integers(e);
}

// Is the plain operator of C right? The entry of the kernel has checked that indices do not
// overflow.
bool Expressions::is_exact(const Expr& e) {
  if (wraps_ || e.type() != Type::int64) return false;
  return exactness_.is_index(e) || (e.op() != Op::mul && exactness_.is_exact(e));
}

// Signed numbers wrap like unsigned numbers. A cast undoes the promotions of C.
Expressions::Text Expressions::on_integers(const Expr& e) {
  const Type type = e.type();
  const std::string own = value_type(type);
  const bool sum = e.op() == Op::add || e.op() == Op::sub || e.op() == Op::mul;
  if (sum && is_exact(e)) {
    const Binds binds = e.op() == Op::mul ? multiplied : summed;
    const Binds right = e.op() == Op::add ? summed : Binds(binds + 1);
    return {
        at_least(e.args()[0], binds) + " " + symbol_of(e.op()) + " " + at_least(e.args()[1], right),
        binds};
  }
  const std::string word = bits(type) == 64 ? "uint64_t" : "uint32_t";
  const auto wide = [&](const Expr& x) {
    const bool is_word = is_unsigned_integer(type) && bits(type) >= 32;
    return is_word ? at_least(x, prefix) : "(" + word + ")" + at_least(x, prefix);
  };
  if (sum)
    return {"(" + own + ")(" + wide(e.args()[0]) + " " + symbol_of(e.op()) + " " +
                wide(e.args()[1]) + ")",
            prefix};
  switch (e.op()) {
    case Op::negate: return {"(" + own + ")(0 - " + wide(e.args()[0]) + ")", prefix};
    case Op::bit_not: return {"(" + own + ")~" + at_least(e.args()[0], prefix), prefix};
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
      return {"(" + own + ")(" + at_least(e.args()[0], prefix) + " " + symbol_of(e.op()) + " " +
                  at_least(e.args()[1], prefix) + ")",
              prefix};
    case Op::abs:
      if (!is_signed_integer(type)) return made(e.args()[0]);
      break;
    default: break;
  }
  return {scope_.helpers->operation(e.op(), type) + operands(e), whole};
}

// A function of math.h. In the mode exact, the runtime's names stand for the C library's functions.
// A compiler has no rules for these names: it would evaluate cos(1e18) itself, and round
// differently than the library.
std::string Expressions::called_function(const Expr& e) const {
  const bool is_double = e.type() == Type::float64;
  std::string name = math_function(e.op()) + (is_double ? "" : "f");
  if (scope_.fast || is_nearest(e.op())) return name;
  const std::string type = is_double ? "double" : "float";
  std::string own = "strata_" + name;
  const std::string types = e.args().size() == 2 ? type + ", " + type : type;
  (*scope_.prototypes)[own] =
      "extern " + type + " " + own + "(" + types + ") __attribute__((const));";
  return own;
}

Expressions::Text Expressions::on_floats(const Expr& e) {
  const Type type = e.type();
  if (e.op() == Op::negate) return {"-" + at_least(e.args()[0], whole), prefix};
  if (e.op() == Op::min || e.op() == Op::max) {
    const Type computed = is_half(type) ? Type::float32 : type;
    return {scope_.helpers->operation(e.op(), computed) + operands(e), whole};
  }
  if (!math_function(e.op()).empty())
    return rounded(type, {called_function(e) + operands(e), whole});
  if (e.op() == Op::div && scope_.fast && !is_half(type))
    if (const auto factor = inverse_of_divisor(e))
      return {at_least(e.args()[0], multiplied) + " * " + text(real_constant(type, *factor)),
              multiplied};
  const Binds binds = e.op() == Op::mul || e.op() == Op::div ? multiplied : summed;
  return rounded(type, {at_least(e.args()[0], binds) + " " + symbol_of(e.op()) + " " +
                            at_least(e.args()[1], Binds(binds + 1)),
                        binds});
}

}  // namespace strata::c
