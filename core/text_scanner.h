// Splits text written by people into tokens, and locates errors in it exactly.
//
//   name    letters, digits, "_" and inner "."; or anything between backquotes: `two words`
//   number  a digit, then digits, ".", an exponent, and a suffix of letters and digits: 1.5e-3f32
//   string  between double quotes, with \" and \\ inside
//   symbol  := || && == != <= >= << >> -> or one character
//
// A "#" starts a comment that ends at the end of its line.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"

namespace strata {

struct Token {
  enum class Kind { name, number, string, symbol, end };
  Kind kind = Kind::end;
  std::string text;  // without quotes
  std::size_t begin = 0, end = 0;
  bool quoted = false;  // a name between backquotes, which is never a keyword
};

// A position in a text, counted from 1.
struct TextPosition {
  int line = 1;
  int column = 1;
};

class TextScanner {
 public:
  // "start" is the position of the first character in the text that the user sees.
  explicit TextScanner(std::string_view text, TextPosition start = {});

  const Token& peek() const { return token_; }
  Token next();
  bool at_end() const { return token_.kind == Token::Kind::end; }

  bool is_symbol(std::string_view symbol) const;
  bool is_keyword(std::string_view word) const;
  // Skips the symbol or keyword, if it is next.
  bool accept(std::string_view symbol);
  bool accept_keyword(std::string_view word);

  // These throw E0108 if something else is next.
  void expect(std::string_view symbol);
  void expect_keyword(std::string_view word);
  std::string expect_name(std::string_view what);
  // Text in another notation (isl's), from here to the brace that closes its first one.
  std::string expect_braced(std::string_view what);
  void expect_end();

  TextPosition position(std::size_t offset) const;
  std::string_view text() const { return text_; }

  // "line 2, column 7: expected a name, found ')'"
  [[noreturn]] void fail_expecting(std::string_view what) const;
  // "line 2, column 7: <explanation>", at the token
  [[noreturn]] void fail(const Token& token, Code code, const std::string& explanation) const;

 private:
  Token scan(std::size_t from) const;
  Token scan_name(std::size_t from) const;
  Token scan_number(std::size_t from) const;
  Token scan_quoted(std::size_t from) const;
  Token scan_symbol(std::size_t from) const;

  std::string_view text_;
  TextPosition start_;
  Token token_;
};

// "name" as the scanner reads it back: in backquotes unless it has the form of a name.
std::string quoted_name(const std::string& name);
// "text" as a string in double quotes.
std::string quoted_string(const std::string& text);

}  // namespace strata
