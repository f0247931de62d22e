// Data passed to a kernel.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/expr/expr.h"
#include "core/type.h"
#include "strata/kernel_buffer.h"

namespace strata {

struct FunctionState;

// Data passed to the kernel.  in(i, j) reads an element: indices count from 0, in the order of the
// extents, the last one innermost in memory. Indices that are affine in iterators and parameters
// must be in bounds (E0113). Other indices, in(idx(i)) or in(i * j), may name any element that
// their type and the affine operations around them (clamp, min, max, %) allow. If such an index may
// be out of bounds, the kernel checks it, makes no access out of bounds, and returns
// strata_error_index_out_of_range.
class Input {
 public:
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(name_, type_, {Expr(index)...}, owner_);
  }
  operator Expr() const { return access(name_, type_, {}, owner_); }
  // The whole array, as an argument of call(..).
  Expr array() const { return array_argument(name_, type_, owner_); }
  Buffer buffer() const;
  Type type() const { return type_; }
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }

 private:
  friend class Function;
  Input(std::string name, Type type, Owner owner, std::shared_ptr<FunctionState> state)
      : name_(std::move(name)), type_(type), owner_(std::move(owner)), state_(std::move(state)) {}
  std::string name_;
  Type type_;
  Owner owner_;
  std::shared_ptr<FunctionState> state_;
};

}  // namespace strata
