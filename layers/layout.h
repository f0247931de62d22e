// Layer III: where values are stored.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"
#include "core/type.h"
#include "layers/algorithm.h"
#include "layers/memory.h"
#include "layers/transfer.h"

namespace strata {

enum class BufferRole { input, output, temporary };

struct LayoutBuffer {
  std::string name;
  Type type;
  int dimensions = 0;
  BufferRole role = BufferRole::temporary;
  Memory memory = Memory::automatic;
  // Given by the author, one per dimension, over parameters. They count from 0 for a buffer that
  // lives as long as the kernel runs, and from the least place accessed for a buffer private to an
  // iteration. If empty, the buffer is the bounding box of the places accessed.
  std::vector<Expr> extents = {};
  // An argument that the caller has on the GPU, and finds there afterwards: the kernel has no host
  // side of it.
  bool resident = false;
};

// Rules (layers/verify/verify_layout.h):
//  R301 only arrays and inputs are stored, in a buffer of their type and rank
//  R302 every existing value has exactly one place
//  R303 the places of a buffer are bounded by the parameters
//  R304 a buffer has no extents, or one per dimension, affine in the parameters
//  R305 a scalar is stored in a buffer of its own name, alone; that stands for the argument
//
// For an array of tuples, "store" has the first scalar only. The others are stored at the same
// places of buffers of their own names, which hold nothing else, so they need no checks.
struct Layout {
  std::vector<LayoutBuffer> buffers;
  // array or input -> { X[e] -> b[..] }. Arrays not listed get a buffer of their own name when
  // code is generated (schedule/finish.h).
  std::map<std::string, AccessRelation> store;
  // Given by the author: to the device when the kernel begins, to the host when it ends.
  std::vector<GivenCopy> copies = {};

  const LayoutBuffer* find(const std::string& name) const;
};

// { name[i, ..] : 0 <= i < extent, .. }, or nothing if an extent is not affine in the parameters.
std::optional<isl::set> box_of(isl::ctx ctx, const std::string& name,
                               const std::vector<Expr>& extents);

// True if scalars of the array's values are stored in an argument of the kernel, an output or an
// input.
bool is_output(const Layout& layout, const Algorithm& algorithm, const std::string& array);

// The name of an array's buffer: the one given by store_in, or else the array's own name.
std::string buffer_of(const Layout& layout, const std::string& array);
// The arrays and inputs stored in a buffer.
std::vector<std::string> arrays_in(const Layout& layout, const std::string& buffer);
// True if the array's buffer holds no other array.
bool has_own_buffer(const Layout& layout, const std::string& array);

}  // namespace strata
