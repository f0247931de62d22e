// Each example on the CPU and on the GPU at hand, at odd sizes, against plain loops.
// Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "batched_cpu.h"
#include "batched_gpu.h"
#include "blur_cpu.h"
#include "blur_gpu.h"
#include "convolution_cpu.h"
#include "convolution_gpu.h"
#include "examples/common/random.h"
#include "histogram_cpu.h"
#include "histogram_gpu.h"
#include "lstm_cell_cpu.h"
#include "lstm_cell_gpu.h"
#include "product_cpu.h"
#include "product_gpu.h"
#include "row_sums_cpu.h"
#include "row_sums_gpu.h"
#include "stencil_cpu.h"
#include "stencil_gpu.h"
#include "stencil_tiles_cpu.h"
#include "stencil_tiles_gpu.h"
#include "tensor_product_cpu.h"
#include "tensor_product_gpu.h"
#include "transpose_cpu.h"
#include "transpose_gpu.h"

namespace {

using strata::Array;
using Size = std::int64_t;

int wrong = 0;

void report(const std::string& kernel, const std::string& what) {
  std::printf("wrong: %s: %s\n", kernel.c_str(), what.c_str());
  ++wrong;
}

// The result of a kernel, against values in double precision.
class Expected {
 public:
  explicit Expected(std::vector<Size> extents) : extents_(extents), values_(extents) {}
  Array<double>& operator*() { return values_; }

  // "call" runs the kernel on its output, which holds -7 before.
  template <typename Call>
  void compare(const std::string& kernel, const Call& call, double bound) const {
    Array<float> out(extents_, -7.0f);
    if (const int code = call(out))
      return report(kernel, "code " + std::to_string(code) + ", " + strata_last_error());
    const double* right = values_.data();
    for (const float x : out)
      if (!(std::abs(x - *right++) <= bound)) return report(kernel, "a value");
  }

 private:
  std::vector<Size> extents_;
  Array<double> values_;
};

std::string sized(const std::string& name, std::initializer_list<Size> sizes) {
  std::string text = name;
  for (const Size size : sizes) text += " " + std::to_string(size);
  return text;
}

Array<float> random(const std::vector<Size>& extents, std::uint32_t seed) {
  Array<float> values(extents);
  examples::fill(values, seed);
  return values;
}

void test_blur(Size n, Size m) {
  const Array<float> in = random({3, n, m}, 1);
  Expected right({3, std::max<Size>(n - 2, 0), std::max<Size>(m - 2, 0)});
  for (Size c = 0; c < 3; ++c)
    for (Size i = 0; i < n - 2; ++i)
      for (Size j = 0; j < m - 2; ++j) {
        double sum = 0;
        for (Size y = 0; y < 3; ++y)
          for (Size x = 0; x < 3; ++x) sum += in(c, i + y, j + x);
        (*right)(c, i, j) = sum / 9;
      }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(sized(name, {n, m}), [&](auto& out) { return kernel(n, m, in, out); }, 1e-6);
  };
  test("blur_cpu", &blur_cpu);
  test("blur_gpu", &blur_gpu);
}

void test_product(Size n, Size m, Size k) {
  const Array<float> a = random({n, k}, 2), b = random({k, m}, 3);
  Expected right({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      double sum = 0;
      for (Size x = 0; x < k; ++x) sum += double(a(i, x)) * b(x, j);
      (*right)(i, j) = sum;
    }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(
        sized(name, {n, m, k}), [&](auto& out) { return kernel(n, m, k, a, b, out); },
        1e-6 * double(k + 1));
  };
  test("product_cpu", &product_cpu);
  test("product_gpu", &product_gpu);
}

// Multiples of 1/8 below 2, which bfloat16 represents.
Array<strata::BFloat16> random_bfloat16(const std::vector<Size>& extents, std::uint32_t seed) {
  Array<strata::BFloat16> values(extents);
  examples::Random random(seed);
  for (strata::BFloat16& value : values) {
    const float x = float(random.below(31)) / 8 - 2 + 0.125f;
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    value.bits = std::uint16_t(bits >> 16);
  }
  return values;
}

