#include "codegen/loops/lanes.h"

#include <algorithm>

#include "codegen/tree/operations.h"

namespace strata {

void LanesAround::enter(const Nest& nest, const std::string& variable, bool masked) {
  around_.push_back({&nest, variable, masked, true});
}

bool LanesAround::leave() {
  const bool lockstep = around_.back().lockstep;
  around_.pop_back();
  return lockstep;
}

void LanesAround::keep_apart(const Expr& e, const Nest& nest) {
  for (Lanes& lanes : around_)
    if (lanes.nest != &nest && depends_on(e, lanes.variable)) lanes.lockstep = false;
}

bool LanesAround::distinguish(const Expr& e) const {
  return std::any_of(around_.begin(), around_.end(),
                     [&](const Lanes& lanes) { return depends_on(e, lanes.variable); });
}

std::vector<int> LanesAround::masked() const {
  std::vector<int> depths;
  for (const Lanes& lanes : around_)
    if (lanes.masked) depths.push_back(lanes.nest->depth);
  return depths;
}

}  // namespace strata
