// Multiplies two matrices by the kernel that product_generator wrote.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cstdio>

#include "product.h"

int main() {
  strata::Array<float> a({500, 70}, 2.0f), b({70, 300}, 3.0f), c({500, 300});
  if (product(500, 300, 70, a, b, c) != 0) {
    std::fprintf(stderr, "%s\n", strata_last_error());
    return 1;
  }
  std::printf("%g\n", c(499, 299));
}
