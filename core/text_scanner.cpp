#include "core/text_scanner.h"

#include <algorithm>
#include <array>

namespace strata {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string described(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end: return "the end of the text";
    case Token::Kind::string: return quoted_string(token.text);
    default: return "'" + token.text + "'";
  }
}

// The end of a name that starts at "from"; "from" itself if there is none.
std::size_t end_of_name(std::string_view text, std::size_t from) {
  if (from >= text.size() || !is_letter(text[from])) return from;
  std::size_t end = from;
  while (end < text.size() && (is_word(text[end]) || (text[end] == '.' && end + 1 < text.size() &&
                                                      is_letter(text[end + 1]))))
    ++end;
  return end;
}

std::size_t skip_digits(std::string_view text, std::size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

}  // namespace

TextScanner::TextScanner(std::string_view text, TextPosition start) : text_(text), start_(start) {
  token_ = scan(0);
}

Token TextScanner::next() {
  Token token = std::move(token_);
  token_ = scan(token.end);
  return token;
}

bool TextScanner::is_symbol(std::string_view symbol) const {
  return token_.kind == Token::Kind::symbol && token_.text == symbol;
}

bool TextScanner::is_keyword(std::string_view word) const {
  return token_.kind == Token::Kind::name && !token_.quoted && token_.text == word;
}

bool TextScanner::accept(std::string_view symbol) {
  if (!is_symbol(symbol)) return false;
  next();
  return true;
}

bool TextScanner::accept_keyword(std::string_view word) {
  if (!is_keyword(word)) return false;
  next();
  return true;
}

void TextScanner::expect(std::string_view symbol) {
  if (!accept(symbol)) fail_expecting("'" + std::string(symbol) + "'");
}

void TextScanner::expect_keyword(std::string_view word) {
  if (!accept_keyword(word)) fail_expecting("'" + std::string(word) + "'");
}

std::string TextScanner::expect_name(std::string_view what) {
  if (token_.kind != Token::Kind::name) fail_expecting(what);
  return next().text;
}

std::string TextScanner::expect_braced(std::string_view what) {
  const std::size_t begin = token_.begin;
  int open = 0;
  for (std::size_t end = begin; end < text_.size(); ++end) {
    if (text_[end] == '{') ++open;
    if (text_[end] != '}') continue;
    if (--open > 0) continue;
    if (open < 0) break;
    token_ = scan(end + 1);
    return std::string(text_.substr(begin, end + 1 - begin));
  }
  fail_expecting(what);
}

void TextScanner::expect_end() {
  if (!at_end()) fail_expecting("the end of the text");
}

TextPosition TextScanner::position(std::size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  if (lines == 0) return {start_.line, start_.column + static_cast<int>(offset)};
  const std::size_t line_start = before.rfind('\n') + 1;
  return {start_.line + static_cast<int>(lines), static_cast<int>(offset - line_start) + 1};
}

void TextScanner::fail_expecting(std::string_view what) const {
  fail(token_, Code::E0108_unreadable_text,
       "expected " + std::string(what) + ", found " + described(token_));
}

void TextScanner::fail(const Token& token, Code code, const std::string& explanation) const {
  const TextPosition at = position(token.begin);
  throw Error(Refusal{code,
                      "",
                      "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
                          ": " + explanation,
                      std::nullopt,
                      "",
                      {}});
}

Token TextScanner::scan(std::size_t from) const {
  while (from < text_.size() && (is_space(text_[from]) || text_[from] == '#')) {
    if (text_[from] == '#')
      from = std::min(text_.find('\n', from), text_.size());
    else
      ++from;
  }
  if (from >= text_.size()) return {Token::Kind::end, "", text_.size(), text_.size(), false};
  if (is_letter(text_[from])) return scan_name(from);
  if (is_digit(text_[from])) return scan_number(from);
  if (text_[from] == '`' || text_[from] == '"') return scan_quoted(from);
  return scan_symbol(from);
}

Token TextScanner::scan_name(std::size_t from) const {
  const std::size_t end = end_of_name(text_, from);
  return {Token::Kind::name, std::string(text_.substr(from, end - from)), from, end, false};
}

Token TextScanner::scan_number(std::size_t from) const {
  std::size_t end = skip_digits(text_, from);
  if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1]))
    end = skip_digits(text_, end + 1);
  if (end < text_.size() && text_[end] == 'e') {
    std::size_t exponent = end + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    if (skip_digits(text_, exponent) > exponent) end = skip_digits(text_, exponent);
  }
  while (end < text_.size() && is_word(text_[end])) ++end;
  return {Token::Kind::number, std::string(text_.substr(from, end - from)), from, end, false};
}

// Quotes and backslashes inside are escaped by a backslash.
Token TextScanner::scan_quoted(std::size_t from) const {
  const char quote = text_[from];
  Token token{quote == '`' ? Token::Kind::name : Token::Kind::string, "", from, from + 1,
              quote == '`'};
  while (token.end < text_.size() && text_[token.end] != quote) {
    if (text_[token.end] == '\\' && token.end + 1 < text_.size()) ++token.end;
    token.text += text_[token.end++];
  }
  if (token.end >= text_.size())
    fail(token, Code::E0108_unreadable_text,
         std::string("the ") + quote + " that opens here is never closed");
  ++token.end;
  return token;
}

Token TextScanner::scan_symbol(std::size_t from) const {
  static constexpr std::array<std::string_view, 10> pairs = {
      ":=", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "->"};
  const std::string_view two = text_.substr(from, 2);
  const bool may_be_pair =
      two.size() == 2 && std::string_view("=|&<>").find(two[1]) != std::string_view::npos;
  const bool pair = may_be_pair && std::find(pairs.begin(), pairs.end(), two) != pairs.end();
  const std::size_t end = from + (pair ? 2 : 1);
  return {Token::Kind::symbol, std::string(text_.substr(from, end - from)), from, end, false};
}

std::string quoted_name(const std::string& name) {
  if (!name.empty() && end_of_name(name, 0) == name.size()) return name;
  std::string out = "`";
  for (char c : name) {
    if (c == '`' || c == '\\') out += '\\';
    out += c;
  }
  return out + "`";
}

std::string quoted_string(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace strata
