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

namespace strata {

enum class BufferRole { input, output, temporary };

struct LayoutBuffer {
  std::string name;
  Type type;
  int dimensions = 0;
  BufferRole role = BufferRole::temporary;
  Memory memory = Memory::automatic;
  // Empty, or what the author gave: one for each dimension, over parameters.  Of a buffer that
  // lives as long as the kernel runs they count from 0; of one that an iteration has for itself,
  // from the least place that the iteration touches.  Without them a buffer is the box hull of the
  // places touched.
  std::vector<Expr> extents = {};
};

// Rules (layers/verify/verify_layout.h):
//  R301 what is stored is an array or input, in a buffer of its type and rank
//  R302 a value that exists has exactly one place
//  R303 the places of a buffer are bounded by the parameters
//  R304 a buffer has no extents or one, affine in the parameters, for each dimension
//
// Of an array of tuples the first scalar is what is stored here.  The others lie at the same places
// of buffers of their own names, which hold nothing else; so no question need be asked about them.
struct Layout {
  std::vector<LayoutBuffer> buffers;
  // array or input -> { X[e] -> b[..] }.  Arrays not listed get a buffer of their own name when
  // code is generated (schedule/finish.h).
  std::map<std::string, AccessRelation> store;

  const LayoutBuffer* find(const std::string& name) const;
};

// { name[i, ..] : 0 <= i < extent, .. }, or nothing where an extent is not affine in parameters.
std::optional<isl::set> box_of(isl::ctx ctx, const std::string& name,
                               const std::vector<Expr>& extents);

// Does an argument of the kernel, of an output or of an input, hold scalars of the array's values?
bool is_output(const Layout& layout, const Algorithm& algorithm, const std::string& array);

// The buffer of an array: its store_in's, or else the one of its own name that it will get.
std::string buffer_of(const Layout& layout, const std::string& array);
// The arrays and inputs that are stored in a buffer.
std::vector<std::string> arrays_in(const Layout& layout, const std::string& buffer);
// Do the array's values have a buffer that is theirs alone?
bool has_own_buffer(const Layout& layout, const std::string& array);

}  // namespace strata
