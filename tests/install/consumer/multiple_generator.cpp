// multiple_generator FOLDER name=NAME: writes a kernel NAME that doubles or trebles each element.
#include <strata/generator.h>
#include <strata/strata.h>

using namespace strata;

int main(int argc, char** argv) {
  Generator generator;
  const auto name = generator.choice("name", {"twice_each", "thrice_each"}, "the kernel");
  return generator.main(argc, argv, [&](const Machine&) {
    Function f(*name);
    Param N = f.param("N");
    Var i("i", 0, N);
    Input in = f.input("in", f32, {N});
    const float factor = *name == "twice_each" ? 2 : 3;
    Computation out = f.computation("out", {i}, in(i)*factor);
    out.parallelize(i);
    return Scheduled{f, {in.buffer(), out.buffer()}};
  });
}
