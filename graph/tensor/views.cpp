#include "graph/tensor/views.h"

#include "core/expr/expr_parts.h"
#include "graph/dim/dim.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

// The tensor whose elements the operation puts elsewhere; undefined for other operations.
Tensor moved_by(const Operation& op) {
  if (!op.computed() || op.body().size() != 1 || op.body()[0].op() != Op::access) return {};
  return tensor_of(op.body()[0]);
}

// Does the operation put elements of an argument elsewhere, itself or through those that it reads?
// Views alone do not.
bool copies_argument(Tensor t) {
  bool copies = false;
  while (t.defined() && !t.op().is_placeholder()) {
    copies |= t.op().computed() && !t.op().computed()->is_view;
    t = moved_by(t.op());
  }
  return t.defined() && copies;
}

// Has some part of the indices that the operation reads at this property?
bool some_index(const Operation& op, bool (*has)(const Expr&)) {
  bool found = false;
  for (const Expr& index : op.body()[0].args())
    visit(index, [&](const Expr& part) { found = found || has(part); });
  return found;
}

bool is_quotient(const Expr& e) { return e.op() == Op::div || e.op() == Op::mod; }

}  // namespace

bool reads_copy(const Operation& view) {
  if (!view.computed() || !view.computed()->is_view) return false;
  return copies_argument(moved_by(view)) && !some_index(view, is_quotient);
}

bool wants_number(const Expr& e) {
  switch (e.op()) {
    case Op::mul: return !free_variables(e).empty() && !symbols_of(e).empty();
    case Op::div:
    case Op::mod: return !symbols_of(e.args()[1]).empty();
    case Op::min:
    case Op::max: return !symbols_of(e).empty();
    default: return false;
  }
}

bool is_in_kernel(const Operation& op) {
  if (!op.computed() || !op.computed()->is_view) return op.computed() != nullptr;
  return reads_copy(op) && !some_index(op, wants_number);
}

}  // namespace strata::graph
