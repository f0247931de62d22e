// The values that programs compute with when they run.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/vm/ndarray.h"

namespace strata::graph {

// The numbers of a shape.
struct ShapeNumbers {
  std::vector<std::int64_t> numbers;
  friend bool operator==(const ShapeNumbers&, const ShapeNumbers&) = default;
};

// Nothing, an array, a shape, an integer, a string, a tuple of values, or an object that only
// packed functions know. A handle: copies share arrays, tuples and objects.
class VmValue {
 public:
  using Fields = std::vector<VmValue>;

  VmValue() = default;
  VmValue(NDArray array) : value_(std::move(array)) {}
  VmValue(ShapeNumbers shape) : value_(std::move(shape)) {}
  VmValue(std::int64_t integer) : value_(integer) {}
  VmValue(std::string text) : value_(std::move(text)) {}
  static VmValue tuple(Fields fields) {
    VmValue value;
    value.value_ = std::make_shared<const Fields>(std::move(fields));
    return value;
  }
  static VmValue object(std::any object) {
    VmValue value;
    value.value_ = std::make_shared<const std::any>(std::move(object));
    return value;
  }

  bool is_nothing() const { return std::holds_alternative<std::monostate>(value_); }
  // Null if the value is of another kind.
  const NDArray* array() const { return std::get_if<NDArray>(&value_); }
  const ShapeNumbers* shape() const { return std::get_if<ShapeNumbers>(&value_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const Fields* fields() const {
    const auto* tuple = std::get_if<std::shared_ptr<const Fields>>(&value_);
    return tuple ? tuple->get() : nullptr;
  }
  const std::any* object() const {
    const auto* object = std::get_if<std::shared_ptr<const std::any>>(&value_);
    return object ? object->get() : nullptr;
  }
  // "an array", "a shape", ..
  const char* kind() const {
    static const char* const kinds[] = {"nothing",  "an array", "a shape",  "an integer",
                                        "a string", "a tuple",  "an object"};
    return kinds[value_.index()];
  }

 private:
  std::variant<std::monostate, NDArray, ShapeNumbers, std::int64_t, std::string,
               std::shared_ptr<const Fields>, std::shared_ptr<const std::any>>
      value_;
};

}  // namespace strata::graph
