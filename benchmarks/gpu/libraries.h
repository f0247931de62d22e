// NVIDIA's libraries, opened when the program runs: cuBLAS, cuDNN, and CUB as nvcc has compiled it
// (cub_histogram.cu).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace gpu_benchmark {

// Opened at its first use, from the folders in STRATA_CUDA_LIBRARIES (with ":" between them) or
// where the system finds it.
class SharedLibrary {
 public:
  explicit SharedLibrary(std::vector<std::string> names) : names_(std::move(names)) {}
  // Throws Failed.
  void* symbol(const std::string& name);

 private:
  void* handle_ = nullptr;
  std::vector<std::string> names_;
};

// Addresses are of the device. All work is given to the default stream.
class Libraries {
 public:
  Libraries();
  ~Libraries();

  // c = a b, of row-major n x k and k x m matrices; "count" of them, one behind the other.
  std::function<void()> product(std::int64_t n, std::int64_t m, std::int64_t k, std::uint64_t a,
                                std::uint64_t b, std::uint64_t c, std::int64_t count = 1);
  // The same of bfloat16 matrices, by tensor cores; c is float32.
  std::function<void()> tensor_product(std::int64_t n, std::int64_t m, std::int64_t k,
                                       std::uint64_t a, std::uint64_t b, std::uint64_t c);
  // The fastest of cuDNN's algorithms without tensor cores; shape: N, C, O, H, W of the result.
  std::function<void()> convolution(const std::array<int, 5>& shape, std::uint64_t in,
                                    std::uint64_t w, std::uint64_t out);
  std::function<void()> histogram(std::uint64_t image, std::int64_t size, std::uint64_t counts);

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace gpu_benchmark
