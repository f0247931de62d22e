// Partitions, which ranks of a cluster share.
#pragma once

#include <string>
#include <utility>

#include "core/expr/expr.h"

namespace strata {

// An interval of 0 <= i < size for each rank. The number of ranks and the cuts between their
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

}  // namespace strata
