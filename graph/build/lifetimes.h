// How long memory lives that a body makes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

// Variables that may share memory, and the bindings that make it.
struct Lifetime {
  std::vector<const Binding*> makers = {};
  Values variables = {};     // in order
  std::size_t last_use = 0;  // a binding, by its place in the body
  bool escapes = false;      // it may be used later, or in another body
};

// Those of the memory that bindings of a body with plain blocks make, in the order of the first
// makers. "makes" says which do; what else shares memory follows from what they call: aliases,
// fields, tuples, views and what lies in a storage. A value escapes as the result, inside of a
// branch, and as an argument of what may remember it.
std::vector<Lifetime> lifetimes_of(const Body& body,
                                   const std::function<bool(const Binding&)>& makes);

// The bindings of a body, by their places.
std::vector<const Binding*> bindings_of(const Body& body);

}  // namespace strata::graph
