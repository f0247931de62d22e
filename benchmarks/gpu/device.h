// Arrays on a device, through the runtime that the kernels use.
#pragma once

#include <strata/buffer.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
const void* halide_opencl_device_interface();
const void* halide_cuda_device_interface();
int halide_device_malloc(void* context, strata_buffer* buffer, const void* device);
int halide_device_free(void* context, strata_buffer* buffer);
int halide_copy_to_device(void* context, strata_buffer* buffer, const void* device);
int halide_copy_to_host(void* context, strata_buffer* buffer);
int halide_device_sync(void* context, strata_buffer* buffer);
}

namespace gpu_benchmark {

using Size = std::int64_t;

// What cannot go on, with the reason.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(int code, const std::string& what) {
  if (!code) return;
  const std::string said = strata_last_error();
  throw Failed(what + ": code " + std::to_string(code) + (said.empty() ? "" : ", " + said));
}

// A dense array with a copy in host memory.
template <typename T>
class DeviceArray {
 public:
  DeviceArray(const void* device, const std::vector<Size>& extents)
      : device_(device), dimensions_(extents.size()) {
    Size size = 1;
    for (const Size extent : extents) size *= extent;
    host_.resize(std::size_t(size));
    strata_buffer_init(&buffer_, strata::element_type<T>(), host_.data(), int(extents.size()),
                       dimensions_.data(), extents.data());
    require(halide_device_malloc(nullptr, &buffer_, device), "memory on the device");
  }
  ~DeviceArray() { halide_device_free(nullptr, &buffer_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  std::vector<T>& host() { return host_; }
  halide_buffer_t* argument() { return strata_argument(&buffer_); }
  // With CUDA, its address.
  std::uint64_t address() const { return buffer_.device; }

  void upload() {
    buffer_.flags = host_dirty;
    require(halide_copy_to_device(nullptr, &buffer_, device_), "a copy to the device");
    buffer_.flags = 0;
  }
  void download() {
    buffer_.flags = device_dirty;
    require(halide_copy_to_host(nullptr, &buffer_), "a copy to the host");
    buffer_.flags = 0;
  }

 private:
  static constexpr std::uint64_t host_dirty = 1, device_dirty = 2;

  const void* device_;
  std::vector<T> host_;
  std::vector<strata_dimension> dimensions_;
  strata_buffer buffer_{};
};

}  // namespace gpu_benchmark
