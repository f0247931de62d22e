// smooth_generator FOLDER [tile=16]: writes FOLDER/smooth.o and FOLDER/smooth.h.
#include <strata/generator.h>
#include <strata/strata.h>

using namespace strata;

int main(int argc, char** argv) {
  Generator generator;
  const auto tile = generator.parameter("tile", 8, "iterations of a tile");
  return generator.main(argc, argv, [&](const Machine&) {
    Function smooth("smooth");
    Param N = smooth.param("N");
    Var i("i", 0, N - 2), outer("outer"), inner("inner");
    Input in = smooth.input("in", f32, {N});
    Computation out = smooth.computation("out", {i}, (in(i) + in(i + 1) + in(i + 2)) / 3.0f);
    out.split(i, *tile, outer, inner).parallelize(outer);
    return Scheduled{smooth, {in.buffer(), out.buffer()}};
  });
}
