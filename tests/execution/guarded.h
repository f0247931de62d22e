// Memory for one argument of a kernel, with room around and between its elements that must stay
// as it was.
#pragma once

#include <strata/runtime.h>

#include <array>
#include <string>
#include <vector>

#include "tests/judge/array.h"

namespace strata::test {

// How the elements lie in memory.
enum class Shape {
  dense,       // row major
  padded,      // row major, rows longer than needed, and a margin around the elements
  strided,     // the innermost stride is 3
  transposed,  // the first index is innermost
  backward,    // the last index runs down in memory
};
inline constexpr std::array all_shapes{Shape::dense, Shape::padded, Shape::strided,
                                       Shape::transposed, Shape::backward};
std::string to_string(Shape shape);

class Guarded {
 public:
  // The box lower <= index < lower + extent; an element is what "contents" says, else noise.
  Guarded(Type type, const judge::Point& lower, const judge::Point& extent, Shape shape,
          const judge::Array& contents);
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  halide_buffer_t* argument() { return strata_argument(&buffer_); }
  // For tests of what a kernel refuses.
  strata_buffer& description() { return buffer_; }

  // The element now, and all elements that "like" has values for.
  judge::Scalar at(const judge::Point& index) const;
  judge::Array values(const judge::Array& like) const;

  // The first byte that has changed and that is of no element of "written" with a value; or "".
  std::string damage(const judge::Array& written) const;
  std::string damage() const { return damage(judge::Array()); }

 private:
  void lay_out(const judge::Point& lower, const judge::Point& extent, Shape shape);
  std::size_t byte_of(const judge::Point& index) const;
  void set(const judge::Point& index, const judge::Scalar& value);

  Type type_;
  std::vector<strata_dimension> dimensions_;  // dimension 0 is the last index
  std::size_t first_ = 0;                     // the byte of the element at every minimum
  std::vector<std::uint64_t> memory_;         // 64-bit units keep elements aligned
  std::vector<std::uint8_t> before_;
  strata_buffer buffer_{};
};

// The smallest box around the elements of both.
void enclose(const judge::Array& a, judge::Point& lower, judge::Point& extent);

}  // namespace strata::test
