// large_host: calls the kernels of large_generator.cpp on the GPU at hand and compares with plain
// loops. Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>

#include "tests/gpu/wrong.h"
#include "turned_227.h"
#include "turned_48.h"
#include "turned_64.h"

namespace {

using Ints = strata::Array<std::int32_t>;

template <typename Kernel>
void test_turned(int kibibytes, Kernel kernel) {
  const std::int64_t rows = 3, size = kibibytes * 256;
  const std::string name = "turned_" + std::to_string(kibibytes);
  Ints in({rows, size}), out({rows, size});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) * 7 + 1;
  require(kernel(rows, in, out) == 0, name);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t i = 0; i < size; ++i)
      if (out(row, i) != in(row, size - 1 - i)) return require(false, name + ": values");
}

}  // namespace

int main() {
  test_turned(48, turned_48);
  test_turned(64, turned_64);
  test_turned(227, turned_227);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
