// The functions that lowered programs call.
#pragma once

namespace strata::graph {

// Makes them known, once:
//   vm.builtin.move(x), copy(x), kill(x), after which the register of x is not read any more
//   vm.builtin.make_tuple(x..), tuple_field(t, k)
//   vm.builtin.reshape(x, shape)
//   vm.builtin.make_closure(f, x..), invoke_closure(vm, f, x..)
//   vm.builtin.shape_of(x)
//   vm.builtin.alloc_shape_heap(vm, n), store_shape(shape, heap, slot..), load_shape(heap, slot..)
//   vm.builtin.match_shape(x or shape, heap, (code, value)..): per dim, code 0: it is the value; 1:
//       the slot gets it; 2: it is that of the slot; 3: nothing
//   vm.builtin.check_tensor(x, rank or -1, type or "")
//   vm.builtin.alloc_storage(vm, size in bytes, device, type)
//   vm.builtin.alloc_tensor(storage, offset in bytes, shape, type)
//   vm.binary_broadcast_shape_infer(shape, shape)
// A VmError names the function, the argument and what it gets.
void register_builtins();

}  // namespace strata::graph
