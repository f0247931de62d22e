// smooth_generator FOLDER tile=T: writes FOLDER/smooth.o and FOLDER/smooth.h.
#include <strata/strata.h>

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace strata;

namespace {

int tile_of(int argc, char** argv) {
  for (int a = 2; a < argc; ++a)
    if (std::string(argv[a]).rfind("tile=", 0) == 0) return std::atoi(argv[a] + 5);
  return 8;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) return 2;
  Function smooth("smooth");
  Param N = smooth.param("N");
  Var i("i", 0, N - 2);
  Input in = smooth.input("in", f32, {N});
  Computation out = smooth.computation("out", {i}, (in(i) + in(i + 1) + in(i + 2)) / 3.0f);
  Var tile("tile"), inside("inside");
  out.split(i, tile_of(argc, argv), tile, inside);
  out.parallelize(tile);
  smooth.codegen({in.buffer(), out.buffer()}, std::string(argv[1]) + "/smooth.o");
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
