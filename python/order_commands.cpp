// Computation: commands on order and placement.
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

using C = Computation;
using V = const Var&;
using OptionalLoop = const std::optional<Var>&;

// C++ has further overloads for pieces, which are temporaries in C++.
C& (C::* const then)(C&, V, const Where&) = &C::then;
C& (C::* const then_at_root)(C&, Root, const Where&) = &C::then;

void add_neighbours(ComputationClass& c) {
  c.def("after", Command<const C&, V>::of(&C::after), "other"_a, "loop"_a, itself,
        "This runs after \"other\" and shares its loops down to and including \"loop\"; at root\n"
        "none. E0102 no such loop, E0201 a value would be read before it is computed.\n\n"
        "    >>> y.after(b, i)  # row by row\n"
        "    y");
  c.def("after", Command<const C&, Root>::of(&C::after), "other"_a, "loop"_a = root, itself);
  c.def("before", Command<const C&, V>::of(&C::before), "other"_a, "loop"_a, itself,
        "This runs before \"other\" and shares its loops down to and including \"loop\"; at root\n"
        "none.");
  c.def("before", Command<const C&, Root>::of(&C::before), "other"_a, "loop"_a = root, itself);
  c.def("then", Command<C&, V>::of(then), "next"_a, "loop"_a, itself,
        "\"next\" runs after this; returns next, so that chains read in program order.");
  c.def("then", Command<C&, Root>::of(then_at_root), "next"_a, "loop"_a = root, itself);
  c.def("between", Command<const C&, OptionalLoop, const C&, OptionalLoop>::of(&C::between),
        "first"_a, "first_loop"_a.none(), "last"_a, "last_loop"_a.none(), itself,
        "This runs after \"first\" and before \"last\", sharing the loops of each down to the one\n"
        "named (None: none). E0106 if there is no such place.");
  c.def("fuse", Command<V, const C&, V>::of(&C::fuse), "i"_a, "other"_a, "j"_a, itself,
        "Fuses loop i of this with the adjacent loop j of \"other\"; the result is named i. E0106 "
        "if\n"
        "they are not in the same loop, E0201 if a value would be read before it is computed.\n\n"
        "    >>> b.fuse(i, y, i)\n"
        "    b");
  c.def("distribute_loop", Command<V>::of(&C::distribute_loop), "i"_a, itself,
        "Loop fission: each node in the body of loop i gets a loop of its own.");
  c.def("fission", Command<V>::of(&C::fission), "i"_a, itself, "Another name of distribute_loop.");
  c.def(
      "set_schedule", Command<const std::string&>::of(&C::set_schedule), "map"_a, itself,
      "The schedule map in isl's notation: \"{ S[i, j] -> [0, j, 0, i, 0] }\". Legal if no value\n"
      "is read before it is computed (E0201).");
  c.def(
      "set_inline", Command<>::of(&C::set_inline),
      "Each reader computes the value itself; this computation disappears. E0106 for a reduction,\n"
      "an update or an output.\n\n"
      "    >>> b.set_inline()");
}

// compute_at([(by, "j0"), (cz, "i0")]).
Computation& compute_at_each(Computation& self,
                             const std::vector<std::pair<const Computation*, LoopName>>& loops) {
  std::vector<std::pair<Computation, Var>> list;
  for (const auto& [reader, loop] : loops) {
    if (!reader) throw nb::type_error("compute_at: a reader is None, not a Computation");
    list.emplace_back(*reader, loop.value);
  }
  await_turn(self.owner());
  return self.compute_at(list, python_line());
}

void add_placement(ComputationClass& c) {
  c.def("compute_at", Command<const C&, V>::of(&C::compute_at), "reader"_a, "loop"_a, itself,
        "Each iteration of \"loop\" of \"reader\" first computes the values it reads, and keeps "
        "them in\n"
        "a buffer of its own. All readers must be inside (E0107). A list of pairs (reader, loop)\n"
        "names several loops; root undoes it.\n\n"
        "    >>> y.tile(i, j, 32, 32, 'i0', 'j0', 'i1', 'j1')\n"
        "    y\n"
        "    >>> b.compute_at(y, 'j0')\n"
        "    b");
  c.def("compute_at", &compute_at_each, "loops"_a, itself,
        nb::sig("def compute_at(self, loops: Sequence[LoopOf]) -> Computation"));
  c.def("compute_at", Command<Root>::of(&C::compute_at), "root"_a, itself);
  c.def("store_at", Command<const C&, V>::of(&C::store_at), "reader"_a, "loop"_a, itself,
        "After compute_at: each iteration of \"loop\" computes each value once and has one buffer "
        "for\n"
        "all of them (a sliding window); at root the kernel has one.");
  c.def("store_at", Command<Root>::of(&C::store_at), "root"_a, itself);
}

void add_copies(ComputationClass& c) {
  c.def("cache_at",
        Command<V, const Input&, const std::string&, const Iterators&, Memory>::of(&C::cache_at),
        "loop"_a, "array"_a, "copy"_a, "iterators"_a, "memory"_a = Memory::automatic,
        "Each iteration of \"loop\" copies what this computation reads of \"array\" into a buffer "
        "of its\n"
        "own; returns the copy, a computation with loops of these names. E0104 a name is taken.\n\n"
        "    >>> b.cache_at(i, x, 'row', ['r', 'c'])\n"
        "    row");
  c.def("cache_at",
        Command<V, const C&, const std::string&, const Iterators&, Memory>::of(&C::cache_at),
        "loop"_a, "array"_a, "copy"_a, "iterators"_a, "memory"_a = Memory::automatic);
  c.def(
      "copy_at", Command<V, const std::string&, const Iterators&, Memory>::of(&C::copy_at),
      "loop"_a, "made"_a, "iterators"_a, "memory"_a = Memory::automatic,
      "The values are computed in \"made\", which is returned, and each iteration of \"loop\" "
      "copies\n"
      "its results here: an accumulator. With a reader first: the reader reads a copy, in memory\n"
      "of a GPU's block.");
  c.def("prefetch", Command<V, const Input&, std::int64_t>::of(&C::prefetch), "loop"_a, "array"_a,
        "distance"_a, itself,
        "Each iteration of \"loop\" prefetches what the one \"distance\" steps later reads of "
        "\"array\".\n"
        "A hint; give it last.");
  c.def("prefetch", Command<V, const C&, std::int64_t>::of(&C::prefetch), "loop"_a, "array"_a,
        "distance"_a, itself);
  c.def("barrier_at", Command<V>::of(&C::barrier_at), "loop"_a, itself,
        "A barrier of a GPU's block at the end of each iteration of \"loop\". Never needed.");
}

}  // namespace

void add_order_commands(ComputationClass& c) {
  add_neighbours(c);
  add_placement(c);
  add_copies(c);
}

}  // namespace strata::python
