// What a back end makes of allocations and of vector loops.
#pragma once

#include <cstdint>
#include <optional>

#include "codegen/tree/loop_tree.h"

namespace strata {

// Temporary buffers of constant size and at most this many bytes are on the stack.
inline constexpr std::int64_t largest_on_stack = 16 * 1024;

// The number of elements of an allocation, if it is constant.
std::optional<std::int64_t> constant_size(const Allocate& what);
// Is a temporary with so many elements on the stack?
bool is_on_stack(std::optional<std::int64_t> elements, Type type, Memory memory);
bool is_on_stack(const Allocate& what);

// May the loop around "body" become the lanes of vectors? Not if there are other vector loops,
// parallel loops, heap allocations, atomic steps or calls with array arguments inside.
bool can_be_lanes(const StmtPtr& body);

// Are the iterations lanes of vectors?
bool is_vector(const For& loop);
// Is it a loop in the code, neither lanes nor copies of its body?
bool is_loop(const For& loop);

}  // namespace strata
