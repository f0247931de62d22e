// Layer III: where values are stored.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/relation.h"
#include "core/type.h"

namespace strata {

enum class BufferRole { input, output, temporary };

// A buffer's extent is not written down: it is the box hull of the places used.
struct LayoutBuffer {
  std::string name;
  Type type;
  int dimensions = 0;
  BufferRole role = BufferRole::temporary;
};

// Rules (layers/verify_layout.h):
//  R301 what is stored is an array or input, in a buffer of its type and rank
//  R302 a value that exists has exactly one place
//  R303 the places of a buffer are bounded by the parameters
struct Layout {
  std::vector<LayoutBuffer> buffers;
  // array or input -> { X[e] -> b[..] }.  Arrays not listed get a buffer of their own name when
  // code is generated (schedule/finish.h).
  std::map<std::string, AccessRelation> store;

  const LayoutBuffer* find(const std::string& name) const;
};

// The buffer of an array: its store_in's, or else the one of its own name that it will get.
std::string buffer_of(const Layout& layout, const std::string& array);

}  // namespace strata
