// The GPU of one call of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/machine/device.h"
#include "python/dlpack.h"

namespace strata::python {

// The device that the resident arguments are on, and the stream that the kernel runs in. In CUDA,
// the stream is in the device's primary context, which other packages use. By default it is the
// default stream, and a call waits for the device. Inside "with cuda_stream(..)" a call does not
// wait.
class CallDevice {
 public:
  // The device of a call of a kernel for this kind of device.
  explicit CallDevice(Device kind);
  ~CallDevice();
  CallDevice(const CallDevice&) = delete;
  CallDevice& operator=(const CallDevice&) = delete;

  // Notes that a resident argument is on this device. KernelFailure if the kernel does not run
  // there, or if an earlier argument is on another device.
  void choose(dlpack::Device device, const std::string& what);
  // The device of the resident arguments; without any, the first device.
  dlpack::Device chosen() const;
  // The stream to pass to the array's package (__dlpack__), so that its work comes before ours.
  std::optional<std::int64_t> stream() const;
  bool waits() const;

  static std::string name_of(dlpack::Device device);

 private:
  Device kind_;
  int device_before_;  // to restore: this call may be inside another one
  std::optional<dlpack::Device> chosen_;
  std::string chosen_by_;
};

}  // namespace strata::python
