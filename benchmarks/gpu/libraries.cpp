#include "benchmarks/gpu/libraries.h"

#include <dlfcn.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "benchmarks/gpu/cuda.h"
#include "benchmarks/gpu/device.h"

namespace gpu_benchmark {

void* SharedLibrary::symbol(const std::string& name) {
  const char* list = std::getenv("STRATA_CUDA_LIBRARIES");
  std::istringstream folders(list ? list : "");
  for (std::string folder; !handle_ && std::getline(folders, folder, ':');)
    for (const std::string& file : names_)
      if (!handle_) handle_ = dlopen((folder + "/" + file).c_str(), RTLD_NOW | RTLD_GLOBAL);
  for (const std::string& file : names_)
    if (!handle_) handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!handle_) throw Failed("there is no " + names_.back());
  void* found = dlsym(handle_, name.c_str());
  if (!found) throw Failed(names_.back() + " has no " + name);
  return found;
}

struct Libraries::Handles {
  SharedLibrary blas{{"libcublas.so.13", "libcublas.so.12", "libcublas.so"}};
  SharedLibrary dnn{{"libcudnn.so.9", "libcudnn.so"}};
  SharedLibrary cub{{"libstrata_cub.so"}};
  void *blas_handle = nullptr, *dnn_handle = nullptr;
  std::vector<cuda::Memory> memory;

  template <typename... Arguments>
  void call(SharedLibrary& library, const std::string& name, Arguments... arguments) {
    require(reinterpret_cast<int (*)(Arguments...)>(library.symbol(name))(arguments...), name);
  }
  void* open_blas() {
    constexpr int default_math = 0;  // no tf32
    if (!blas_handle) {
      call(blas, "cublasCreate_v2", &blas_handle);
      call(blas, "cublasSetMathMode", blas_handle, default_math);
    }
    return blas_handle;
  }
  std::uint64_t allocate(std::size_t bytes) { return memory.emplace_back(bytes).address(); }
};

Libraries::Libraries() : handles_(std::make_unique<Handles>()) {}
Libraries::~Libraries() = default;

std::function<void()> Libraries::product(std::int64_t n, std::int64_t m, std::int64_t k,
                                         std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                         std::int64_t count) {
  Handles& h = *handles_;
  h.open_blas();
  using Sgemm =
      int (*)(void*, int, int, int, int, int, const float*, std::uint64_t, int, long long,
              std::uint64_t, int, long long, const float*, std::uint64_t, int, long long, int);
  const auto sgemm = reinterpret_cast<Sgemm>(h.blas.symbol("cublasSgemmStridedBatched"));
  using One = int (*)(void*, int, int, int, int, int, const float*, std::uint64_t, int,
                      std::uint64_t, int, const float*, std::uint64_t, int);
  const auto one = reinterpret_cast<One>(h.blas.symbol("cublasSgemm_v2"));
  // cuBLAS has columns of neighbours: it computes the transposes, c' = b' a'.
  return [=, handle = h.blas_handle] {
    static const float alpha = 1, beta = 0;
    const int rows = int(m), columns = int(n), depth = int(k);
    const int code = count == 1 ? one(handle, 0, 0, rows, columns, depth, &alpha, b, rows, a, depth,
                                      &beta, c, rows)
                                : sgemm(handle, 0, 0, rows, columns, depth, &alpha, b, rows, k * m,
                                        a, depth, n * k, &beta, c, rows, n * m, int(count));
    require(code, "cuBLAS");
  };
}

std::function<void()> Libraries::tensor_product(std::int64_t n, std::int64_t m, std::int64_t k,
                                                std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  Handles& h = *handles_;
  using Gemm = int (*)(void*, int, int, int, int, int, const float*, std::uint64_t, int, int,
                       std::uint64_t, int, int, const float*, std::uint64_t, int, int, int, int);
  const auto gemm = reinterpret_cast<Gemm>(h.blas.symbol("cublasGemmEx"));
  return [=, handle = h.open_blas()] {
    constexpr int real_32 = 0, brain_16 = 14;  // cudaDataType
    constexpr int compute_32 = 68, any_algorithm = -1;
    static const float alpha = 1, beta = 0;
    const int rows = int(m), columns = int(n), depth = int(k);
    require(gemm(handle, 0, 0, rows, columns, depth, &alpha, b, brain_16, rows, a, brain_16, depth,
                 &beta, c, real_32, rows, compute_32, any_algorithm),
            "cuBLAS");
  };
}

