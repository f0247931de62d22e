#include "layers/layout.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/set.h>

#include <algorithm>

#include "layers/affine/affine.h"

namespace strata {

const LayoutBuffer* Layout::find(const std::string& name) const {
  auto found = std::find_if(buffers.begin(), buffers.end(),
                            [&](const LayoutBuffer& b) { return b.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

std::optional<isl::set> box_of(isl::ctx ctx, const std::string& name,
                               const std::vector<Expr>& extents) {
  const IteratorScope scope = scope_of(ctx, name, std::vector<std::string>(extents.size()));
  isl::set box = scope.space.universe_set();
  for (unsigned d = 0; d < extents.size(); ++d) {
    const auto extent = affine(extents[d], scope);
    if (!extent) return std::nullopt;
    box = isl::manage(isl_set_lower_bound_si(box.release(), isl_dim_set, d, 0));
    const auto index = isl::manage(
        isl_pw_aff_var_on_domain(isl_local_space_from_space(scope.space.copy()), isl_dim_set, d));
    box = box.intersect(index.lt_set(*extent));
  }
  return box;
}

std::string buffer_of(const Layout& layout, const std::string& array) {
  const auto store = layout.store.find(array);
  return store == layout.store.end() ? array : isl::map(store->second).range_tuple_id().name();
}

std::vector<std::string> arrays_in(const Layout& layout, const std::string& buffer) {
  std::vector<std::string> arrays;
  for (const auto& [array, access] : layout.store)
    if (buffer_of(layout, array) == buffer) arrays.push_back(array);
  return arrays;
}

bool has_own_buffer(const Layout& layout, const std::string& array) {
  return !layout.store.count(array) || arrays_in(layout, buffer_of(layout, array)).size() == 1;
}

bool is_output(const Layout& layout, const Algorithm& algorithm, const std::string& array) {
  if (!layout.store.count(array)) return false;
  std::vector<std::string> buffers{buffer_of(layout, array)};
  for (const Component& c : algorithm.components_of(array)) buffers.push_back(c.name);
  return std::any_of(buffers.begin(), buffers.end(), [&](const std::string& name) {
    const LayoutBuffer* buffer = layout.find(name);
    return buffer && buffer->role != BufferRole::temporary;
  });
}

}  // namespace strata
