// A number that is an argument of the kernel, of any type.
//
//   Scalar alpha = f.scalar("alpha", f32);
//   Computation y = f.computation("y", {i}, alpha * x(i) + b(i));
//
//   int axpb(int64_t N, float alpha, struct halide_buffer_t *x, ..);
//
// A scalar is a value like an element of an input. No domain, extent or affine index can use it
// (use a Param there), and an index that depends on it is checked when the kernel runs. A kernel
// takes all scalars of its Function, in order of declaration, after the parameters, so the lists of
// arguments of codegen and jit leave them out. A scalar is in no memory, so no command can store
// it, copy it or move it (E0106). In C a boolean is a bool, and a 16-bit float a float, which the
// kernel rounds.
#pragma once

#include <string>
#include <utility>

#include "core/expr/expr.h"

namespace strata {

class Scalar {
 public:
  operator Expr() const { return access(name_, type_, {}, owner_); }
  const std::string& name() const { return name_; }
  Type type() const { return type_; }
  const Owner& owner() const { return owner_; }

 private:
  friend class Function;
  Scalar(std::string name, Type type, Owner owner)
      : name_(std::move(name)), type_(type), owner_(std::move(owner)) {}
  std::string name_;
  Type type_;
  Owner owner_;
};

}  // namespace strata
