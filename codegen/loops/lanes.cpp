#include "codegen/loops/lanes.h"

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
    if (lanes.nest != &nest)
      visit(e, [&](const Expr& part) {
        if (part.op() == Op::variable && part.name() == lanes.variable) lanes.lockstep = false;
      });
}

std::vector<int> LanesAround::masked() const {
  std::vector<int> depths;
  for (const Lanes& lanes : around_)
    if (lanes.masked) depths.push_back(lanes.nest->depth);
  return depths;
}

}  // namespace strata
