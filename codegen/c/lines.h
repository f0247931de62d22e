// Lines of text, indented.
#pragma once

#include <string>

namespace strata::c {

class Lines {
 public:
  void line(const std::string& content) { text_ += std::string(2 * depth_, ' ') + content + "\n"; }
  // "head {", what "inside" writes, and "}".
  template <typename Inside>
  void block(const std::string& head, const Inside& inside) {
    open(head);
    inside();
    close();
  }
  void open(const std::string& head) {
    line(head.empty() ? "{" : head + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  // Between two blocks of which one runs.
  void otherwise() {
    --depth_;
    line("} else {");
    ++depth_;
  }
  // A directive of the preprocessor.
  void directive(const std::string& content) { text_ += content + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t depth_ = 1;  // inside of a function
};

}  // namespace strata::c