double number(strata::BFloat16 value) {
  const std::uint32_t bits = std::uint32_t(value.bits) << 16;
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

void test_tensor_product(Size n, Size m, Size k) {
  const auto a = random_bfloat16({n, k}, 18), b = random_bfloat16({k, m}, 19);
  Expected right({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      double sum = 0;
      for (Size x = 0; x < k; ++x) sum += number(a(i, x)) * number(b(x, j));
      (*right)(i, j) = sum;
    }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(sized(name, {n, m, k}), [&](auto& out) { return kernel(n, m, k, a, b, out); }, 0);
  };
  test("tensor_product_cpu", &tensor_product_cpu);
  test("tensor_product_gpu", &tensor_product_gpu);
}

void test_stencil(Size steps, Size n, Size m) {
  const Array<float> start = random({n, m}, 4);
  Array<double> before({n, m});
  std::copy(start.begin(), start.end(), before.begin());
  Expected right({n, m});
  for (Size t = 0; t < steps; ++t) {
    const auto at = [&](Size i, Size j) {
      return before(std::clamp<Size>(i, 0, n - 1), std::clamp<Size>(j, 0, m - 1));
    };
    for (Size i = 0; i < n; ++i)
      for (Size j = 0; j < m; ++j)
        (*right)(i, j) =
            0.5 * at(i, j) + 0.125 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
    std::copy((*right).begin(), (*right).end(), before.begin());
  }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(
        sized(name, {steps, n, m}), [&](auto& out) { return kernel(steps, n, m, start, out); },
        1e-6);
  };
  test("stencil_cpu", &stencil_cpu);
  test("stencil_gpu", &stencil_gpu);
  if (steps % 4 != 0) return;
  const auto in_groups = [&](const char* name, auto* kernel) {
    right.compare(
        sized(name, {steps, n, m}), [&](auto& out) { return kernel(steps / 4, n, m, start, out); },
        1e-6);
  };
  in_groups("stencil_tiles_cpu", &stencil_tiles_cpu);
  in_groups("stencil_tiles_gpu", &stencil_tiles_gpu);
}

void test_histogram(Size rows, Size columns) {
  Array<std::uint8_t> image({rows, columns});
  examples::Random random(5);
  for (std::uint8_t& pixel : image) pixel = std::uint8_t(random.below(random.below(256) + 1));
  Array<std::int32_t> right({256});
  for (std::int32_t& count : right) count = 0;
  for (const std::uint8_t pixel : image) ++right(pixel);
  const auto test = [&](const char* name, auto* kernel) {
    Array<std::int32_t> counts({256}, -7);
    const std::string what = sized(name, {rows, columns});
    if (const int code = kernel(rows, columns, image, counts))
      return report(what, "code " + std::to_string(code) + ", " + strata_last_error());
    if (!std::equal(right.begin(), right.end(), counts.begin())) report(what, "a value");
  };
  test("histogram_cpu", &histogram_cpu);
  test("histogram_gpu", &histogram_gpu);
}

void test_row_sums(Size n, Size m) {
  const Array<float> in = random({n, m}, 6);
  Expected right({n});
  for (Size i = 0; i < n; ++i) {
    double sum = 0;
    for (Size k = 0; k < m; ++k) sum += in(i, k);
    (*right)(i) = sum;
  }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(
        sized(name, {n, m}), [&](auto& out) { return kernel(n, m, in, out); },
        1e-6 * double(m + 1));
  };
  test("row_sums_cpu", &row_sums_cpu);
  test("row_sums_gpu", &row_sums_gpu);
}

void test_batched(Size pairs) {
  const Array<float> a = random({pairs, 32, 32}, 7), b = random({pairs, 32, 32}, 8);
  Expected right({pairs, 32, 32});
  for (Size n = 0; n < pairs; ++n)
    for (Size i = 0; i < 32; ++i)
      for (Size j = 0; j < 32; ++j) {
        double sum = 0;
        for (Size k = 0; k < 32; ++k) sum += double(a(n, i, k)) * b(n, k, j);
        (*right)(n, i, j) = sum;
      }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(sized(name, {pairs}), [&](auto& out) { return kernel(pairs, a, b, out); }, 1e-5);
  };
  test("batched_cpu", &batched_cpu);
  test("batched_gpu", &batched_gpu);
}

