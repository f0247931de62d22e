#include "graph/library/weights.h"

#include <strata/model.h>

#include <cstring>

namespace strata::graph {

Weights weights_of(const std::vector<NDArray>& constants) {
  constexpr std::size_t alignment = 64;
  Weights made{std::string(strata_weights_head, '\0'), {}};
  for (const NDArray& array : constants) {
    made.layout.offsets.push_back(std::int64_t(made.bytes.size()));
    made.bytes.append(reinterpret_cast<const char*>(array.raw()), array.bytes());
    made.bytes.resize((made.bytes.size() + alignment - 1) / alignment * alignment, '\0');
  }
  made.layout.bytes = std::int64_t(made.bytes.size());
  auto* const file = reinterpret_cast<unsigned char*>(made.bytes.data());
  strata_write_weights_head(file, made.layout.bytes);
  made.layout.key = strata_weights_key(file, made.layout.bytes);
  return made;
}

}  // namespace strata::graph
