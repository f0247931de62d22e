#include "graph/text/leaves.h"

#include <charconv>

#include "core/expr/expr_text.h"
#include "graph/evaluate/element.h"
#include "graph/text/constants.h"

namespace strata::graph {

namespace {

constexpr int most_nested_parentheses = 100;

[[noreturn]] void fail_at(const TextScanner& scanner, const Token& token,
                          const std::string& explanation) {
  scanner.fail(token, Code::E0108_unreadable_text, explanation);
}

// A constant with its sign, at the scanner's position.
Expr constant_at(TextScanner& scanner) {
  const Token token = scanner.peek();
  std::string text = scanner.accept("-") ? "-" : "";
  text += scanner.peek().text;
  const auto value = constant_from_text(text);
  if (!value || scanner.at_end()) fail_at(scanner, token, "'" + text + "' is not a constant");
  scanner.next();
  return *value;
}

// The number that the next token is.
template <typename Number>
Number number_at(TextScanner& scanner, const char* what) {
  const Token token = scanner.next();
  const char *const begin = token.text.data(), *const end = begin + token.text.size();
  Number number = 0;
  const auto [read, wrong] = std::from_chars(begin, end, number);
  if (wrong != std::errc() || read != end)
    fail_at(scanner, token, "'" + token.text + "' is no " + what);
  return number;
}

NDArray scalar_array(Type type, const Expr& constant) {
  NDArray array(element_type_of(type), {});
  write(array, 0, element_of(constant.node()));
  return array;
}

}  // namespace

// ---- arrays ----

std::size_t ArrayTable::number(TextScanner& scanner) const {
  scanner.expect("[");
  const auto number = number_at<std::size_t>(scanner, "number of a constant");
  scanner.expect("]");
  return number;
}

Value ArrayTable::constant(TextScanner& scanner) {
  const Token token = scanner.peek();
  const std::size_t wanted = number(scanner);
  const auto found = values_.find(wanted);
  if (found == values_.end())
    fail_at(scanner, token, "the text has no line const[" + std::to_string(wanted) + "]: ..");
  return found->second;
}

// A colon follows "const[k]" only in the lines of the list.
void ArrayTable::read(std::string_view text) {
  if (text.find("const") == text.npos) return;
  for (TextScanner scanner(text); !scanner.at_end();) {
    const Token token = scanner.next();
    if (token.kind != Token::Kind::name || token.quoted || token.text != "const" ||
        !scanner.is_symbol("["))
      continue;
    const std::size_t k = number(scanner);
    if (!scanner.accept(":")) continue;
    if (!values_.emplace(k, Value(array(scanner, k))).second)
      fail_at(scanner, token, "const[" + std::to_string(k) + "] is given twice");
  }
}

NDArray ArrayTable::array(TextScanner& scanner, std::size_t number) const {
  const Token token = scanner.peek();
  const ExprNames none;
  const ValueType type = Reader(scanner, none).type();
  std::vector<std::int64_t> extents;
  for (const Expr& dim : type.dims() ? *type.dims() : Shape())
    extents.push_back(constant_dim(dim).value_or(-1));
  if (!type.is_tensor() || !type.dims() || !type.element())
    fail_at(scanner, token, "a constant has a tensor type of numbers");
  scanner.expect("=");
  if (scanner.accept_keyword("hash")) {
    const Token hash = scanner.next();
    if (number >= given_.size() || hash_text(given_[number]) != hash.text ||
        !(type_of(given_[number]) == type))
      fail_at(scanner, hash,
              "the array const[" + std::to_string(number) +
                  "] is not among the constants that are given");
    return given_[number];
  }
  scanner.expect("[");
  const auto elements = read_list(scanner, "]", [&] { return constant_at(scanner); });
  double size = 1;
  for (const std::int64_t extent : extents) size *= extent < 0 ? -1 : double(extent);
  if (size != double(elements.size())) fail_at(scanner, token, "there are not as many elements");
  NDArray array(element_type_of(*type.element()), extents);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (elements[k].type() != *type.element())
      fail_at(scanner, token, "an element is of another type");
    write(array, k, element_of(elements[k].node()));
  }
  return array;
}

