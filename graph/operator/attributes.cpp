#include "graph/operator/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/expr/expr_text.h"
#include "core/text_scanner.h"
#include "graph/dim/dim.h"

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
  std::string operator()(const Shape& value) const {
    std::string text = "(";
    for (int d = 0; d < value.rank(); ++d) text += (d ? ", " : "") + dim_text(value[d]);
    return text + ")";
  }
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
  AttributeReader(std::string_view text, const Request& request)
      : scanner_(text), request_(request) {
    names_.type_of = [](const std::string&) { return std::nullopt; };
    for (TextScanner all(text); !all.at_end();)  // every name may be a symbol
      if (const Token token = all.next(); token.kind == Token::Kind::name)
        names_.parameters.insert(token.text);
  }

  Attributes list() {
    Attributes all;
    while (!scanner_.at_end()) {
      if (!all.entries().empty()) expect(",");
      const std::string name = scanner_.next().text;
      expect("=");
      all.set(name, value());
    }
    return all;
  }

 private:
  void expect(std::string_view symbol) {
    if (!scanner_.accept(symbol)) fail("\"" + std::string(symbol) + "\"");
  }
  [[noreturn]] void fail(const std::string& wanted) {
    const TextPosition at = scanner_.position(scanner_.peek().begin);
    throw request_.refused(Code::E0602_does_not_fit,
                           fmt::format("line {}, column {} of the attributes: expected {}", at.line,
                                       at.column, wanted));
  }

  Attribute value() {
    if (scanner_.accept_keyword("true")) return true;
    if (scanner_.accept_keyword("false")) return false;
    if (scanner_.accept("[")) return integers();
    if (scanner_.accept("(")) return shape();
    if (scanner_.peek().kind == Token::Kind::string) return scanner_.next().text;
    if (scanner_.peek().kind == Token::Kind::name) return name();
    return number();
  }

  Attribute name() {
    const Token token = scanner_.peek();
    if (const auto type = type_named(token.text)) {
      scanner_.next();
      return *type;
    }
    return number();
  }

  // An integer, or a float: it has a point, an exponent, or is inf or nan.
  Attribute number() {
    std::string text = scanner_.accept("-") ? "-" : "";
    text += scanner_.next().text;
    if (text.find_first_of(".enia") == std::string::npos) return parsed_integer(text);
    std::size_t used = 0;
    double value = 0;
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != text.size() || text.empty()) fail("a number");
    return value;
  }
  std::int64_t parsed_integer(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (wrong != std::errc() || end != text.data() + text.size()) fail("an integer");
    return value;
  }

  Attribute integers() {
    Integers list;
    while (!scanner_.accept("]")) {
      if (!list.empty()) expect(",");
      const std::string sign = scanner_.accept("-") ? "-" : "";
      list.push_back(parsed_integer(sign + scanner_.next().text));
    }
    return list;
  }

  Attribute shape() {
    Shape dims;
    while (!scanner_.accept(")")) {
      if (!dims.empty()) expect(",");
      dims.push_back(dim());
    }
    return dims;
  }

  Expr dim() {
    const Expr parsed = parse_expr(scanner_, names_);
    if (!why_no_dim(parsed).empty()) fail("a dim");
    return normal(parsed);
  }

  TextScanner scanner_;
  ExprNames names_;
  Request request_;
};

}  // namespace

Attributes Attributes::parsed(std::string_view text, const Request& request) {
  return AttributeReader(text, request).list();
}

void refuse_kind(const std::string& name, const Attribute& given, const Request& request) {
  throw request.refused(
      Code::E0602_does_not_fit,
      name + " is " + std::visit(AttributeText(), given) + ", which is no value of this attribute");
}

void require_known(const Attributes& given, const Attributes& known, const Request& request) {
  std::vector<std::string> names;
  for (const Attributes::Entry& entry : known.entries()) names.push_back(entry.name);
  for (const Attributes::Entry& entry : given.entries()) {
    if (known.find(entry.name)) continue;
    const std::string nearest = nearest_name(entry.name, names);
    throw request.refused(Code::E0603_unknown_operator, "there is no attribute " + entry.name,
                          !nearest.empty() ? "write " + nearest
                          : names.empty()  ? "it has no attributes"
                                           : fmt::format("it has {}", fmt::join(names, ", ")));
  }
}

namespace {

// Insertions, deletions and replacements that make one text of the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t least = wrong.size() / 2 + 1;
  for (const std::string& name : names)
    if (const std::size_t d = distance(wrong, name); d < least) {
      least = d;
      nearest = name;
    }
  return nearest;
}

}  // namespace strata::graph
