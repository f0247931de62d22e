// launches_host: calls the kernels of launches_generator.cpp on the GPU at hand and compares with
// plain loops.
// launches_host none: calls one where there is no GPU.  It must be refused and write nothing.
// Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cstdio>
#include <string>

#include "element_wise.h"
#include "row_sums.h"
#include "steps.h"
#include "steps_in_a_block.h"
#include "tests/gpu/wrong.h"
#include "wide_grid.h"

namespace {

using strata::Array;
using Size = std::int64_t;

void test_element_wise(Size n, Size m) {
  const std::string name = named("element_wise", n, m);
  Array<float> in({n, m}), out({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) in(i, j) = float((i * 31 + j * 7) % 100) / 8, out(i, j) = -5;
  for (const float more : {1.0f, 2.0f}) {  // what was changed between two calls is seen
    for (Size i = 0; i < n; ++i)
      for (Size j = 0; j < m; ++j) in(i, j) += more;
    require(element_wise(n, m, in, out) == 0, name);
    bool right = true;
    for (Size i = 0; i < n; ++i)
      for (Size j = 0; j < m; ++j) right = right && out(i, j) == in(i, j) * 2 + 1;
    require(right, name + ": values");
  }
}

// Rows longer than needed, and columns that run backwards: the rest of the memory stays.
void test_shapes() {
  const Size n = 19, m = 21, row = 30;
  for (const Size step : {1, -1}) {
    Array<float> in({n, row}), out({n, row});
    for (float& x : in) x = float(&x - in.data());
    for (float& x : out) x = -1;
    const Size extents[2] = {n, m}, first = step < 0 ? m - 1 : 0;
    strata_dimension dimensions[2][2];
    strata_buffer a, b;
    strata_buffer_init(&a, strata_float(32), in.data() + first, 2, dimensions[0], extents);
    strata_buffer_init(&b, strata_float(32), out.data() + first, 2, dimensions[1], extents);
    for (strata_dimension* d : {a.dim, b.dim}) {
      d[0].stride = std::int32_t(step);
      d[1].stride = std::int32_t(row);
    }
    const std::string name = "element_wise with step " + std::to_string(step);
    require(element_wise(n, m, strata_argument(&a), strata_argument(&b)) == 0, name);
    bool right = true;
    for (Size i = 0; i < n; ++i)
      for (Size j = 0; j < row; ++j) right = right && out(i, j) == (j < m ? in(i, j) * 2 + 1 : -1);
    require(right, name + ": values");
  }
}

void test_row_sums(Size n, Size m) {
  Array<std::int32_t> in({n, m}), out({n});
  for (Size i = 0; i < n; ++i)
    for (Size k = 0; k < m; ++k) in(i, k) = std::int32_t(i * 1000 + k * k);
  require(row_sums(n, m, in, out) == 0, named("row_sums", n, m));
  for (Size i = 0; i < n; ++i) {
    std::int32_t sum = 0;
    for (Size k = 0; k < m; ++k) sum += in(i, k);
    if (out(i) != sum) return require(false, named("row_sums", n, m) + ": values");
  }
}

void test_steps(Size steps_done, Size n) {
  Array<std::int32_t> start({n}), u({steps_done, n});
  for (Size i = 0; i < n; ++i) start(i) = std::int32_t(i % 7);
  require(steps(steps_done, n, start, u) == 0, named("steps", steps_done, n));
  for (Size t = 0; t < steps_done; ++t)
    for (Size i = 0; i < n; ++i) {
      const auto at = [&](Size x) {
        x = x < 0 ? 0 : x >= n ? n - 1 : x;
        return t == 0 ? start(x) : u(t - 1, x);
      };
      if (u(t, i) != at(i - 1) + 3 * at(i) + at(i + 1))
        return require(false, named("steps", steps_done, n) + ": values");
    }
}

void test_steps_in_a_block(Size steps_done) {
  Array<std::int32_t> start({24}), u({steps_done, 24});
  for (Size i = 0; i < 24; ++i) start(i) = std::int32_t(i * i);
  require(steps_in_a_block(steps_done, start, u) == 0, named("steps_in_a_block", steps_done, 24));
  for (Size t = 0; t < steps_done; ++t)
    for (Size i = 0; i < 24; ++i) {
      const std::int32_t before = t == 0 ? start(i) : u(t - 1, (i + 5) % 24);
      if (u(t, i) != before + i)
        return require(false, named("steps_in_a_block", steps_done, 24) + ": values");
    }
}

// CUDA has 65535 blocks on axis y. Without columns nothing is launched, and no GPU is needed.
void test_grid_limit() {
  Array<float> none({65536, 0});
  require(wide_grid(65535, 0, none) == 0, "a grid of 65535 rows");
  require(wide_grid(65536, 0, none) == strata_error_grid_too_large, "a grid of 65536 rows");
  const std::string text =
      "wide_grid: a launch may have 65536 blocks on axis y, loop i, more than 65535";
  require(strata_last_error() == text, "the message of a grid of 65536 rows");
}

void test_all() {
  test_grid_limit();
  for (const auto& [n, m] :
       {std::pair<Size, Size>{41, 59}, {16, 16}, {1, 1}, {0, 5}, {5, 0}, {100, 3}}) {
    test_element_wise(n, m);
    test_row_sums(n, m);
  }
  test_shapes();
  for (const Size n : {1, 31, 32, 33, 100}) test_steps(5, n);
  test_steps(0, 10);
  for (const Size t : {0, 1, 6}) test_steps_in_a_block(t);
}

void test_without_gpu() {
  Array<float> in({3, 4}), out({3, 4});
  for (float& x : out) x = -1;
  require(element_wise(3, 4, in, out) == strata_error_no_device, "the code without a GPU");
  const std::string text = strata_last_error();
  require(text.rfind("element_wise: no GPU can be used: ", 0) == 0, "the message without a GPU");
  for (const float x : out) require(x == -1, "an element is written without a GPU");
  Array<float> none({0, 4});
  require(element_wise(0, 4, none, none) == 0, "nothing to do needs no GPU");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "none")
    test_without_gpu();
  else
    test_all();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
