#include "codegen/halide/emit/allocation.h"

#include <algorithm>

#include "codegen/refusal.h"
#include "codegen/tree/realization.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::const_true;
using Halide::Internal::LetStmt;
using Halide::Internal::Variable;

// "size" times the elements of the box, but at most 2^47, which is more than any memory has. So the
// product does not overflow.
HExpr times_elements(std::int64_t size, const std::vector<HExpr>& extents) {
  const HExpr limit = HExpr(std::int64_t{1} << 47);
  HExpr total = HExpr(size);
  for (const HExpr& extent : extents) {
    const HExpr at_least = Halide::max(extent, HExpr(std::int64_t{0}));
    const HExpr room = limit / Halide::max(at_least, HExpr(std::int64_t{1}));
    total = Halide::select(total > room, limit, total * at_least);
  }
  return total;
}

// The bytes of a box on the heap. A large box has whole rows.
HExpr bytes_of(const std::vector<HExpr>& extents, Type type) {
  const HExpr total = times_elements(bytes(type), extents);
  const HExpr rest = HExpr(row_on_device * bytes(type));
  return Halide::max(Halide::select(total > HExpr(largest_row_on_device), total + rest, total),
                     HExpr(std::int64_t{1}));
}

}  // namespace

// A buffer may be on the stack in one nest and on the heap in another. Halide renames the pointer
// to the heap, but not the memory, if a variable of its name stands outside of its scope.
Allocation::Allocation(const Allocate& what, std::vector<HExpr> lowers, std::vector<HExpr> extents)
    : name_((is_on_stack(what) ? "stack." : "heap.") + what.buffer),
      type_(what.type),
      memory_(what.memory),
      lowers_(std::move(lowers)),
      extents_(std::move(extents)),
      packed_(what.packed),
      elements_(constant_size(what)) {
  for (std::size_t d = 0; d < packed_.size(); ++d)
    if (const auto extent = Halide::Internal::as_const_int(extents_[d]))
      extents_[d] = HExpr(packed_extent(*extent, packed_[d]));
}

std::string Allocation::extent_name(std::size_t d) const {
  return name_ + ".extent." + std::to_string(d);
}

HExpr Allocation::extent(std::size_t d) const {
  if (elements_) return extents_[d];
  return Variable::make(Halide::Int(64), extent_name(d));
}

// True if it is known, when the kernel is compiled, that the size and all indices are below 2^30.
bool Allocation::is_small() const {
  constexpr std::int64_t half = std::int64_t{1} << 29;
  return elements_ && *elements_ < half &&
         std::all_of(
             lowers_.begin(), lowers_.end(),
             [&](const HExpr& lower) {
               const auto value = Halide::Internal::as_const_int(lower);
               return value && *value >= -half && *value <= half;
             });
}

BufferView Allocation::view() const {
  BufferView view{name_,      type_,
                  lowers_,    std::vector<HExpr>(extents_.size()),
                  HExpr(),    is_on_stack(elements_, type_, memory_),
                  is_small(), memory_ == Memory::shared,
                  packed_};
  HExpr stride = HExpr(std::int64_t{1});
  for (std::size_t d = extents_.size(); d-- > 0;) {
    view.strides[d] = stride;
    stride = stride * extent(d);
  }
  return view;
}

HStmt Allocation::around(const HStmt& body, const std::string& kernel) const {
  if (is_on_stack(elements_, type_, memory_))
    return Halide::Internal::Allocate::make(name_, type_in_memory(type_), Halide::MemoryType::Stack,
                                            {static_cast<std::int32_t>(*elements_)}, const_true(),
                                            body);
  return sized(in_heap(body, kernel));
}

HExpr Allocation::count() const {
  std::vector<HExpr> extents;
  for (std::size_t d = 0; d < extents_.size(); ++d) extents.push_back(extent(d));
  return times_elements(1, extents);
}

HStmt Allocation::sized(const HStmt& body) const {
  HStmt out = body;
  if (elements_) return out;
  for (std::size_t d = 0; d < extents_.size(); ++d)
    out = LetStmt::make(extent_name(d), extents_[d], out);
  return out;
}

// Halide's generator of OpenCL text needs to see where the allocation ends.
HStmt Allocation::in_registers(const HStmt& body) const {
  if (!is_on_stack(elements_, type_, memory_))
    throw cannot_generate("the buffer " + name_.substr(name_.find('.') + 1) +
                          " of a thread of a GPU does not have a small constant size");
  return Halide::Internal::Allocate::make(
      name_, type_in_memory(type_), Halide::MemoryType::Register,
      {static_cast<std::int32_t>(*elements_)}, const_true(),
      Halide::Internal::Block::make(body, Halide::Internal::Free::make(name_)));
}

// The pointer is tested before Halide's own test, whose failure calls Halide's error handler.
// Accesses use the pointer, and the allocation only frees it in the end: Halide's sizes have 32
// bits, and Halide assumes that indices beyond the size are unreachable.
HStmt Allocation::in_heap(const HStmt& body, const std::string& kernel) const {
  std::vector<HExpr> extents;
  for (std::size_t d = 0; d < extents_.size(); ++d) extents.push_back(extent(d));
  const HExpr size = bytes_of(extents, type_);
  const HExpr pointer = Variable::make(Halide::Handle(), name_);
  const HExpr failed = Call::make(Halide::Int(32), "strata_out_of_memory",
                                  {kernel, name_.substr(name_.find('.') + 1), size}, Call::Extern);
  const HStmt inside = Halide::Internal::Allocate::make(name_ + ".memory", type_in_memory(type_),
                                                        Halide::MemoryType::Heap, {}, const_true(),
                                                        body, pointer, "halide_free");
  const HStmt tested = Halide::Internal::Block::make(
      Halide::Internal::AssertStmt::make(pointer != Halide::Internal::make_zero(pointer.type()),
                                         failed),
      inside);
  const HExpr allocated = Call::make(Halide::Handle(), "halide_malloc",
                                     {Halide::cast(Halide::UInt(64), size)}, Call::Extern);
  return LetStmt::make(name_, allocated, tested);
}

}  // namespace strata::halide
