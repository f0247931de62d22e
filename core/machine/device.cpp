#include "core/machine/device.h"

#include <utility>

namespace strata {

TargetParts target_parts(const std::string& target) {
  for (const auto& [suffix, device] :
       {std::pair<std::string, Device>{"-opencl", Device::opencl}, {"-cuda", Device::cuda}})
    if (target.size() > suffix.size() && target.ends_with(suffix))
      return {target.substr(0, target.size() - suffix.size()), device};
  return {target};
}

}  // namespace strata
