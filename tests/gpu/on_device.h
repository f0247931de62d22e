// Arguments that are resident on the device.
#pragma once

#include <strata/runtime.h>

#include <cstdint>

#include "tests/gpu/halide_devices.h"
#include "tests/gpu/wrong.h"

// A dense buffer there, without a host side.
struct OnDevice {
  OnDevice(strata_type type, std::int64_t n) {
    strata_buffer_init(&buffer, type, nullptr, 1, &dimension, &n);
    require(halide_device_malloc(nullptr, &buffer, tested_interface()) == 0, "memory");
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { halide_device_free(nullptr, &buffer); }
  halide_buffer_t* argument() { return strata_argument(&buffer); }

  // Copies all elements there, and back.
  void fill(void* elements) {
    buffer.host = static_cast<std::uint8_t*>(elements);
    buffer.flags = host_dirty;
    require(halide_copy_to_device(nullptr, &buffer, tested_interface()) == 0, "to the device");
    buffer.host = nullptr;
  }
  void read(void* elements) {
    buffer.host = static_cast<std::uint8_t*>(elements);
    require(halide_copy_to_host(nullptr, &buffer) == 0, "to the host");
    buffer.host = nullptr;
  }

  strata_dimension dimension{};
  strata_buffer buffer{};
};
