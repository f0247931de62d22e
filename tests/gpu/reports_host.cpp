// gpu_reports_host: kernels of reports_generator.cpp on OpenCL: the results where all indices are
// in range, and where one is not the code and the message, with nothing written outside. Exit
// status 1 if anything is wrong.
#include <strata/buffer.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "counts.h"
#include "lookup.h"
#include "lookup_there.h"
#include "scatter.h"
#include "tests/gpu/on_device.h"
#include "tests/gpu/wrong.h"
#include "walk.h"
#include "warp.h"

namespace {

using strata::Array;
using Size = std::int64_t;
using Ints = Array<std::int32_t>;

constexpr int outside = strata_error_index_out_of_range;

// "KERNEL: WHAT was INDEX in some iteration, but the elements range from 0 to MOST".
std::string message(const std::string& kernel, const std::string& what, Size index, Size most) {
  return kernel + ": " + what + " was " + std::to_string(index) +
         " in some iteration, but the elements range from 0 to " + std::to_string(most);
}

void test_lookup(Size n, Size m) {
  const std::string name = named("lookup", n, m);
  Array<Size> at({n});
  Ints table({m}), out({n});
  for (Size i = 0; i < n; ++i) at(i) = m ? i * 7 % m : 0;
  for (Size i = 0; i < m; ++i) table(i) = std::int32_t(100 + i);
  if (m == 0 && n > 0)
    return require_failure(lookup(n, m, at, table, out), outside,
                           message("lookup", "index 0 of table", 0, -1), name);
  require(lookup(n, m, at, table, out) == 0, name);
  for (Size i = 0; i < n; ++i) require(out(i) == table(at(i)) + i, name + ": values");
  constexpr Size least = std::numeric_limits<Size>::min();
  for (const Size index : {m, Size{-1}, least, -(least + 1), Size{1} << 32}) {
    if (n == 0) break;
    at(n / 2) = index;
    require_failure(
        lookup(n, m, at, table, out), outside,
        message("lookup", "index 0 of table", std::max(index, 1 - (Size{1} << 62)), m - 1),
        name + ": a wrong index");
  }
}

// Flags stay after an error, and the call after it is as if there had been none.
void test_residents() {
  const Size n = 100, m = 9;
  std::vector<Size> at(n, 4);
  std::vector<std::int32_t> table(m, 11), out(n);
  OnDevice places(strata_int(64), n), values(strata_int(32), m), results(strata_int(32), n);
  values.fill(table.data());
  for (const Size index : {m, Size{3}}) {
    at[50] = index;
    places.fill(at.data());
    results.buffer.flags = host_dirty;
    const int code = lookup_there(n, m, places.argument(), values.argument(), results.argument());
    if (index == m) {
      require(code == outside, "residents: the code");
      require(results.buffer.flags == host_dirty, "residents: flags stay after an error");
    } else {
      require(code == 0 && results.buffer.flags == device_dirty, "residents: flags");
    }
  }
  results.read(out.data());
  for (Size i = 0; i < n; ++i) require(out[std::size_t(i)] == 11 + i, "residents: values");
}

void test_warp(Size n, Size m, Size h, Size w) {
  const std::string name = named("warp", n, m);
  Array<float> y({n, m}), picture({h, w}), out({n, m});
  Ints x({n, m});
  Array<bool> mask({n, m});
  for (Size i = 0; i < h; ++i)
    for (Size j = 0; j < w; ++j) picture(i, j) = float(i * w + j);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      y(i, j) = float((i * 5 + j) % (2 * h)) / 2;
      x(i, j) = std::int32_t((i + j * 3) % w) - 1;
      mask(i, j) = (i + j) % 3 != 0;
      // What is not needed may be anything.
      if (!mask(i, j)) y(i, j) = -1e9f, x(i, j) = std::numeric_limits<std::int32_t>::max();
    }
  require(warp(n, m, h, w, y, x, mask, picture, out) == 0, name);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j)
      if (out(i, j) != (mask(i, j) ? picture(Size(y(i, j)), x(i, j) + 1) : 0))
        return require(false, name + ": values");
  const Size i = n - 1, j = m - 1;
  mask(i, j) = true;
  y(i, j) = float(h), x(i, j) = -1;
  require_failure(warp(n, m, h, w, y, x, mask, picture, out), outside,
                  message("warp", "index 0 of picture", h, h - 1), name + ": a wrong row");
  y(i, j) = 0, x(i, j) = -2;
  require_failure(warp(n, m, h, w, y, x, mask, picture, out), outside,
                  message("warp", "index 1 of picture", -1, w - 1), name + ": a wrong column");
}

