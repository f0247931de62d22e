// Temporary buffers.
#pragma once

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// A buffer on a device is described as one row or, if it has more than largest_row_on_device
// elements, as rows of row_on_device elements. Its memory on the host then has whole rows, too.
inline constexpr std::int64_t largest_row_on_device = std::int64_t{1} << 30;
inline constexpr std::int64_t row_on_device = std::int64_t{1} << 20;

// One Allocate of the loop tree. A buffer is on the stack if it has a small constant size, or if
// the author put it there. The compiler keeps it in registers if its indices become constants.
// Other buffers are on the heap. A kernel that gets no memory returns strata_error_out_of_memory.
class Allocation {
 public:
  Allocation(const Allocate& what, std::vector<HExpr> lowers, std::vector<HExpr> extents);

  BufferView view() const;
  // The allocation around "body".
  HStmt around(const HStmt& body, const std::string& kernel) const;
  // The same for a thread of a GPU; E0502 if the size is not constant.
  HStmt in_registers(const HStmt& body) const;
  // "body" with the names in the view's strides defined, but without memory.
  HStmt sized(const HStmt& body) const;
  HExpr count() const;  // of elements, at most 2^47
  std::string symbol() const { return name_; }
  Type type() const { return type_; }

 private:
  HStmt in_heap(const HStmt& body, const std::string& kernel) const;
  bool is_small() const;
  HExpr extent(std::size_t d) const;
  std::string extent_name(std::size_t d) const;

  std::string name_;
  Type type_;
  Memory memory_;
  std::vector<HExpr> lowers_, extents_;  // extents as packed
  std::vector<Packing> packed_;
  std::optional<std::int64_t> elements_;  // if constant
};

}  // namespace strata::halide
