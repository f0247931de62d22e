// The device of a target: "znver4-opencl" is the CPU znver4 beside a GPU that OpenCL drives.
#pragma once

#include <string>

namespace strata {

enum class Device { none, opencl, cuda };

// A target without its device, which is the last part of its name, if any.
struct TargetParts {
  std::string cpu;
  Device device = Device::none;
};
TargetParts target_parts(const std::string& target);

}  // namespace strata