void ArrayTable::skip(TextScanner& scanner) const {
  scanner.next();
  number(scanner);
  scanner.expect(":");
  const ExprNames none;
  Reader(scanner, none).type();
  scanner.expect("=");
  if (scanner.accept_keyword("hash")) {
    scanner.next();
    return;
  }
  scanner.expect("[");
  while (!scanner.accept("]")) {
    if (scanner.at_end()) scanner.fail_expecting("']'");
    scanner.next();
  }
}

// ---- leaves ----

bool Leaves::begins_leaf() const {
  const Token& token = scanner_.peek();
  if (token.quoted) return false;
  return token.text == "const" || token.text == "shape" || token.text == "tuple" ||
         type_named(token.text) || constant_from_text(token.text);
}

Value Leaves::leaf() {
  const Token token = scanner_.peek();
  if (scanner_.is_symbol("%")) return find(token, variable_name());
  if (scanner_.accept("@")) return global_value(scanner_.expect_name("the name of a global"));
  if (scanner_.accept("(")) return parenthesised();
  if (token.kind == Token::Kind::name) return leaf_after(scanner_.next());
  if (token.kind == Token::Kind::string) return text_value(scanner_.next().text);
  const Expr constant = constant_at(scanner_);
  return Value(scalar_array(constant.type(), constant));
}

Value Leaves::leaf_after(const Token& name) {
  if (!name.quoted && name.text == "const") return arrays_.constant(scanner_);
  if (!name.quoted && name.text == "shape") return shape_value(reader_.dims());
  if (!name.quoted && name.text == "tuple") {
    scanner_.expect("(");
    return tuple();
  }
  if (const auto type = type_named(name.text); type && !name.quoted) {
    scanner_.expect("(");
    const Expr constant = constant_at(scanner_);
    if (constant.type() != *type) fail_at(scanner_, name, "the constant is of another type");
    scanner_.expect(")");
    return Value(scalar_array(*type, constant));
  }
  const auto constant = constant_from_text(name.text);
  if (!constant || name.quoted) fail_at(scanner_, name, "'" + name.text + "' is not a value");
  return Value(scalar_array(constant->type(), *constant));
}

// A tuple, or a shape: a list of dims.
Value Leaves::parenthesised() {
  const Token token = scanner_.peek();
  const bool is_number = token.kind == Token::Kind::number;
  const auto constant = is_number ? constant_from_text(token.text) : std::nullopt;
  const bool is_tuple = scanner_.is_symbol(",") || scanner_.is_symbol("%") ||
                        scanner_.is_symbol("@") || token.kind == Token::Kind::string ||
                        (token.kind == Token::Kind::name && begins_leaf()) ||
                        (constant && constant->type() != i64);
  return is_tuple ? tuple() : shape_value(reader_.rest_of_dims());
}

// Reads the fields after "(".
Value Leaves::tuple() {
  const Token token = scanner_.peek();
  if (++depth_ > most_nested_parentheses) fail_at(scanner_, token, "tuples are nested too deep");
  const Values fields = read_fields(scanner_, [this] { return leaf(); });
  --depth_;
  return tuple_value(fields);
}

Values Leaves::list() {
  scanner_.expect("(");
  return read_list(scanner_, ")", [this] { return leaf(); });
}

int Leaves::count() { return number_at<int>(scanner_, "index of a field"); }

std::string Leaves::variable_name() {
  scanner_.expect("%");
  const Token token = scanner_.peek();
  const bool is_number = token.kind == Token::Kind::number &&
                         token.text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) return scanner_.next().text;
  return scanner_.expect_name("the name of a variable");
}

const Value& Leaves::find(const Token& token, const std::string& name) const {
  const Bound* bound = variables_.find(name);
  if (!bound || !scopes_.is_open(bound->scope))
    fail_at(scanner_, token, "there is no variable %" + name + " here");
  return bound->variable;
}

void Leaves::define(const Token& token, const std::string& name, const Value& variable, int scope) {
  const auto [bound, is_new] = variables_.add(name, {variable, scope});
  if (!is_new && scopes_.is_open(bound.scope))
    fail_at(scanner_, token, "there is a variable %" + name);
  bound = {variable, scope};
}

const Value& Leaves::moved(const Token& token, const std::string& name, int from, int to) {
  Bound* bound = variables_.find(name);
  if (!bound || bound->scope != from)
    fail_at(scanner_, token, "the block binds no variable of this name");
  bound->scope = to;
  return bound->variable;
}

}  // namespace strata::graph
