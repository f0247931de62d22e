// Calls the generated kernel and compares it with a plain loop.
#include <strata/runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "core/expr/expr.h"
#include "smooth.h"

namespace {

strata_buffer describe(std::vector<float>& values, strata_dimension* dimension) {
  strata_buffer buffer;
  const int64_t extent = static_cast<int64_t>(values.size());
  strata_buffer_init(&buffer, strata_float(32), values.data(), 1, dimension, &extent);
  return buffer;
}

int elements_that_differ(std::size_t size) {
  const float untouched = -7;
  std::vector<float> in(size), out(size, untouched);
  for (std::size_t i = 0; i < size; ++i) in[i] = static_cast<float>((i * 37) % 101) - 50;

  strata_dimension in_dimension, out_dimension;
  strata_buffer in_buffer = describe(in, &in_dimension);
  strata_buffer out_buffer = describe(out, &out_dimension);
  if (smooth(static_cast<int64_t>(size), strata_argument(&in_buffer),
             strata_argument(&out_buffer)) != 0) {
    std::fprintf(stderr, "%s\n", strata_last_error());
    return 1;
  }
  int different = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double expected = i + 2 < size ? third(double(in[i]) + in[i + 1] + in[i + 2]) : untouched;
    if (std::fabs(out[i] - expected) > 1e-4) ++different;
  }
  return different;
}

// Is a buffer that is too short refused with a message, with nothing written?
bool refuses_short_output() {
  std::vector<float> in(10, 1), out(3, 5);
  strata_dimension in_dimension, out_dimension;
  strata_buffer in_buffer = describe(in, &in_dimension);
  strata_buffer out_buffer = describe(out, &out_dimension);
  const int code = smooth(10, strata_argument(&in_buffer), strata_argument(&out_buffer));
  return code == strata_error_out_of_bounds && strata_last_error()[0] != '\0' && out[0] == 5;
}

}  // namespace

int main() {
  for (const std::size_t size : {2u, 3u, 17u, 18u, 19u, 1000u}) {
    const int different = elements_that_differ(size);
    std::printf("N = %zu: %d elements differ\n", size, different);
    if (different != 0) return 1;
  }
  return refuses_short_output() ? 0 : 1;
}
