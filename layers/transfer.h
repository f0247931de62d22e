// Copies of whole buffers between the memory of the host and that of a GPU.
#pragma once

#include <string>

namespace strata {

enum class Transfer { to_device, to_host };

// "to_device" or "to_host".
std::string to_string(Transfer direction);

// A copy that the author asks for, of the buffer of an array: to the device when the kernel, or an
// iteration of a loop, begins, or to the host when it ends. It replaces those in this direction
// that would be derived (layers/flow/coherence.h).
struct GivenCopy {
  Transfer direction;
  std::string array;

  bool operator==(const GivenCopy&) const = default;
};

}  // namespace strata
