// large_generator FOLDER TARGET: kernels whose blocks have 48 KiB of shared memory, and more, as
// objects for a target.
#include <strata/strata.h>

#include "tests/gpu/generator.h"

namespace {

using namespace strata;

// out(b, i) = in(b, size - 1 - i), by a copy of the row in shared memory.
void turned(const std::string& name, std::int64_t size) {
  Function f(name);
  Param N = f.param("N");
  Var b("b", 0, N), i("i", 0, size), x("x"), step("step"), thread("thread");
  Input in = f.input("in", i32, {N, size});
  Computation out = f.computation("out", {b, i}, in(b, size - 1 - i));
  out.split(i, 1024, step, thread).interchange(step, thread).gpu(b, thread);
  out.cache_shared_at(b, in, "row", {Var("r"), x});
  generate(f, {in.buffer(), out.buffer()});
}

}  // namespace

int main(int argc, char** argv) {
  return run_generator(argc, argv, [] {
    turned("turned_48", 48 * 256);
    turned("turned_64", 64 * 256);
    turned("turned_227", 227 * 256);
  });
}
