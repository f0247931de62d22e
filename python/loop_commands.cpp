// Computation: commands on loops.
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

using C = Computation;
using V = const Var&;
using Vars = const std::vector<Var>&;
using Int = std::int64_t;

void add_split(ComputationClass& c) {
  c.def(
      "split", Command<V, TileSize, V, V>::of(&C::split), "i"_a, "size"_a, "outer"_a, "inner"_a,
      itself,
      "i -> outer = i // size, inner = i % size. Without names the outer loop is still called i,\n"
      "the inner one i_in. The size is a number of iterations, or a Param: one kernel for all\n"
      "sizes from 1 on. E0102 no such loop, E0104 a name is taken, E0106 a size below 1.\n\n"
      "    >>> y.split(i, 16, 'i0', 'i1')\n"
      "    y\n"
      "    >>> y.split(j, f.param('T'))  # each call of the kernel gives its T\n"
      "    y");
  c.def("split", Command<V, TileSize>::of(&C::split), "i"_a, "size"_a, itself);
}

void add_tile(ComputationClass& c) {
  c.def("tile", Command<V, V, TileSize, TileSize, V, V, V, V>::of(&C::tile), "i"_a, "j"_a, "si"_a,
        "sj"_a, "i0"_a, "j0"_a, "i1"_a, "j1"_a, itself,
        "i, j -> i0, j0, i1, j1: tiles of si x sj iterations; i0 and j0 run over tiles, i1 and j1\n"
        "inside one. Without names they are i, j, i_in, j_in. Sizes are numbers or Params. With\n"
        "three loops tiles are boxes. Legal if no dependence enters a tile that runs earlier\n"
        "(E0201); skewing often makes it so. E0102 no such loop, E0104 a name is taken.\n\n"
        "    >>> y.tile(i, j, 32, 64, 'i0', 'j0', 'i1', 'j1').parallelize('i0')\n"
        "    y\n"
        "    >>> y.tile('i', 'j', 8, 8)\n"
        "    Traceback (most recent call last):\n"
        "    strata.Error: error E0102 unknown loop ...");
  c.def("tile", Command<V, V, TileSize, TileSize>::of(&C::tile), "i"_a, "j"_a, "si"_a, "sj"_a,
        itself);
  c.def("tile", Command<V, V, V, TileSize, TileSize, TileSize, V, V, V, V, V, V>::of(&C::tile),
        "i"_a, "j"_a, "k"_a, "si"_a, "sj"_a, "sk"_a, "i0"_a, "j0"_a, "k0"_a, "i1"_a, "j1"_a, "k1"_a,
        itself);
  c.def("tile", Command<V, V, V, TileSize, TileSize, TileSize>::of(&C::tile), "i"_a, "j"_a, "k"_a,
        "si"_a, "sj"_a, "sk"_a, itself);
}

