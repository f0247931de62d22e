// What built-in functions are written with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/vm/element_type.h"
#include "graph/vm/error.h"
#include "graph/vm/value.h"

namespace strata::graph {

// The arguments of one call.
class Arguments {
 public:
  Arguments(const char* name, const std::vector<VmValue>& given) : name_(name), given_(given) {}

  // Errors begin with the text that argument k is, if there is one, instead of the function's name.
  Arguments about(std::size_t k) const {
    return k < size() ? Arguments(text(k).c_str(), given_) : *this;
  }

  std::size_t size() const { return given_.size(); }
  [[noreturn]] void fail(const std::string& why) const {
    throw VmError(std::string(name_) + ": " + why);
  }
  void require(std::size_t least, std::size_t greatest) const {
    if (size() < least || size() > greatest)
      fail("it takes " + std::to_string(least) + (greatest > least ? " or more" : "") +
           " arguments, and gets " + std::to_string(size()));
  }
  const VmValue& operator[](std::size_t k) const {
    if (k >= size()) fail("argument " + std::to_string(k) + " is missing");
    return given_[k];
  }
  const NDArray& array(std::size_t k) const {
    const NDArray* array = (*this)[k].array();
    if (!array || !array->defined()) wrong(k, "an array");
    return *array;
  }
  const std::vector<std::int64_t>& shape(std::size_t k) const {
    const ShapeNumbers* shape = (*this)[k].shape();
    if (!shape) wrong(k, "a shape");
    return shape->numbers;
  }
  std::int64_t integer(std::size_t k) const {
    if (const std::int64_t* integer = (*this)[k].integer()) return *integer;
    const ShapeNumbers* shape = (*this)[k].shape();
    if (!shape || shape->numbers.size() != 1) wrong(k, "an integer");
    return shape->numbers[0];
  }
  // The extents of an array, or the numbers of a shape.
  const std::vector<std::int64_t>& numbers(std::size_t k) const {
    return (*this)[k].shape() ? shape(k) : array(k).extents();
  }
  const std::string& text(std::size_t k) const {
    const std::string* text = (*this)[k].text();
    if (!text) wrong(k, "a string");
    return *text;
  }
  std::vector<VmValue> from(std::size_t k) const {
    return {given_.begin() + std::ptrdiff_t(std::min(k, size())), given_.end()};
  }

 private:
  [[noreturn]] void wrong(std::size_t k, const char* wanted) const {
    fail("argument " + std::to_string(k) + " is " + (*this)[k].kind() + ", and not " + wanted);
  }

  const char* name_;
  const std::vector<VmValue>& given_;
};

inline strata_type type_named(const Arguments& a, const std::string& name) {
  const auto found = find_element_type(name);
  if (!found) a.fail("there is no element type \"" + name + "\"");
  return *found;
}

constexpr std::size_t any_number = std::size_t(-1);

struct BuiltinRow {
  const char* name;
  VmValue (*function)(const Arguments&);
  std::size_t least, greatest;  // how many arguments
};

// Those of shapes and checks.
std::span<const BuiltinRow> shape_builtins();

}  // namespace strata::graph