void test_convolution(Size n, Size channels, Size outputs, Size h, Size w) {
  const Array<float> in = random({n, channels, h + 2, w + 2}, 9);
  const Array<float> weights = random({outputs, channels, 3, 3}, 10);
  Expected right({n, outputs, h, w});
  for (Size b = 0; b < n; ++b)
    for (Size o = 0; o < outputs; ++o)
      for (Size y = 0; y < h; ++y)
        for (Size x = 0; x < w; ++x) {
          double sum = 0;
          for (Size c = 0; c < channels; ++c)
            for (Size dy = 0; dy < 3; ++dy)
              for (Size dx = 0; dx < 3; ++dx)
                sum += double(in(b, c, y + dy, x + dx)) * weights(o, c, dy, dx);
          (*right)(b, o, y, x) = sum;
        }
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(
        sized(name, {n, channels, outputs, h, w}),
        [&](auto& out) { return kernel(n, channels, outputs, h, w, in, weights, out); },
        1e-5 * double(channels + 1));
  };
  test("convolution_cpu", &convolution_cpu);
  test("convolution_gpu", &convolution_gpu);
}

void test_transpose(Size n, Size m) {
  const Array<float> in = random({n, m}, 11);
  Expected right({m, n});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) (*right)(j, i) = in(i, j);
  const auto test = [&](const char* name, auto* kernel) {
    right.compare(sized(name, {n, m}), [&](auto& out) { return kernel(n, m, in, out); }, 0);
  };
  test("transpose_cpu", &transpose_cpu);
  test("transpose_gpu", &transpose_gpu);
}

void test_lstm_cell(Size batch, Size cells) {
  const Array<float> x = random({batch, cells}, 12), h = random({batch, cells}, 13),
                     c = random({batch, cells}, 14), w = random({4, cells, cells}, 15),
                     r = random({4, cells, cells}, 16), bias = random({4, cells}, 17);
  Expected c_next({batch, cells}), h_next({batch, cells});
  const auto sigmoid = [](double y) { return 1 / (1 + std::exp(-y)); };
  for (Size b = 0; b < batch; ++b)
    for (Size j = 0; j < cells; ++j) {
      double gate[4];
      for (Size q = 0; q < 4; ++q) {
        gate[q] = bias(q, j);
        for (Size d = 0; d < cells; ++d)
          gate[q] += double(x(b, d)) * w(q, d, j) + double(h(b, d)) * r(q, d, j);
      }
      const double state = sigmoid(gate[1]) * c(b, j) + sigmoid(gate[0]) * std::tanh(gate[2]);
      (*c_next)(b, j) = state;
      (*h_next)(b, j) = sigmoid(gate[3]) * std::tanh(state);
    }
  const auto test = [&](const char* name, auto* kernel) {
    const std::string what = sized(name, {batch, cells});
    Array<float> other({batch, cells});
    c_next.compare(
        what, [&](auto& out) { return kernel(batch, cells, x, h, c, w, r, bias, out, other); },
        1e-4);
    h_next.compare(
        what, [&](auto& out) { return kernel(batch, cells, x, h, c, w, r, bias, other, out); },
        1e-4);
  };
  test("lstm_cell_cpu", &lstm_cell_cpu);
  test("lstm_cell_gpu", &lstm_cell_gpu);
}

}  // namespace

int main() {
  for (const auto& [n, m] :
       {std::pair<Size, Size>{41, 59}, {18, 18}, {3, 3}, {2, 9}, {1, 1}, {67, 3}})
    test_blur(n, m);
  test_product(41, 59, 37);
  test_product(128, 128, 16);
  test_product(1, 1, 1);
  test_product(130, 257, 9);
  test_product(0, 5, 5);
  test_product(5, 5, 0);
  test_tensor_product(41, 59, 37);
  test_tensor_product(128, 128, 32);
  test_tensor_product(130, 257, 9);
  test_tensor_product(1, 1, 1);
  test_tensor_product(5, 0, 5);
  test_tensor_product(5, 5, 0);
  test_stencil(1, 1, 1);
  test_stencil(5, 41, 59);
  test_stencil(8, 8, 32);
  test_stencil(8, 41, 59);
  for (const Size rows : {0, 1, 16, 41}) test_histogram(rows, 59);
  for (const Size m : {0, 1, 127, 128, 1000}) test_row_sums(5, m);
  for (const Size pairs : {0, 1, 3}) test_batched(pairs);
  test_convolution(2, 3, 5, 17, 33);
  test_convolution(1, 1, 1, 1, 1);
  for (const auto& [n, m] : {std::pair<Size, Size>{41, 59}, {32, 64}, {1, 1}, {0, 5}, {100, 3}})
    test_transpose(n, m);
  test_lstm_cell(3, 37);
  test_lstm_cell(4, 64);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