namespace {

// cudnnConvolutionFwdAlgoPerf_t
struct Algorithm {
  int number, status;
  float time;
  std::size_t memory;
  int determinism, math, reserved[3];
};

// Descriptors of cuDNN.
struct Convolution {
  void *x = nullptr, *y = nullptr, *filter = nullptr, *how = nullptr;
};

template <typename Handles>
Convolution describe(Handles& h, const std::array<int, 5>& shape) {
  const auto [n, c, o, rows, columns] = shape;
  constexpr int nchw = 0, real = 0, cross_correlation = 1, without_tensor_cores = 3;
  Convolution d;
  h.call(h.dnn, "cudnnCreateTensorDescriptor", &d.x);
  h.call(h.dnn, "cudnnCreateTensorDescriptor", &d.y);
  h.call(h.dnn, "cudnnCreateFilterDescriptor", &d.filter);
  h.call(h.dnn, "cudnnCreateConvolutionDescriptor", &d.how);
  h.call(h.dnn, "cudnnSetTensor4dDescriptor", d.x, nchw, real, n, c, rows + 2, columns + 2);
  h.call(h.dnn, "cudnnSetTensor4dDescriptor", d.y, nchw, real, n, o, rows, columns);
  h.call(h.dnn, "cudnnSetFilter4dDescriptor", d.filter, real, nchw, o, c, 3, 3);
  h.call(h.dnn, "cudnnSetConvolution2dDescriptor", d.how, 0, 0, 1, 1, 1, 1, cross_correlation,
         real);
  h.call(h.dnn, "cudnnSetConvolutionMathType", d.how, without_tensor_cores);
  return d;
}

}  // namespace

std::function<void()> Libraries::convolution(const std::array<int, 5>& shape, std::uint64_t in,
                                             std::uint64_t w, std::uint64_t out) {
  Handles& h = *handles_;
  if (!h.dnn_handle) h.call(h.dnn, "cudnnCreate", &h.dnn_handle);
  const Convolution d = describe(h, shape);
  std::array<Algorithm, 16> found{};
  int count = 0;
  h.call(h.dnn, "cudnnFindConvolutionForwardAlgorithm", h.dnn_handle, d.x, d.filter, d.how, d.y,
         int(found.size()), &count, found.data());
  const Algorithm best = found[0];
  if (count == 0 || best.status) throw Failed("cuDNN has no algorithm");
  const std::uint64_t space = h.allocate(best.memory);
  using Forward = int (*)(void*, const float*, void*, std::uint64_t, void*, std::uint64_t, void*,
                          int, std::uint64_t, std::size_t, const float*, void*, std::uint64_t);
  const auto forward = reinterpret_cast<Forward>(h.dnn.symbol("cudnnConvolutionForward"));
  return [=, handle = h.dnn_handle] {
    static const float alpha = 1, beta = 0;
    require(forward(handle, &alpha, d.x, in, d.filter, w, d.how, best.number, space, best.memory,
                    &beta, d.y, out),
            "cuDNN");
  };
}

std::function<void()> Libraries::histogram(std::uint64_t image, std::int64_t size,
                                           std::uint64_t counts) {
  Handles& h = *handles_;
  using Histogram = int (*)(std::uint64_t, std::size_t*, std::uint64_t, long long, std::uint64_t);
  const auto count = reinterpret_cast<Histogram>(h.cub.symbol("strata_cub_histogram"));
  std::size_t bytes = 0;
  require(count(0, &bytes, image, size, counts), "CUB");
  const std::uint64_t space = h.allocate(bytes);
  return [=]() mutable { require(count(space, &bytes, image, size, counts), "CUB"); };
}

}  // namespace gpu_benchmark
