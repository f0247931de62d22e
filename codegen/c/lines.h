// Lines of text, indented.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strata::c {

class Lines {
 public:
  explicit Lines(std::size_t depth = 0) : depth_(depth) {}

  void line(const std::string& content) { lines_.push_back({depth_, content}); }
  // "head {", what "inside" writes, and "}". Without a head, the block only limits the scope of
  // names.
  template <typename Inside>
  void block(const std::string& head, const Inside& inside) {
    open(head);
    inside();
    close();
  }
  void open(const std::string& head);
  void close(const std::string& after = "");
  // "} else {" between two blocks.
  void otherwise();
  // A directive of the preprocessor.
  void directive(const std::string& content) { lines_.push_back({0, content, true}); }
  // The lines of another text, which has an indentation of its own.
  void add(const Lines& other);
  // Breaks lines before column 100, except directives.
  std::string text() const;

 private:
  struct Line {
    std::size_t depth;
    std::string content;
    bool directive = false;
  };
  // The first line inside of a block, and the line that ends it.
  struct Block {
    std::size_t first, end;
    bool has_head;
  };
  Block taken_off();

  std::size_t depth_;
  std::vector<Line> lines_;
  std::vector<Block> open_;
  Block last_{0, 0, true};  // closed last
};

}  // namespace strata::c
