// Memory for one argument of a kernel, with guard zones around and between its elements that must
// stay unchanged.
#pragma once

#include <strata/runtime.h>

#include <array>
#include <string>
#include <vector>

#include "core/scalar_value.h"
#include "reference/array.h"

namespace strata::test {

// The layout of the elements in memory.
enum class Shape {
  dense,       // row major
  padded,      // row major, rows longer than needed, and a margin around the elements
  strided,     // the innermost stride is 3
  transposed,  // the first index is innermost
  backward,    // the last index has a negative stride
};
inline constexpr std::array all_shapes{Shape::dense, Shape::padded, Shape::strided,
                                       Shape::transposed, Shape::backward};
std::string to_string(Shape shape);

class Guarded {
 public:
  // The box lower <= index < lower + extent; elements without a value in "contents" are random.
  Guarded(Type type, const reference::Point& lower, const reference::Point& extent, Shape shape,
          const reference::Array& contents);
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  halide_buffer_t* argument() { return strata_argument(&buffer_); }
  // For tests of refused arguments.
  strata_buffer& description() { return buffer_; }

  // The current value of an element, or of all elements that have values in "like".
  reference::Scalar at(const reference::Point& index) const;
  reference::Array values(const reference::Array& like) const;

  // Describes the first changed byte that belongs to no element with a value in "written", or
  // returns "".
  std::string damage(const reference::Array& written) const;
  std::string damage() const { return damage(reference::Array()); }

 private:
  void lay_out(const reference::Point& lower, const reference::Point& extent, Shape shape);
  std::size_t byte_of(const reference::Point& index) const;
  void set(const reference::Point& index, const reference::Scalar& value);

  Type type_;
  std::vector<strata_dimension> dimensions_;  // dimension 0 is the last index
  std::size_t first_ = 0;                     // the offset in bytes of the element at every minimum
  std::vector<std::uint64_t> memory_;         // 64-bit units keep elements aligned
  std::vector<std::uint8_t> before_;
  strata_buffer buffer_{};
};

// The value of an input that is passed by value, for a call.
ScalarValue passed(const reference::Array& input);

// The smallest box around the elements of both.
void enclose(const reference::Array& a, reference::Point& lower, reference::Point& extent);

}  // namespace strata::test
