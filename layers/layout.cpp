#include "layers/layout.h"

#include <algorithm>

namespace strata {

const Buffer* Layout::find(const std::string& name) const {
  auto found = std::find_if(buffers.begin(), buffers.end(),
                            [&](const Buffer& b) { return b.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

}  // namespace strata
