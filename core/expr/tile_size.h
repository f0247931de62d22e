// The size of a tile.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "core/expr/expr.h"

namespace strata {

// A number, or a parameter of the program, which the caller of the kernel chooses.
class TileSize {
 public:
  template <std::integral Number>
  TileSize(Number number) : number_(std::int64_t(number)) {}
  TileSize(const Param& parameter) : parameter_(parameter.name()), owner_(parameter.owner()) {}

  bool is_parameter() const { return !parameter_.empty(); }
  std::int64_t number() const { return number_; }
  const std::string& parameter() const { return parameter_; }
  const Owner& owner() const { return owner_; }  // of the parameter

 private:
  std::int64_t number_ = 0;
  std::string parameter_;  // empty: a number
  Owner owner_;
};

inline std::string to_string(const TileSize& size) {
  return size.is_parameter() ? size.parameter() : std::to_string(size.number());
}

}  // namespace strata
