// A generator that replays a log: strata_add_library(.. AUTOSCHEDULE ..).
#include <strata/generator.h>
#include <strata/tune.h>

int main(int argc, char** argv) {
  strata::Generator generator;
  const auto tuning = generator.parameter("tuning", "", "a log of tune");
  return generator.main(argc, argv, [&](const strata::Machine&) {
    strata::Function f("tuned_product");
    const strata::Param N = f.param("N");
    const strata::Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
    const strata::Input a = f.input("a", strata::i32, {N, N}),
                        b = f.input("b", strata::i32, {N, N});
    const strata::Computation c = f.computation("c", {i, j}, strata::sum(k, a(i, k) * b(k, j)));
    const std::vector<strata::Buffer> arguments{a.buffer(), b.buffer(), c.buffer()};
    strata::tune(f, arguments,
                 {.sizes = {{"N", 500}}, .threads = 1, .log = *tuning, .replay = true});
    return strata::Scheduled{f, arguments};
  });
}
