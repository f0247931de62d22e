// Partitions, which ranks of a cluster share: a part of Function.
#pragma once

#include <string>
#include <utility>

#include "core/error.h"
#include "core/expr/expr.h"

namespace strata {

class Function;

// An interval of 0 <= i < size for each rank.  The number of ranks and the cuts between their
// intervals are known when the kernel is called (docs/distributed.md).
class Partition {
 public:
  // A name alone belongs to no Function.
  explicit Partition(std::string name, Owner owner = nullptr)
      : name_(std::move(name)), owner_(std::move(owner)) {}
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }

 private:
  std::string name_;
  Owner owner_;
};

// The base of Function.
class RankCommands {
 public:
  // "size" is affine in the parameters (E0111).  The name is an argument of the kernel, the cuts:
  // E0104, E0105.
  Partition partition(const std::string& name, const Expr& size,
                      const Where& where = Where::here());

 private:
  friend class Function;
  RankCommands() = default;
  Function& self();
};

}  // namespace strata
