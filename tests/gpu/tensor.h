// The structure DLTensor of DLPack 1.1, as another library would fill it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

struct Tensor {
  void* data = nullptr;
  std::int32_t device_type = 0, device_id = 0;
  std::int32_t rank = 0;
  std::uint8_t type_code = 0, type_bits = 32;
  std::uint16_t type_lanes = 1;
  const std::int64_t* shape = nullptr;
  const std::int64_t* strides = nullptr;
  std::uint64_t byte_offset = 0;

  // On the device, of elements of 32 bits; shape and strides live as long as it is used.
  Tensor(std::int32_t device, std::uintptr_t memory, const std::vector<std::int64_t>& sizes)
      : data(reinterpret_cast<void*>(memory)),
        device_type(device),
        rank(std::int32_t(sizes.size())),
        shape(sizes.data()) {}
};
static_assert(offsetof(Tensor, rank) == 16 && offsetof(Tensor, type_code) == 20 &&
              offsetof(Tensor, type_lanes) == 22 && offsetof(Tensor, shape) == 24 &&
              offsetof(Tensor, byte_offset) == 40 && sizeof(Tensor) == 48);

// DLDeviceType and DLDataTypeCode.
inline constexpr std::int32_t on_cpu = 1, on_cuda = 2, on_opencl = 4, on_rocm = 10,
                              on_cuda_managed = 13;
inline constexpr std::uint8_t of_int = 0, of_float = 2, of_complex = 5, of_bool = 6;
