// The device of a target: "znver4-opencl" is the CPU znver4 beside a GPU that OpenCL drives,
// "znver4-cuda-sm_90" beside a GPU of CUDA's compute capability 9.0.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace strata {

enum class Device { none, opencl, cuda };

// A target without its device, which is the last part of its name, if any.
struct TargetParts {
  std::string cpu;
  Device device = Device::none;
  int capability = 0;  // CUDA's, 90 for "sm_90"; 0 if the target does not say it
};
TargetParts target_parts(const std::string& target);

// What a launch may ask of a GPU; axes in the order x, y, z. By default what every GPU of the
// kinds above has.
struct DeviceLimits {
  std::int64_t threads = 1024;  // of a block
  std::array<std::int64_t, 3> threads_on_axis{1024, 1024, 64};
  std::array<std::int64_t, 3> blocks_on_axis{(std::int64_t{1} << 31) - 1, 65535, 65535};
  std::int64_t shared_bytes = 48 * 1024;  // of a block
  std::int64_t registers = 255;           // of 32 bits, of a thread
  std::int64_t warp = 32;                 // threads that run together
};

// CUDA: the technical specifications in the CUDA C++ Programming Guide, for all devices since
// compute capability 5.0; more shared memory than each of them has only where the target says which
// capability. OpenCL has no limit of its own on the blocks of an axis; indices are 32-bit numbers.
// Its devices may have fewer threads, or less shared memory, than is said here: then their driver
// refuses the launch.
DeviceLimits limits_of(Device device, int capability = 0);

// Does the target end in "-cuda-sm_" and a number? Then target_parts has its capability, if it is
// one of these: "sm_75, sm_80, ..".
bool names_capability(const std::string& target);
std::string known_capabilities();

// The capability with the most shared memory.
inline constexpr int largest_capability = 90;

}  // namespace strata
