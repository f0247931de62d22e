#include "core/machine/device.h"

namespace strata {

TargetParts target_parts(const std::string& target) {
  for (const Device device : {Device::opencl, Device::cuda}) {
    const std::string suffix = suffix_of(device);
    if (target.size() > suffix.size() && target.ends_with(suffix))
      return {target.substr(0, target.size() - suffix.size()), device};
  }
  return {target};
}

std::string suffix_of(Device device) {
  switch (device) {
    case Device::opencl:
      return "-opencl";
    case Device::cuda:
      return "-cuda";
    case Device::none:
      break;
  }
  return "";
}

DeviceLimits limits_of(Device device) {
  DeviceLimits limits;
  if (device == Device::opencl) limits.blocks_on_axis.fill(limits.blocks_on_axis.front());
  return limits;
}

}  // namespace strata
