#include "layers/layout.h"

#include <algorithm>

namespace strata {

const LayoutBuffer* Layout::find(const std::string& name) const {
  auto found = std::find_if(buffers.begin(), buffers.end(),
                            [&](const LayoutBuffer& b) { return b.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

std::string buffer_of(const Layout& layout, const std::string& array) {
  const auto store = layout.store.find(array);
  return store == layout.store.end() ? array : isl::map(store->second).range_tuple_id().name();
}

}  // namespace strata
