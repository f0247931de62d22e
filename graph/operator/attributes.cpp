#include "graph/operator/attributes.h"

#include <fmt/format.h>

#include <charconv>

#include "core/text_scanner.h"
#include "graph/dim/dim.h"
#include "graph/operator/names.h"

namespace strata::graph {

const Attribute* Attributes::find(std::string_view name) const {
  for (const Entry& entry : entries_)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

void Attributes::set(const std::string& name, Attribute value) {
  for (Entry& entry : entries_)
    if (entry.name == name) {
      entry.value = std::move(value);
      return;
    }
  entries_.push_back({name, std::move(value)});
}

bool is_note(std::string_view name) { return name.find('.') != name.npos; }

Attributes without_notes(const Attributes& attributes) {
  Attributes own;
  for (const Attributes::Entry& entry : attributes.entries())
    if (!is_note(entry.name)) own.set(entry.name, entry.value);
  return own;
}

namespace {

struct AttributeText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    const std::string text = fmt::format("{}", value);
    return text.find_first_of(".enia") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(const std::string& value) const { return quoted_string(value); }
  std::string operator()(Type value) const { return to_string(value); }
  std::string operator()(const Integers& value) const {
    return fmt::format("[{}]", fmt::join(value, ", "));
  }
  std::string operator()(const Shape& value) const { return text_of(value); }
};

}  // namespace

std::string Attributes::text() const {
  std::string text;
  for (const Entry& entry : entries_)
    text +=
        (text.empty() ? "" : ", ") + entry.name + "=" + std::visit(AttributeText(), entry.value);
  return text;
}

namespace {

// Reads what AttributeText writes.
class AttributeReader {
 public:
  AttributeReader(TextScanner& scanner, const ExprNames& names)
      : scanner_(scanner), names_(names) {}

  Attribute value() {
    if (scanner_.accept_keyword("true")) return true;
    if (scanner_.accept_keyword("false")) return false;
    if (scanner_.accept("[")) return read_list(scanner_, "]", [this] { return signed_integer(); });
    if (scanner_.accept("(")) return rest_of_dims(scanner_, names_);
    if (scanner_.peek().kind == Token::Kind::string) return scanner_.next().text;
    if (scanner_.peek().kind == Token::Kind::name) return name();
    return number();
  }

 private:
  Attribute name() {
    const Token token = scanner_.peek();
    if (const auto type = type_named(token.text)) {
      scanner_.next();
      return *type;
    }
    return number();
  }

  // An integer, or a float if it has a point or an exponent, or is inf or nan.
  Attribute number() {
    std::string text = scanner_.accept("-") ? "-" : "";
    const Token token = scanner_.peek();
    text += token.text;
    if (text.find_first_of(".enia") == std::string::npos) return parsed_integer(text);
    std::size_t used = 0;
    double value = 0;
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != text.size() || text.empty()) scanner_.fail_expecting("a number");
    scanner_.next();
    return value;
  }
  // "text" ends before the next token.
  std::int64_t parsed_integer(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (wrong != std::errc() || end != text.data() + text.size())
      scanner_.fail_expecting("an integer");
    scanner_.next();
    return value;
  }

  std::int64_t signed_integer() {
    const std::string sign = scanner_.accept("-") ? "-" : "";
    return parsed_integer(sign + scanner_.peek().text);
  }

  TextScanner& scanner_;
  const ExprNames& names_;
};

}  // namespace

Expr read_dim(TextScanner& scanner, const ExprNames& names) {
  const Token first = scanner.peek();
  const Expr parsed = parse_expr(scanner, names);
  if (const std::string why = why_no_dim(parsed); !why.empty())
    scanner.fail(first, Code::E0108_unreadable_text, "a dim " + why);
  return normal(parsed);
}

Shape rest_of_dims(TextScanner& scanner, const ExprNames& names) {
  return read_list(scanner, ")", [&] { return read_dim(scanner, names); });
}

Attribute read_attribute(TextScanner& scanner, const ExprNames& names) {
  return AttributeReader(scanner, names).value();
}

void refuse_kind(const std::string& name, const Attribute& given, const Request& request) {
  throw request.refused(Code::E0602_does_not_fit, name + " is " +
                                                      std::visit(AttributeText(), given) +
                                                      ", which is not a value of this attribute");
}

void require_known(const Attributes& given, const Attributes& known, const Request& request) {
  std::vector<std::string> names;
  for (const Attributes::Entry& entry : known.entries()) names.push_back(entry.name);
  for (const Attributes::Entry& entry : given.entries()) {
    if (known.find(entry.name)) continue;
    throw unknown_name(
        entry.name, names, Code::E0603_unknown_operator, "there is no attribute " + entry.name,
        names.empty() ? "it has no attributes" : fmt::format("it has {}", fmt::join(names, ", ")),
        request);
  }
}

}  // namespace strata::graph