// Rows of a larger array: what lies beside them stays.
void test_scatter(Size n, Size m, Size c) {
  const std::string name = named("scatter", n, m);
  const Size row = c + 3;
  Ints to({n, m});
  Array<std::int16_t> in({n, m}), memory({n + 2, row}), expected({n + 2, row});
  strata_dimension dimensions[2];
  strata_buffer out;
  const Size extents[2] = {n, c};
  strata_buffer_init(&out, strata_int(16), &memory(1, 1), 2, dimensions, extents);
  dimensions[1].stride = std::int32_t(row);
  for (const Size index : {Size{0}, Size{-1}, c, Size{1} << 30}) {
    for (std::int16_t& x : memory) x = 77;
    for (std::int16_t& x : expected) x = 77;
    for (Size i = 0; i < n; ++i) {
      for (Size j = 0; j < c; ++j) expected(i + 1, j + 1) = -1;
      for (Size j = 0; j < m; ++j) {
        in(i, j) = std::int16_t(i * 10 + j);
        to(i, j) = std::int32_t((i + j * j) % c);
        if (i == n - 1 && j == m / 2) to(i, j) = std::int32_t(index);
        if (0 <= to(i, j) && to(i, j) < c) expected(i + 1, to(i, j) + 1) = in(i, j);
      }
    }
    const int code = scatter(n, m, c, to, in, strata_argument(&out));
    if (index == 0)
      require(code == 0, name);
    else
      require(code == outside &&
                  strata_last_error() == message("scatter", "index 1 of out", index, c - 1),
              name + ": a wrong place");
    require(std::equal(memory.begin(), memory.end(), expected.begin()), name + ": values");
  }
}

// No place is in range, and the output is untouched.
void test_empty_scatter() {
  Ints to({3, 2});
  Array<std::int16_t> in({3, 2}), out({3, 0});
  require_failure(scatter(3, 2, 0, to, in, out), outside,
                  message("scatter", "index 1 of out", 0, -1), "an empty output");
  require(scatter(0, 0, 0, to, in, out) == 0, "nothing to scatter");
}

void test_counts(Size r, Size c) {
  const std::string name = named("counts", r, c);
  Ints in({r, c}), hist({16});
  std::vector<std::int32_t> expected(16, 0);
  for (std::int32_t& x : in) ++expected[std::size_t(x = std::int32_t(&x - in.data()) * 5 % 16)];
  require(counts(r, c, in, hist) == 0, name);
  require(std::equal(hist.begin(), hist.end(), expected.begin()), name + ": values");
  for (const std::int32_t index : {16, -1, 1 << 30}) {
    if (r * c == 0) break;
    in(r / 2, c / 2) = index;
    require_failure(counts(r, c, in, hist), outside,
                    message("counts", "index 1 of part", index, 15), name + ": a wrong bin");
  }
}

void test_walk(Size steps, Size n) {
  const std::string name = named("walk", steps, n);
  Ints next({n}), back({n}), r({steps, n}), s({steps, n});
  for (Size i = 0; i < n; ++i)
    next(i) = std::int32_t((i * 3 + 1) % n), back(i) = std::int32_t(n - 1 - i);
  require(walk(steps, n, next, back, r, s) == 0, name);
  for (Size t = 0; t < steps; ++t)
    for (Size i = 0; i < n; ++i) {
      require(r(t, i) == (t ? s(t - 1, next(i)) : i), name + ": values of r");
      require(s(t, i) == r(t, back(i)) + 1, name + ": values of s");
    }
  if (steps < 2) return;
  next(0) = std::int32_t(n);
  require_failure(walk(steps, n, next, back, r, s), outside,
                  message("walk", "index 1 of s", n, n - 1), name + ": in a launch");
  next(0) = 0, back(n - 1) = -1;
  require_failure(walk(steps, n, next, back, r, s), outside,
                  message("walk", "index 1 of r", -1, n - 1), name + ": on the host");
}

}  // namespace

int main() {
  for (const Size n : {0, 1, 32, 1000})
    for (const Size m : {0, 1, 5, 4000}) test_lookup(n, m);
  test_residents();
  test_warp(9, 41, 7, 5);
  test_warp(1, 1, 1, 1);
  test_scatter(13, 6, 9);
  test_scatter(1, 1, 1);
  test_empty_scatter();
  for (const Size c : {0, 1, 100}) test_counts(9, c);
  for (const Size steps : {1, 2, 5}) test_walk(steps, 21);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
