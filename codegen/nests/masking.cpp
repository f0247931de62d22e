#include "codegen/nests/masking.h"

#include <algorithm>

namespace strata {

namespace {

bool has_access(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& inside) { found = found || inside.op() == Op::access; });
  return found;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

// AVX, the only vectors of 256 bits without all masks, has masked loads.
Masks masks_of(const Machine& machine) {
  if (machine.masks) return Masks::all;
  return machine.vector_bits >= 256 ? Masks::loads : Masks::none;
}

bool can_be_masked(const TimeBranch& branch, Masks masks) {
  bool wide = bytes(branch.definition->type) >= 4;
  for_each_expression(*branch.definition, [&](const Expr& value) {
    visit(value, [&](const Expr& e) {
      if (e.op() == Op::access) wide = wide && bytes(e.type()) >= 4;
    });
  });
  return masks == Masks::all || (masks == Masks::loads && wide);
}

bool updates_in_place(const TimeBranch& branch) {
  const Definition& d = *branch.definition;
  const bool own = std::any_of(branch.loops.begin(), branch.loops.end(), [&](const Loop* loop) {
    return contains(loop->allocations, d.array);
  });
  return !own && (d.reduction || contains(d.accessed, d.array));
}

bool reads_at_data(const TimeBranch& branch) {
  bool found = false;
  for_each_expression(*branch.definition, [&](const Expr& value) {
    visit(value, [&](const Expr& e) {
      if (e.op() != Op::access) return;
      for (const Expr& index : e.args()) found = found || has_access(index);
    });
  });
  return found;
}

}  // namespace strata
