// An array of scalars over the box hull of its elements.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/evaluate.h"

namespace strata::reference {

class Array {
 public:
  Array() = default;
  // The given elements, without values.
  Array(Type type, const std::vector<Point>& elements);

  // All elements of a box, without values.
  static Array box(Type type, Point lower, Point extent);

  Type type() const { return type_; }
  const Point& lower() const { return lower_; }    // of the box
  const Point& extent() const { return extent_; }  // of the box; all zero if there is no element
  bool contains(const Point& element) const;       // does the element exist?
  bool defined(const Point& element) const;        // does the element have a value?
  std::vector<Point> elements() const;             // in lexicographic order

  // The value of an element; throws if it has none.
  const Scalar& operator[](const Point& element) const;
  std::int64_t integer(const Point& element) const;
  double real(const Point& element) const;

  // "step": the position in the execution order at which the value was made; -1 for an input.
  void set(const Point& element, const Scalar& value, std::int64_t step = -1);
  std::int64_t step(const Point& element) const;

 private:
  struct Cell {
    Scalar value;
    std::int64_t step = -1;
    bool exists = false;
    bool defined = false;
  };

  // The index of the element in cells_, if it exists.
  std::optional<std::size_t> find(const Point& element) const;
  const Cell& defined_cell(const Point& element) const;

  Type type_ = Type::int64;
  Point lower_, extent_;
  std::vector<Cell> cells_;
};

// Arrays by name; looking up an unknown name throws.
class Arrays {
 public:
  const Array& operator[](const std::string& name) const;
  Array& operator[](const std::string& name) { return arrays_[name]; }
  bool contains(const std::string& name) const { return arrays_.count(name) != 0; }
  auto begin() const { return arrays_.begin(); }
  auto end() const { return arrays_.end(); }
  auto begin() { return arrays_.begin(); }
  auto end() { return arrays_.end(); }

 private:
  std::map<std::string, Array> arrays_;
};

// Describes the first element whose values differ, or returns "". All elements of "expected" that
// have a value are compared, bit for bit.
std::string first_difference(const Array& expected, const Array& actual);

}  // namespace strata::reference
