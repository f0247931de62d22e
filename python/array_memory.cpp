#include "python/array_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "python/arrays.h"
#include "python/failures.h"

namespace strata::python {

namespace {

constexpr std::size_t alignment = 64;

struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};
using Zeros = std::unique_ptr<void, Freed>;

Zeros zeros(const std::vector<std::int64_t>& extents, Type type) {
  std::int64_t size = bytes(type);
  for (const std::int64_t extent : extents)
    if (__builtin_mul_overflow(size, extent, &size)) throw std::bad_alloc();
  if (size > PTRDIFF_MAX - std::int64_t(alignment)) throw std::bad_alloc();
  const std::size_t rounded = (std::size_t(size) / alignment + 1) * alignment;
  Zeros memory(std::aligned_alloc(alignment, rounded));
  if (!memory) throw std::bad_alloc();
  std::memset(memory.get(), 0, rounded);
  return memory;
}

void require(int code) {
  if (code != 0) throw KernelFailure(code, std::string("Array: ") + strata_last_error());
}

// The device for what this thread does while it lives.
class Use {
 public:
  explicit Use(dlpack::Device device)
      : call_(device.type == dlpack::cuda     ? Device::cuda
              : device.type == dlpack::opencl ? Device::opencl
                                              : Device::none) {
    if (device.type != dlpack::cpu) call_.choose(device, "Array");
  }

 private:
  CallDevice call_;
};

}  // namespace

ArrayMemory::ArrayMemory(dlpack::Device device, const std::vector<std::int64_t>& extents, Type type)
    : device_(device), dimensions_(extents.size()) {
  std::vector<std::int64_t> sizes = extents;
  if (!is_on_host())
    for (std::int64_t& size : sizes) size = std::max<std::int64_t>(size, 1);
  Zeros start = zeros(sizes, type);
  strata_buffer here;
  strata_buffer_init(&here, element_type(type), start.get(), int(sizes.size()), dimensions_.data(),
                     sizes.data());
  buffer_ = here;
  if (is_on_host()) {
    start.release();
    return;
  }
  for (const std::int64_t size : sizes)
    if (size > std::numeric_limits<std::int32_t>::max())
      throw KernelFailure(
          strata_error_too_large,
          "Array: an extent on a GPU is " + std::to_string(size) + ", more than 32 bits hold");
  buffer_.host = nullptr;
  const Use use(device_);
  require(strata_allocate_on_device(&buffer_, device_.type == dlpack::cuda ? "cuda" : "opencl"));
  const int code = strata_copy_array(strata_argument(&here), strata_argument(&buffer_));
  if (code != 0) strata_free_on_device(&buffer_);
  require(code);
}

ArrayMemory::~ArrayMemory() {
  std::free(buffer_.host);
  const Use use(device_);
  strata_free_on_device(&buffer_);
}

void* ArrayMemory::data() const {
  return is_on_host() ? buffer_.host : reinterpret_cast<void*>(strata_device_memory(&buffer_));
}

void ArrayMemory::copy(halide_buffer_t* from, halide_buffer_t* to) const {
  const Use use(device_);
  require(strata_copy_array(from, to));
}

}  // namespace strata::python
