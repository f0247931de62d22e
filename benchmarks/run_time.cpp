// How long the kernels of the examples take, beside plain C; their argument is the number of
// threads.
#include <benchmark/benchmark.h>
#include <strata/buffer.h>
#include <strata/runtime.h>

#include "blur.h"
#include "examples/blur/by_hand.h"
#include "examples/matmul/matmul_case.h"
#include "examples/matmul/plain_matmul.h"
#include "examples/seidel/seidel_case.h"

namespace {

using strata::Array;

constexpr std::int64_t rows = 2000, row = 3 * 3000;  // of a picture of 6 megapixels
constexpr std::int64_t matrix = 1000;
constexpr std::int64_t grid_size = 2000, sweeps = 4;

void plain_blur(benchmark::State& state) {
  Array<float> in({rows, row}, 0.5f), bx({rows, row - 6}), by({rows - 2, row - 6});
  for (auto _ : state) ::plain_blur(rows, row, in.data(), bx.data(), by.data());
}

void blur(benchmark::State& state) {
  Array<float> in({rows, row}, 0.5f), by({rows - 2, row - 6});
  strata_set_number_of_threads(int(state.range(0)));
  for (auto _ : state)
    if (::blur(rows, row, in, by) != 0) state.SkipWithError(strata_last_error());
}

void plain_matmul(benchmark::State& state) {
  matmul_example::Case product(matrix, matrix, matrix);
  for (auto _ : state)
    ::plain_matmul(matrix, matrix, matrix, product.a.data(), product.b.data(), product.c.data());
}

void matmul(benchmark::State& state) {
  matmul_example::Case product(matrix, matrix, matrix);
  strata_set_number_of_threads(int(state.range(0)));
  for (auto _ : state) product.run();
}

void plain_seidel(benchmark::State& state) {
  Array<float> grid = seidel_example::some_grid(grid_size, grid_size);
  for (auto _ : state) seidel_example::by_hand(sweeps, grid);
}

void seidel(benchmark::State& state) {
  Array<float> grid = seidel_example::some_grid(grid_size, grid_size);
  for (auto _ : state) seidel_example::by_kernel(int(state.range(0)), sweeps, grid);
}

void in_milliseconds(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->UseRealTime();
}
void on_threads(benchmark::internal::Benchmark* b) { in_milliseconds(b->Arg(1)->Arg(2)); }

BENCHMARK(plain_blur)->Apply(in_milliseconds);
BENCHMARK(blur)->Apply(on_threads);
BENCHMARK(plain_matmul)->Apply(in_milliseconds);
BENCHMARK(matmul)->Apply(on_threads);
BENCHMARK(plain_seidel)->Apply(in_milliseconds);
BENCHMARK(seidel)->Apply(on_threads);

}  // namespace
