#include "python/array_memory.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

#include "graph/evaluate/element.h"
#include "python/arrays.h"
#include "python/failures.h"

namespace strata::python {

namespace {

constexpr std::size_t alignment = 64;

std::shared_ptr<void> zeros(const std::vector<std::int64_t>& extents, Type type) {
  std::int64_t size = bytes(type);
  for (const std::int64_t extent : extents)
    if (__builtin_mul_overflow(size, extent, &size)) throw std::bad_alloc();
  if (size > PTRDIFF_MAX - std::int64_t(alignment)) throw std::bad_alloc();
  std::shared_ptr<void> memory(std::calloc(1, std::size_t(size) + alignment), std::free);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void* aligned(void* memory) {
  std::size_t space = alignment + 1;
  return std::align(alignment, 1, memory, space);
}

void require_32_bits(const char* which, std::int64_t value) {
  if (value <= std::numeric_limits<std::int32_t>::max()) return;
  throw KernelFailure(strata_error_too_large, std::string("Array: ") + which + " on a GPU is " +
                                                  std::to_string(value) +
                                                  ", more than 32 bits hold");
}

// Call this before computing strides, so that they fit in 64 bits.
void require_small(const std::vector<std::int64_t>& extents) {
  for (const std::int64_t extent : extents) require_32_bits("an extent", extent);
  std::int64_t stride = 1;
  for (std::size_t axis = extents.size(); axis-- > 1;)
    require_32_bits("a stride", stride *= extents[axis]);
}

void require(int code) {
  if (code != 0) throw KernelFailure(code, std::string("Array: ") + strata_last_error());
}

// While this lives, the device is the one that this thread uses.
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
  if (!is_on_host()) require_small(sizes);
  std::shared_ptr<void> start = zeros(sizes, type);
  strata_buffer here;
  strata_buffer_init(&here, graph::element_type_of(type), aligned(start.get()), int(sizes.size()),
                     dimensions_.data(), sizes.data());
  buffer_ = here;
  if (is_on_host()) {
    host_ = std::move(start);
    return;
  }
  buffer_.host = nullptr;
  const Use use(device_);
  require(strata_allocate_on_device(&buffer_, device_.type == dlpack::cuda ? "cuda" : "opencl"));
  const int code = strata_copy_array(strata_argument(&here), strata_argument(&buffer_));
  if (code != 0) strata_free_on_device(&buffer_);
  require(code);
}

ArrayMemory::ArrayMemory(const graph::NDArray& array)
    : device_{dlpack::cpu, 0}, host_(array.memory()), dimensions_(array.extents().size()) {
  strata_buffer_init(&buffer_, array.type(), array.raw(), array.rank(), dimensions_.data(),
                     array.extents().data());
}

ArrayMemory::~ArrayMemory() {
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
