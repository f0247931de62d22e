#include <map>

#include "core/expr/expr_text.h"
#include "core/expr/expr_typing.h"

namespace strata {

namespace {

struct Infix {
  Op op;
  int level;
};

// The precedence of infix operations, as in C++.
constexpr Infix infixes[] = {{Op::logical_or, 1},  {Op::logical_and, 2}, {Op::bit_or, 3},
                             {Op::bit_xor, 4},     {Op::bit_and, 5},     {Op::eq, 6},
                             {Op::ne, 6},          {Op::lt, 7},          {Op::le, 7},
                             {Op::gt, 7},          {Op::ge, 7},          {Op::shift_left, 8},
                             {Op::shift_right, 8}, {Op::add, 9},         {Op::sub, 9},
                             {Op::mul, 10},        {Op::div, 10},        {Op::mod, 10}};

std::optional<Op> function_named(const std::string& name) {
  for (int i = static_cast<int>(Op::negate); i <= static_cast<int>(Op::ge); ++i)
    if (to_string(static_cast<Op>(i)) == name) return static_cast<Op>(i);
  return std::nullopt;
}

// Recursive descent, one function per rule of the grammar in the header.
class Parser {
 public:
  Parser(TextScanner& scanner, const ExprNames& names) : scanner_(scanner), names_(names) {}

  // A whole text: the named parts, then the expression that uses them.
  Expr whole() {
    while (part_follows()) {
      scanner_.next();
      scanner_.expect("@");
      const std::string name = number_of_part();
      scanner_.expect("=");
      parts_[name] = expression();
      scanner_.expect(";");
    }
    return expression();
  }

 private:
  Expr expression() {
    enter();
    Expr e = infix(1);
    --depth_;
    return e;
  }

  // Keeps a text from exhausting the stack. One level more than in a tree, since parentheses may
  // enclose the whole text.
  static constexpr int deepest = deepest_expression + 1;

  void enter() {
    if (++depth_ > deepest)
      scanner_.fail(
          scanner_.peek(), Code::E0108_unreadable_text,
          "the expression is nested more than " + std::to_string(deepest_expression) + " deep");
  }

  // A "let" without "@" after it is a name.
  bool part_follows() const {
    if (!scanner_.is_keyword("let")) return false;
    TextScanner ahead = scanner_;
    ahead.next();
    return ahead.is_symbol("@");
  }

  std::string number_of_part() {
    if (scanner_.peek().kind != Token::Kind::number)
      scanner_.fail_expecting("a shared part's number");
    return scanner_.next().text;
  }

  Expr part() {
    const Token at = scanner_.peek();
    const auto found = parts_.find(number_of_part());
    if (found != parts_.end()) return found->second;
    scanner_.fail(at, Code::E0108_unreadable_text, "there is no shared part @" + at.text);
  }

  // Operands joined by operations of this level or a tighter one.
  Expr infix(int level) {
    Expr left = operand();
    while (const Infix* operation = infix_here(level)) {
      const Token symbol = scanner_.next();
      left = checked(symbol, make(operation->op, {left, infix(operation->level + 1)}));
    }
    return left;
  }

  const Infix* infix_here(int level) const {
    for (const Infix& i : infixes)
      if (i.level >= level && scanner_.is_symbol(infix_symbol(i.op))) return &i;
    return nullptr;
  }

  Expr operand() {
    const Token token = scanner_.peek();
    if (scanner_.accept("-")) return negative(token);
    for (Op op : {Op::logical_not, Op::bit_not})
      if (scanner_.accept(op == Op::logical_not ? "!" : "~")) return prefixed(op, token);
    return primary();
  }

  Expr prefixed(Op op, const Token& symbol) {
    enter();
    Expr e = checked(symbol, make(op, {operand()}));
    --depth_;
    return e;
  }

  // A minus directly before a constant belongs to the constant.
  Expr negative(const Token& minus) {
    const Token& token = scanner_.peek();
    const bool constant =
        token.kind == Token::Kind::number ||
        (token.kind == Token::Kind::name && !token.quoted && constant_from_text("-" + token.text));
    return constant ? number("-", scanner_.next()) : prefixed(Op::negate, minus);
  }

  Expr number(const std::string& sign, const Token& token) {
    if (auto value = constant_from_text(sign + token.text)) return *value;
    scanner_.fail(token, Code::E0108_unreadable_text,
                  "'" + sign + token.text + "' is not a constant of any type");
  }

  Expr primary() {
    const Token token = scanner_.peek();
    if (token.kind == Token::Kind::number) return number("", scanner_.next());
    if (scanner_.accept("(")) return parenthesised();
    if (scanner_.accept("$")) return parameter(scanner_.expect_name("the name of a parameter"));
    if (scanner_.accept("%")) return variable(scanner_.expect_name("the name of an iterator"));
    if (scanner_.accept("@")) return part();
    if (token.kind != Token::Kind::name) scanner_.fail_expecting("an expression");
    scanner_.next();
    if (scanner_.accept("[")) return accessed(token);
    if (scanner_.accept("(")) return applied(token);
    if (!token.quoted) {
      const bool name_follows = scanner_.peek().kind == Token::Kind::name;
      if (name_follows && token.text == "load") return loaded(token);
      if (name_follows && token.text == "array") return whole_array(token);
      if (name_follows && token.text == "call") return called(token);
      if (name_follows && token.text == "checked") return checked_index(token);
      if (auto value = constant_from_text(token.text)) return *value;
    }
    const bool is_parameter = names_.parameters.count(token.text) && !bound_.count(token.text);
    return is_parameter ? parameter(token.text) : variable(token.text);
  }

