#include "layers/layout.h"

#include <algorithm>

namespace strata {

const LayoutBuffer* Layout::find(const std::string& name) const {
  auto found = std::find_if(buffers.begin(), buffers.end(),
                            [&](const LayoutBuffer& b) { return b.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

}  // namespace strata
