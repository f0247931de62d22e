// Computation: commands on storage.
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

void add_storage_commands(ComputationClass& c) {
  using C = Computation;
  using Places = const std::vector<Expr>&;
  c.def("allocate_at", Command<const C&, const Var&>::of(&C::allocate_at), "computation"_a,
        "loop"_a, itself,
        "Each iteration of \"loop\" of \"computation\" has a private buffer for these values "
        "(E0307);\n"
        "at root there is one.");
  c.def("allocate_at", Command<Root>::of(&C::allocate_at), "root"_a, itself);
  c.def(
      "store_in", Command<Places>::of(&C::store_in), "places"_a, itself,
      "Stores value X(i, ..) at these places, by default [i, ..], affine with // and % by\n"
      "constants: x.store_in([i % 2, j]). The buffer is the one given, of X's type (E0110), or "
      "one\n"
      "called X. No value may be overwritten before its last read (E0301). A string is a relation\n"
      "in isl's notation: \"{ X[i, j] -> b[j, i] }\".\n\n"
      "    >>> b.store_in([j, i])\n"
      "    b\n"
      "    >>> b.store_in([i % 2, j])\n"
      "    Traceback (most recent call last):\n"
      "    strata.Error: error E0301 value overwritten ...");
  c.def("store_in", Command<const std::string&>::of(&C::store_in), "relation"_a, itself);
  c.def("store_in", Command<const Buffer&, Places>::of(&C::store_in), "buffer"_a, "places"_a,
        itself);
  c.def("store_in", Command<const Buffer&>::of(&C::store_in), "buffer"_a, itself);
  c.def(
      "set_size", Command<Places>::of(&C::set_size), "extents"_a, itself,
      "The extents of the buffer in elements, over parameters (E0111), from 0; all values must be\n"
      "inside (E0302). Of a private buffer they are constants, and larger ones pad.\n\n"
      "    >>> b.set_size([N, N + 16])\n"
      "    b");
  c.def("set_memory", Command<Memory>::of(&C::set_memory), "memory"_a, itself,
        "On the stack, the heap, or in a memory of a GPU; not for an argument (E0106).");
}

}  // namespace strata::python
