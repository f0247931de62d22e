#include "core/machine/device.h"

namespace strata {

namespace {

// The end of a target's name, and the shared memory that a block may have, in KiB.
struct Suffix {
  const char* text;
  Device device;
  int capability;
  std::int64_t shared;
};

constexpr Suffix suffixes[] = {
    {"-opencl", Device::opencl, 0, 48},       {"-cuda", Device::cuda, 0, 48},
    {"-cuda-sm_75", Device::cuda, 75, 64},    {"-cuda-sm_80", Device::cuda, 80, 163},
    {"-cuda-sm_86", Device::cuda, 86, 99},    {"-cuda-sm_87", Device::cuda, 87, 163},
    {"-cuda-sm_89", Device::cuda, 89, 99},    {"-cuda-sm_90", Device::cuda, 90, 227},
    {"-cuda-sm_100", Device::cuda, 100, 227}, {"-cuda-sm_103", Device::cuda, 103, 227},
    {"-cuda-sm_110", Device::cuda, 110, 227}, {"-cuda-sm_120", Device::cuda, 120, 99},
    {"-cuda-sm_121", Device::cuda, 121, 99},
};

}  // namespace

TargetParts target_parts(const std::string& target) {
  for (const auto& [text, device, capability, shared] : suffixes) {
    const std::string suffix = text;
    if (target.size() > suffix.size() && target.ends_with(suffix))
      return {target.substr(0, target.size() - suffix.size()), device, capability};
  }
  return {target};
}

bool names_capability(const std::string& target) {
  const std::string begin = "-cuda-sm_";
  const std::size_t at = target.rfind(begin);
  return at != std::string::npos && at + begin.size() < target.size() &&
         target.find_first_not_of("0123456789", at + begin.size()) == std::string::npos;
}

std::string known_capabilities() {
  std::string list;
  for (const Suffix& known : suffixes)
    if (known.capability > 0)
      list += (list.empty() ? "sm_" : ", sm_") + std::to_string(known.capability);
  return list;
}

DeviceLimits limits_of(Device device, int capability) {
  DeviceLimits limits;
  if (device == Device::opencl) limits.blocks_on_axis.fill(limits.blocks_on_axis.front());
  for (const Suffix& known : suffixes)
    if (known.device == device && known.capability == capability)
      limits.shared_bytes = known.shared * 1024;
  return limits;
}

}  // namespace strata
