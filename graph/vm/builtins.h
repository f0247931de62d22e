// The functions that lowered programs call.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/vm/registry.h"

namespace strata::graph {

// These functions, by their names; find_packed (registry.h) finds them:
//   vm.builtin.move(x), copy(x), kill(x), after which the register of x is not read any more
//   vm.builtin.make_tuple(x..), tuple_field(t, k)
//   vm.builtin.reshape(x, shape)
//   vm.builtin.make_closure(f, x..), invoke_closure(vm, f, x..)
//   vm.builtin.shape_of(x)
//   vm.builtin.alloc_shape_heap(vm, n), store_shape(shape, heap, slot..), load_shape(heap, slot..)
//   vm.builtin.make_shape(heap, (code, value)..): per dim, code 0: the value; 2: that of the slot
//   vm.builtin.match_shape(x or shape, heap, (code, value)..): per dim, code 0: it is the value; 1:
//       the slot gets it; 2: it is that of the slot; 3: nothing
//   vm.builtin.compute_shape(heap, (code, value)..), a postfix program: code 0: the value; 1: the
//       slot gets what is computed; 2: that of the slot; 4: one of vm_operations, by its number
//   vm.builtin.size_in_bytes(shape, bytes of an element), a shape of one number
//   vm.builtin.check_tensor(x, rank or -1, type or ""), check_shape(s, rank or -1),
//       check_tuple(t, number of fields), check_nothing(x), check_extents(x or shape, shape),
//       check_bound(number, bound)
//   vm.builtin.plan_arena(sizes in bytes, (first, last use)..), two shapes: the size of one memory
//       for all arrays, then their offsets (arena.h)
//   vm.builtin.alloc_storage(vm, size in bytes, device, type)
//   vm.builtin.alloc_tensor(storage, offset in bytes, shape, type)
//   vm.binary_broadcast_shape_infer(shape, shape)
// An integer is also a shape of one number. What matches and checks may have one more argument, a
// text that says what is looked at: errors begin with it.
// A VmError names the function, the argument and what it gets.
std::vector<std::pair<std::string, PackedFunction>> builtins();

// The codes of make_shape, match_shape and compute_shape.
enum class DimCode : std::int64_t { value = 0, store = 1, slot = 2, nothing = 3, operation = 4 };

// Of compute_shape, on one or two numbers: "/" and "%" round towards minus infinity, and by 0 give
// 0.
constexpr const char* vm_operations[] = {"+", "-", "*", "/", "%", "min", "max", "negate", "abs"};

}  // namespace strata::graph
