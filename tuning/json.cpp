#include "tuning/json.h"

#include <charconv>

namespace strata::tuning {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<JsonObject> whole() {
    JsonObject object;
    if (!take('{')) return std::nullopt;
    if (!take('}')) {
      do {
        if (!take_member(object)) return std::nullopt;
      } while (take(','));
      if (!take('}')) return std::nullopt;
    }
    skip_spaces();
    return at_ == text_.size() ? std::optional(object) : std::nullopt;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(char expected) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  bool take_member(JsonObject& object) {
    std::string name, text;
    if (!take_text(name) || !take(':')) return false;
    skip_spaces();
    const char first = at_ < text_.size() ? text_[at_] : '\0';
    std::vector<std::string> texts;
    std::int64_t number = 0;
    if (first == '"' && take_text(text))
      object.set(name, text);
    else if (first == '[' && take_texts(texts))
      object.set(name, texts);
    else if (first != '"' && first != '[' && take_number(number))
      object.set(name, number);
    else
      return false;
    return true;
  }

  bool take_number(std::int64_t& number) {
    const char* const begin = text_.data() + at_;
    const auto [end, failed] = std::from_chars(begin, text_.data() + text_.size(), number);
    at_ += std::size_t(end - begin);
    return failed == std::errc();
  }

  bool take_texts(std::vector<std::string>& texts) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      texts.emplace_back();
      if (!take_text(texts.back())) return false;
    } while (take(','));
    return take(']');
  }

  bool take_text(std::string& text) {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (c != '\\')
        text += c;
      else if (!take_escape(text))
        return false;
    }
    return false;
  }

  // Takes an escape as in_json writes them: \" and \\, and \u00XX for control characters.
  bool take_escape(std::string& text) {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (c == '"' || c == '\\' || c == '/') {
      text += c;
      return true;
    }
    if (c != 'u' || text_.size() - at_ < 4) return false;
    unsigned code = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, failed] = std::from_chars(begin, begin + 4, code, 16);
    if (failed != std::errc() || end != begin + 4 || code > 0x7f) return false;
    at_ += 4;
    text += char(code);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<JsonObject> find_json_object(std::string_view text) { return Reader(text).whole(); }

}  // namespace strata::tuning