  Expr parenthesised() {
    Expr e = expression();
    if (e.op() == Op::variable || e.op() == Op::parameter)
      if (scanner_.accept(":=")) e = let(e.name(), expression());
    scanner_.expect(")");
    return e;
  }

  Expr accessed(const Token& name) {
    const std::optional<Type> type = names_.type_of ? names_.type_of(name.text) : std::nullopt;
    if (!type)
      scanner_.fail(name, Code::E0108_unreadable_text,
                    "there is no input or computation named '" + name.text + "'");
    return checked(name, access(name.text, *type, expressions("]")));
  }

  Expr loaded(const Token& word) {
    const Type type = type_name();
    const std::string buffer = scanner_.expect_name("the name of a buffer");
    scanner_.expect("[");
    return checked(word, load(buffer, type, expressions("]")));
  }

  Expr whole_array(const Token& word) {
    const Type type = type_name();
    const std::string name = scanner_.expect_name("the name of an array");
    scanner_.expect("(");
    std::vector<Expr> places = expressions(")");
    if (places.empty()) {
      if (names_.type_of && names_.type_of(name) != type)
        scanner_.fail(
            word, Code::E0108_unreadable_text,
            "there is no input or computation named '" + name + "' of " + to_string(type));
      return array_argument(name, type);
    }
    if (places.size() % 3 != 1) scanner_.fail_expecting("places, lowers and extents");
    const auto rank = std::ptrdiff_t(places.size() / 3);
    const std::vector<Expr> extents(places.end() - rank, places.end());
    const std::vector<Expr> lowers(places.end() - 2 * rank, places.end() - rank);
    places.resize(std::size_t(rank) + 1);
    return checked(word, array_argument(name, type, places, lowers, extents));
  }

  Expr called(const Token& word) {
    const Type type = type_name();
    const std::string function = scanner_.expect_name("the name of a function");
    scanner_.expect("(");
    return checked(word, call(type, function, expressions(")")));
  }

  Expr checked_index(const Token& word) {
    const std::string what = scanner_.expect_name("what it is an index of");
    scanner_.expect("(");
    const std::vector<Expr> args = expressions(")");
    if (args.size() != 3) scanner_.fail_expecting("an index and its two bounds");
    return checked(word, strata::checked(what, args[0], args[1], args[2]));
  }

  // name "(" .., with the parenthesis already read.
  Expr applied(const Token& name) {
    if (name.text == "cast") return converted(name);
    if (name.text == "invalid") return mistake();
    if (auto reduction = reduction_named(name.text)) return reduced(name, *reduction);
    const std::optional<Op> op = function_named(name.text);
    if (name.text != "select" && !op)
      scanner_.fail(name, Code::E0108_unreadable_text,
                    "there is no function named '" + name.text + "'");
    return checked(name, make(op.value_or(Op::select), expressions(")")));
  }

  Expr converted(const Token& name) {
    const Type type = type_name();
    scanner_.expect(",");
    Expr e = expression();
    scanner_.expect(")");
    return checked(name, cast(type, e));
  }

  Expr mistake() {
    if (scanner_.peek().kind != Token::Kind::number) scanner_.fail_expecting("the code's number");
    const Expr code = number("", scanner_.next());
    scanner_.expect(",");
    if (scanner_.peek().kind != Token::Kind::string) scanner_.fail_expecting("an explanation");
    const std::string explanation = scanner_.next().text;
    scanner_.expect(")");
    return invalid(static_cast<Code>(code.node().integer), explanation);
  }

  Expr reduced(const Token& name, Reduction reduction) {
    std::vector<Var> over;
    const std::multiset<std::string> outside = bound_;
    do over.push_back(iterator());
    while (scanner_.accept(","));
    scanner_.expect(":");
    const Expr body = expression();
    scanner_.expect(")");
    bound_ = outside;
    using Maker = Expr (*)(std::vector<Var>, Expr);
    static constexpr Maker makers[] = {sum, product, minimum, maximum, any, all};
    return checked(name, makers[static_cast<std::size_t>(reduction)](std::move(over), body));
  }

  // An iterator is visible in later bounds and in the body.
  Var iterator() {
    const std::string name = scanner_.expect_name("the name of an iterator");
    if (!scanner_.accept_keyword("in")) {
      bound_.insert(name);
      return Var(name);
    }
    scanner_.expect("[");
    const Expr lower = expression();
    scanner_.expect(",");
    const Expr upper = expression();
    scanner_.expect(")");
    bound_.insert(name);
    return Var(name, lower, upper);
  }

  Type type_name() {
    const Token token = scanner_.peek();
    const auto type = type_named(scanner_.expect_name("a type"));
    if (!type)
      scanner_.fail(token, Code::E0108_unreadable_text,
                    "expected a type (int32, float32, ..), found '" + token.text + "'");
    return *type;
  }

  std::vector<Expr> expressions(std::string_view closing) {
    std::vector<Expr> list;
    if (scanner_.accept(closing)) return list;
    do list.push_back(expression());
    while (scanner_.accept(","));
    scanner_.expect(closing);
    return list;
  }

  // A type mistake detected here, not one that the text itself spells out.
  Expr checked(const Token& at, const Expr& e) const {
    if (e.op() == Op::invalid) scanner_.fail(at, e.node().code, e.name());
    return e;
  }

  TextScanner& scanner_;
  const ExprNames& names_;
  std::multiset<std::string> bound_;
  std::map<std::string, Expr> parts_;
  int depth_ = 0;
};

}  // namespace

Expr parse_expr(TextScanner& scanner, const ExprNames& names) {
  return Parser(scanner, names).whole();
}

Expr parse_expr(std::string_view text, const ExprNames& names) {
  TextScanner scanner(text);
  Expr e = parse_expr(scanner, names);
  scanner.expect_end();
  return e;
}

}  // namespace strata
