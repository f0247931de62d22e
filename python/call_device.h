// The GPU of one call of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/machine/device.h"
#include "python/dlpack.h"

namespace strata::python {

// The device that the resident arguments are on, and the stream that the kernel runs in: of CUDA,
// in the device's primary context, which other packages use. By default that is the default
// stream, and a call waits for the device; in a "with cuda_stream(..)" it does not.
class CallDevice {
 public:
  // Of a kernel for this kind of device.
  explicit CallDevice(Device kind);
  ~CallDevice();
  CallDevice(const CallDevice&) = delete;
  CallDevice& operator=(const CallDevice&) = delete;

  // A resident argument is there. KernelFailure if the kernel does not run there, or an argument
  // before is on another device.
  void choose(dlpack::Device device, const std::string& what);
  // That device, or the first one.
  dlpack::Device chosen() const;
  // The stream that the array's package is told (__dlpack__), so that its work comes before ours.
  std::optional<std::int64_t> stream() const;
  bool waits() const;

  static std::string name_of(dlpack::Device device);

 private:
  Device kind_;
  int device_before_;  // this one may be within a call: of an array that the call makes
  std::optional<dlpack::Device> chosen_;
  std::string chosen_by_;
};

}  // namespace strata::python
