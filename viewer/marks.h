// Marks: what an element of a page is about. Elements with a mark in common are counterparts.
//
//   c:NAME               a computation (a definition), and the values that it computes
//   l:COMPUTATION.NAME   a loop around a computation
//   b:NAME               a buffer
//   v:VARIABLE           one loop of the generated tree
//
// An element has several marks, separated by spaces.
#pragma once

#include <set>
#include <string>

#include "layers/program.h"

namespace strata::viewer {

void add_mark(std::string& marks, const std::string& mark);

class Marks {
 public:
  explicit Marks(const Program& program) : program_(&program) {}

  // Of an initial value also that of its reduction.
  std::string of_computation(const std::string& name) const;
  std::string of_loop(const std::set<std::string>& owners, const std::string& loop) const;
  std::string of_loop(const Node& loop) const;
  std::string of_buffer(const std::string& name) const { return "b:" + name; }
  // Of all definitions of an array; of an input, its buffer.
  std::string of_value(const std::string& name) const;

  // What names before brackets, "bx[k, w]", refer to in a text.
  enum class Names { values, buffers, both };
  // The text as HTML, in which these names are elements with marks.
  std::string linked(const std::string& text, Names names) const;

 private:
  std::string of_name(const std::string& name, Names names) const;

  const Program* program_;
};

}  // namespace strata::viewer
