#include "codegen/passes/calls.h"

#include <algorithm>

#include "codegen/tree/operations.h"

namespace strata {

bool contains(const Calls& calls, const Expr& e) {
  return std::any_of(calls.begin(), calls.end(), [&](const Expr& one) { return same(one, e); });
}

namespace {

// May several executions share this call? A checked index stays where it is, since its check
// reports it there.
bool is_shareable(const Expr& e) {
  if (!is_c_function(e.op()) || takes_arrays(e)) return false;
  bool plain = true, varies = false;
  visit(e, [&](const Expr& part) {
    plain &= part.op() != Op::checked;
    varies |= part.op() == Op::load || part.op() == Op::variable || part.op() == Op::parameter;
  });
  return plain && varies;
}

class Needed {
 public:
  static Calls in(const Execute& s) {
    Needed all;
    if (s.mma) return {};
    all.add(s.value);
    for (const Execute::Other& other : s.others) all.add(other.value);
    return all.calls_;
  }

 private:
  void add(const Expr& e) {
    if (!seen_.insert(e.identity()).second) return;
    if (is_shareable(e) && !contains(calls_, e)) calls_.push_back(e);
    const bool first_decides =
        e.op() == Op::select || e.op() == Op::logical_and || e.op() == Op::logical_or;
    for (const Expr& argument : e.args()) {
      add(argument);
      if (first_decides) return;
    }
  }

  Calls calls_;
  std::set<const ExprNode*> seen_;
};

}  // namespace

Calls needed_calls(const Execute& execute) { return Needed::in(execute); }

std::set<std::string> buffers_read(const Expr& e) {
  std::set<std::string> buffers;
  visit(e, [&](const Expr& part) {
    if (part.op() == Op::load) buffers.insert(part.name());
  });
  return buffers;
}

std::optional<std::set<std::string>> buffers_written(const StmtPtr& s) {
  if (const auto* execute = std::get_if<Execute>(s.get())) {
    std::set<std::string> buffers{execute->buffer};
    for (const Execute::Other& other : execute->others) buffers.insert(other.buffer);
    return buffers;
  }
  if (const auto* freed = std::get_if<Free>(s.get())) return std::set{freed->buffer};
  if (std::holds_alternative<PrefetchBox>(*s)) return std::set<std::string>();
  const bool plain = std::holds_alternative<For>(*s) || std::holds_alternative<If>(*s) ||
                     std::holds_alternative<Block>(*s) || std::holds_alternative<Allocate>(*s);
  if (!plain) return std::nullopt;
  std::optional<std::set<std::string>> all = std::set<std::string>();
  for_each_inside(*s, [&](const StmtPtr& inside) {
    const auto more = buffers_written(inside);
    if (!more || !all) return all.reset();
    all->insert(more->begin(), more->end());
  });
  return all;
}

}  // namespace strata
