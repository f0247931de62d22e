#include <unordered_map>

#include "core/expr/expr_shared.h"
#include "core/expr/expr_text.h"
#include "core/expr/expr_typing.h"

namespace strata {

namespace {

// Precedence levels, as in C++; see the grammar in the header.
constexpr int unary_level = 11, primary_level = 12;

int level_of(const Expr& e) {
  switch (e.op()) {
    case Op::logical_or: return 1;
    case Op::logical_and: return 2;
    case Op::bit_or: return 3;
    case Op::bit_xor: return 4;
    case Op::bit_and: return 5;
    case Op::eq:
    case Op::ne: return 6;
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: return 7;
    case Op::shift_left:
    case Op::shift_right: return 8;
    case Op::add:
    case Op::sub: return 9;
    case Op::mul:
    case Op::div:
    case Op::mod: return 10;
    case Op::negate:
    case Op::logical_not:
    case Op::bit_not: return unary_level;
    case Op::constant: return constant_text(e).front() == '-' ? unary_level : primary_level;
    default: return primary_level;
  }
}

class Printer {
 public:
  explicit Printer(const Expr& whole) {
    std::set<std::string> iterators;
    visit(whole, [&](const Expr& e) {
      if (e.op() == Op::variable) iterators.insert(e.name());
      for (const Var& v : e.node().variables) {
        iterators.insert(v.name());
        reduced_.insert(v.name());
      }
    });
    visit(whole, [&](const Expr& e) {
      if (e.op() == Op::parameter && iterators.count(e.name())) shadowed_.insert(e.name());
    });
  }

  // Preceded by its shared parts, if they are large.
  std::string whole(const Expr& e) {
    std::string text;
    for (const Expr& part : parts_to_name(e)) {
      const std::string name = "@" + std::to_string(named_.size() + 1);
      in_part_ = true;
      text += "let " + name + " = " + written(part) + "; ";
      in_part_ = false;
      named_.emplace(part.identity(), name);
    }
    return text + (*this)(e);
  }

 private:
  std::string operator()(const Expr& e) {
    const auto named = named_.find(e.identity());
    return named == named_.end() ? written(e) : named->second;
  }

  std::string written(const Expr& e) {
    if (is_binary(e.op()) && !infix_symbol(e.op()).empty()) return infix(e);
    switch (e.op()) {
      case Op::invalid:
        return "invalid(" + std::to_string(static_cast<int>(e.node().code)) + ", " +
               quoted_string(e.name()) + ")";
      case Op::constant: return constant_text(e);
      case Op::variable: return iterator(e.name());
      case Op::parameter: return (shadowed_.count(e.name()) ? "$" : "") + word(e.name());
      case Op::access: return quoted_name(e.name()) + "[" + list(e.args()) + "]";
      case Op::load:
        return "load " + to_string(e.type()) + " " + quoted_name(e.name()) + "[" + list(e.args()) +
               "]";
      case Op::checked: return "checked " + quoted_name(e.name()) + "(" + list(e.args()) + ")";
      case Op::array:
        return "array " + to_string(e.type()) + " " + quoted_name(e.name()) + "(" + list(e.args()) +
               ")";
      case Op::call:
        return "call " + to_string(e.type()) + " " + quoted_name(e.name()) + "(" + list(e.args()) +
               ")";
      case Op::named: return "(" + word(e.name()) + " := " + (*this)(e.args()[0]) + ")";
      case Op::reduce: return reduction(e);
      case Op::cast: return "cast(" + to_string(e.type()) + ", " + list(e.args()) + ")";
      case Op::negate: return "-" + negated(e.args()[0]);
      case Op::logical_not: return "!" + at_level(e.args()[0], unary_level);
      case Op::bit_not: return "~" + at_level(e.args()[0], unary_level);
      default: return to_string(e.op()) + "(" + list(e.args()) + ")";
    }
  }

  static std::string word(const std::string& name) {
    const bool keyword = name == "load" || name == "checked" || name == "array" || name == "call" ||
                         constant_from_text(name);
    return keyword ? "`" + name + "`" : quoted_name(name);
  }

  // A shared part may be used outside of the reduction that binds its iterators, where their names
  // may mean something else.
  std::string iterator(const std::string& name) const {
    const bool elsewhere = in_part_ && reduced_.count(name) && !bound_.count(name);
    return (elsewhere ? "%" : "") + word(name);
  }

  std::string at_level(const Expr& e, int level) {
    return level_of(e) < level && !named_.count(e.identity()) ? "(" + (*this)(e) + ")" : (*this)(e);
  }

  // "-1" is a constant: its negation needs parentheses.
  std::string negated(const Expr& e) {
    return e.op() == Op::constant ? "(" + constant_text(e) + ")" : at_level(e, unary_level);
  }

  std::string infix(const Expr& e) {
    const int level = level_of(e);
    return at_level(e.args()[0], level) + " " + std::string(infix_symbol(e.op())) + " " +
           at_level(e.args()[1], level + 1);
  }

  std::string list(const std::vector<Expr>& args) {
    std::string out;
    for (const Expr& arg : args) out += (out.empty() ? "" : ", ") + (*this)(arg);
    return out;
  }

  std::string reduction(const Expr& e) {
    const std::multiset<std::string> outside = bound_;
    std::string iterators;
    for (const Var& v : e.node().variables) {
      iterators += (iterators.empty() ? "" : ", ") + quoted_name(v.name());
      if (v.has_range())
        iterators += " in [" + (*this)(v.lower()) + ", " + (*this)(v.upper()) + ")";
      bound_.insert(v.name());
    }
    const std::string body = list(e.args());
    bound_ = outside;
    return to_string(e.node().reduction) + "(" + iterators + " : " + body + ")";
  }

  std::set<std::string> shadowed_;    // parameters that have the name of an iterator
  std::set<std::string> reduced_;     // iterators of reductions
  std::multiset<std::string> bound_;  // iterators of the enclosing reductions
  std::unordered_map<const ExprNode*, std::string> named_;
  bool in_part_ = false;  // true while a named part is written
};

}  // namespace

std::string to_text(const Expr& e) { return e.defined() ? Printer(e).whole(e) : "undefined"; }

}  // namespace strata