void add_moves(ComputationClass& c) {
  c.def(
      "peel", Command<V, Int>::of(&C::peel), "i"_a, "n"_a, itself,
      "Moves the first n iterations of loop i (n < 0: the last -n) into a loop nest of their own,\n"
      "named i_head (i_tail); each computation inside gets two pieces, head (tail) and rest.\n"
      "E0102 no such loop, E0104 a name is taken, E0106 n is 0.\n\n"
      "    >>> y.peel(i, 1).vectorize(j, 8)\n"
      "    Traceback (most recent call last):\n"
      "    strata.Error: error E0103 ambiguous loop ...\n"
      "    >>> y.piece('rest').vectorize(j, 8)\n"
      "    y");
  c.def("peel", Command<V, Int, const std::string&>::of(&C::peel), "i"_a, "n"_a, "name"_a, itself);
  c.def(
      "interchange", Command<V, V>::of(&C::interchange), "i"_a, "j"_a, itself,
      "Exchanges two loops with only loops between them. E0102 no such loop, E0107 statements are\n"
      "between them, E0201 a value would be read before it is computed.\n\n"
      "    >>> y.interchange(i, j)\n"
      "    y");
  c.def("reorder", Command<Vars>::of(&C::reorder), "loops"_a, itself,
        "Loops of a chain take each other's places, in this order from the outside; others stay.\n"
        "E0102 no such loop, E0106 one is named twice, E0107 statements are between them, E0201 a\n"
        "value would be read before it is computed.\n\n"
        "    >>> y.reorder([j, i])\n"
        "    y");
  c.def("collapse", Command<V, V>::of(&C::collapse), "i"_a, "j"_a, itself,
        "Two adjacent loops become one, with the iterations of both in the same order, named i or\n"
        "\"name\". E0106 the bounds of j are not constants, or the tags differ.\n\n"
        "    >>> y.split(j, 8, j, 'j1').interchange(j, 'j1').collapse(i, 'j1', 'ij')\n"
        "    y");
  c.def("collapse", Command<V, V, V>::of(&C::collapse), "i"_a, "j"_a, "name"_a, itself);
  c.def("shift", Command<V, const Expr&>::of(&C::shift), "i"_a, "amount"_a, itself,
        "i -> i + amount, for this computation only; the amount is in iterations and may use\n"
        "parameters. E0102 no such loop, E0111 not affine, E0201 a value would come too late.\n\n"
        "    >>> y.shift(i, N)\n"
        "    y");
  c.def("skew", Command<V, V, Int, Int, V, V>::of(&C::skew), "i"_a, "j"_a, "a"_a, "b"_a, "ni"_a,
        "nj"_a, itself,
        "i, j -> a i + b j, c i + d j; without c and d, the smallest that make it unimodular.\n"
        "E0106 no such c and d, or a d - b c is not 1 or -1; E0201 a dependence would be "
        "reversed.\n\n"
        "    >>> y.skew(i, j, 1, 1, 's', 't')  # s = i + j: a wavefront\n"
        "    y");
  c.def("skew", Command<V, V, Int, Int>::of(&C::skew), "i"_a, "j"_a, "a"_a, "b"_a, itself);
  c.def("skew", Command<V, V, Int, Int, Int, Int>::of(&C::skew), "i"_a, "j"_a, "a"_a, "b"_a, "c"_a,
        "d"_a, itself);
  c.def("skew", Command<V, V, Int, Int, Int, Int, V, V>::of(&C::skew), "i"_a, "j"_a, "a"_a, "b"_a,
        "c"_a, "d"_a, "ni"_a, "nj"_a, itself);
  c.def("reverse", Command<V>::of(&C::reverse), "i"_a, itself,
        "i -> -i. E0102 no such loop, E0201 a dependence would be reversed.\n\n"
        "    >>> y.reverse(i)\n"
        "    y");
}

void add_tags(ComputationClass& c) {
  c.def("unroll", Command<V>::of(&C::unroll), "i"_a, itself,
        "Unrolls a loop with a constant bound (E0106), or splits it by \"factor\" first. E0903 if "
        "the\n"
        "kernel becomes too large (Function.set_code_limit).\n\n"
        "    >>> y.unroll(i, 4)\n"
        "    y");
  c.def("unroll", Command<V, Int>::of(&C::unroll), "i"_a, "factor"_a, itself);
  c.def("unroll", Command<V, Int, V, V>::of(&C::unroll), "i"_a, "factor"_a, "outer"_a, "inner"_a,
        itself);
  c.def("vectorize", Command<V>::of(&C::vectorize), "i"_a, itself,
        "Runs a loop with a constant bound (E0106) as vectors, or splits it by \"lanes\" first.\n"
        "E0202 if an iteration needs another's value. Machine.lanes(type) is a vector's width.\n\n"
        "    >>> y.vectorize(j, st.machine().lanes(st.f32))\n"
        "    y");
  c.def("vectorize", Command<V, Int>::of(&C::vectorize), "i"_a, "lanes"_a, itself);
  c.def("vectorize", Command<V, Int, V, V>::of(&C::vectorize), "i"_a, "lanes"_a, "outer"_a,
        "inner"_a, itself);
  c.def("parallelize", Command<V>::of(&C::parallelize), "i"_a, itself,
        "Runs the iterations of a loop on all cores. E0202 if one needs another's value, E0303 if\n"
        "two write the same element.\n\n"
        "    >>> y.parallelize(i)\n"
        "    y");
  c.def("separate", Command<V>::of(&C::separate), "i"_a, itself,
        "Partial tiles: an unconditional copy of the nest for full iterations, one for the rest.");
  c.def("guard", Command<V>::of(&C::guard), "i"_a, itself,
        "Partial tiles: one copy of the nest, with guards or exact bounds. Not for vector loops.");
  c.def("mask", Command<V>::of(&C::mask), "i"_a, itself,
        "Partial vectors: one copy, lanes beyond the boundary are masked off.");
}

}  // namespace

void add_loop_commands(ComputationClass& c) {
  add_split(c);
  add_tile(c);
  add_moves(c);
  add_tags(c);
  c.def("rfactor", Command<V, const std::string&>::of(&C::rfactor), "loop"_a, "part"_a,
        "Each iteration of \"loop\", over contributions of this reduction, gets a partial result: "
        "the\n"
        "computation \"part\", which is returned. This computation then sums them.");
  c.def("atomic", Command<>::of(&C::atomic), itself,
        "Contributions to one result are indivisible steps, in any order; also for an update\n"
        "X(e) = X(e) + r.");
}

}  // namespace strata::python
