// gpu_benchmark_generator FOLDER TARGET: writes the kernels as .o, .h and .txt.
#include "benchmarks/gpu/grids.h"
#include "benchmarks/gpu/product.h"
#include "benchmarks/gpu/sums.h"
#include "benchmarks/gpu/tensor.h"

int main(int argc, char** argv) try {
  using namespace gpu_benchmark;
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER TARGET\n", argv[0]);
    return 2;
  }
  strata::CodegenOptions options;
  options.target = argv[2];
  std::vector<Scheduled> kernels = {
      product("product_128", {128, 128, 8, 8, 8, 2}, Panels::in_front),
      product("product_128_behind", {128, 128, 8, 8, 8, 2}, Panels::behind),
      product("product_128_quarters", {128, 128, 8, 8, 8, 2}, Panels::in_front, Sums::in_quarters),
      product("product_64", {64, 64, 8, 4, 8, 4}, Panels::in_front),
      product("product_any", {128, 128, 8, 8, 8, 2}, Panels::any),
      product("product_64_any", {64, 64, 8, 4, 8, 4}, Panels::any),
      copy(),
      transpose(),
      blur(),
      stencil(),
      four_steps(),
      convolution(),
      histogram(),
      batched(),
      tensor_product()};
  for (const Scheduled& kernel : kernels) examples::write_kernel(kernel, argv[1], options);
  return 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
