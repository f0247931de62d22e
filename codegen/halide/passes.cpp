#include "codegen/halide/passes.h"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>

#include "codegen/halide/verify.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// A condition that is the whole body of an allocation would be hoisted out of it: the pointer, made
// before the allocation, would be freed only where the condition holds.  A body that ends in a
// statement of its own is no condition.
class PinnedAllocations : public hi::IRMutator {
  using hi::IRMutator::visit;
  HStmt visit(const hi::Allocate* op) override {
    const HStmt inside = hi::IRMutator::visit(op);
    const auto* allocation = inside.as<hi::Allocate>();
    if (!allocation->new_expr.defined()) return inside;
    return hi::Allocate::make(allocation->name, allocation->type, allocation->memory_type,
                              allocation->extents, allocation->condition,
                              hi::Block::make(allocation->body, hi::Evaluate::make(0)),
                              allocation->new_expr, allocation->free_function, allocation->padding);
  }
};

constexpr int most_nodes = 3000;

// Stops counting where an expression, written out, is large.
class Nodes : public hi::IRMutator {
 public:
  using hi::IRMutator::mutate;
  HExpr mutate(const HExpr& e) override {
    return ++count_ > most_nodes ? e : hi::IRMutator::mutate(e);
  }
  bool too_many() const { return count_ > most_nodes; }

 private:
  int count_ = 0;
};

// Conditions stand around each load inside of them, so data under data in conditions on data share
// most of what they are, and Halide's passes write out what is shared.
class LargeValues : public hi::IRMutator {
 public:
  using hi::IRMutator::mutate;
  HExpr mutate(const HExpr& e) override {
    Nodes nodes;
    nodes.mutate(e);
    return nodes.too_many() ? hi::common_subexpression_elimination(e) : e;
  }
};

// Halide 21 gives a load as many lanes as its index has, and fails where its predicate has more.
// There the index takes the loops' variables along, as v - v, which the simplifier removes once there
// are vectors.
class IndicesInLanes : public hi::IRMutator {
  using hi::IRMutator::visit;

  HStmt visit(const hi::For* op) override {
    if (op->for_type != hi::ForType::Vectorized) return hi::IRMutator::visit(op);
    const hi::ScopedBinding<> lanes(differ_, op->name);
    lanes_.push_back(hi::Variable::make(Halide::Int(32), op->name));
    const HStmt result = hi::IRMutator::visit(op);
    lanes_.pop_back();
    return result;
  }
  HExpr visit(const hi::Let* op) override { return visit_let(op); }
  HStmt visit(const hi::LetStmt* op) override { return visit_let(op); }

  template <typename Let>
  auto visit_let(const Let* op) -> decltype(op->body) {
    const hi::ScopedBinding<> lanes(differs(op->value), differ_, op->name);
    return hi::IRMutator::visit(op);
  }

  HExpr visit(const hi::Load* op) override {
    const HExpr inside = hi::IRMutator::visit(op);
    const auto* load = inside.as<hi::Load>();
    if (!differs(load->predicate) || differs(load->index)) return inside;
    HExpr index = load->index;
    for (const HExpr& lane : lanes_) {
      const HExpr v = hi::Cast::make(index.type(), lane);
      index = hi::Add::make(index, hi::Sub::make(v, v));
    }
    return hi::Load::make(load->type, load->name, index, load->image, load->param, load->predicate,
                          load->alignment);
  }

  bool differs(const HExpr& e) const { return !lanes_.empty() && hi::expr_uses_vars(e, differ_); }

  hi::Scope<> differ_;  // from lane to lane
  std::vector<HExpr> lanes_;
};

HStmt with_large_values_shared(const HStmt& s) { return LargeValues().mutate(s); }
HStmt simplified(const HStmt& s) { return hi::simplify(s); }
HStmt unrolled(const HStmt& s) { return hi::unroll_loops(s); }
HStmt vectorized(const HStmt& s) {
  return hi::vectorize_loops(IndicesInLanes().mutate(s),
                             std::map<std::string, hi::Function>());
}
HStmt without_hints(const HStmt& s) { return hi::remove_likelies(s); }
HStmt interleaved(const HStmt& s) { return hi::rewrite_interleavings(s); }
HStmt with_staged_strides(const HStmt& s) { return hi::stage_strided_loads(s); }
HStmt with_flat_ramps(const HStmt& s) { return hi::flatten_nested_ramps(s); }
HStmt without_dead_allocations(const HStmt& s) { return hi::remove_dead_allocations(s); }
HStmt hoisted(const HStmt& s) { return hi::hoist_loop_invariant_values(s); }
HStmt with_hoisted_conditions(const HStmt& s) {
  return hi::hoist_loop_invariant_if_statements(PinnedAllocations().mutate(s));
}
HStmt with_shared_values(const HStmt& s) { return hi::common_subexpression_elimination(s); }
HStmt with_intrinsics(const HStmt& s) { return hi::find_intrinsics(s); }

bool asked_for(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string(value) != "0";
}

bool is_dumped(const std::string& pass) {
  const char* wanted = std::getenv("STRATA_DUMP");
  return wanted && (pass == wanted || std::string(wanted) == "all");
}

void report(const std::string& kernel, const std::string& pass, const HStmt& s, double seconds) {
  if (asked_for("STRATA_TIME"))
    std::cerr << kernel << ": " << pass << ": " << seconds * 1e3 << " ms\n";
  if (is_dumped(pass)) std::cerr << "---- " << kernel << " after " << pass << "\n" << s << "\n";
  if (asked_for("STRATA_VERIFY")) verify(s, kernel, pass);
}

}  // namespace

const std::vector<Pass>& passes() {
  static const std::vector<Pass> table = {
      {"share large values", with_large_values_shared,
       "first, since other passes take time for everything that is written out"},
      {"simplify", simplified,
       "extents and indices become constants where they can, which unrolling and vectors need"},
      {"unroll", unrolled,
       "before vectors, so that a vector loop around an unrolled one has no loop inside"},
      {"vectorize", vectorized, "loops become lanes; conditions on lanes become predicates"},
      {"remove hints", without_hints,
       "the vectorizer marks likely conditions for a partition of loops, which the loop tree has "
       "made already"},
      {"simplify vectors", simplified, "indices of vectors become ramps: dense loads and stores"},
      {"interleave", interleaved,
       "strided accesses side by side become dense ones and shuffles; it looks for ramps"},
      {"simplify interleaving", simplified, "cleans up after the rewriting"},
      {"stage strides", with_staged_strides,
       "strided loads become dense ones and shuffles, as far as what lies between is read anyway; "
       "before indices are shared, as it compares them"},
      {"share", with_shared_values, "index arithmetic repeated by unrolling is named once"},
      {"flatten ramps", with_flat_ramps,
       "ramps of ramps come from vectors in unrolled loops; the code generator knows flat ones"},
      {"remove dead allocations", without_dead_allocations,
       "temporaries whose accesses were all simplified away"},
      {"narrow lifetimes", with_narrow_lifetimes,
       "after the pass before, which takes what is freed for dead; and before conditions are "
       "hoisted, while temporaries still stand around whole statements"},
      {"simplify again", simplified, "the last chance before values are moved"},
      {"hoist values", hoisted, "what does not change in a loop is computed before it"},
      {"hoist conditions", with_hoisted_conditions, "and so is what is asked"},
      {"find intrinsics", with_intrinsics,
       "after the simplifier, which undoes the shifts that it makes of divisions"},
      {"no wide switches", without_wide_switches,
       "last, since the simplifier turns the conditions back into equalities"},
  };
  return table;
}

HStmt lower(HStmt statement, const std::string& kernel) {
  report(kernel, "emit", statement, 0);
  for (const Pass& pass : passes()) {
    const auto start = std::chrono::steady_clock::now();
    statement = with_canonical_names(pass.run(statement));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    report(kernel, pass.name, statement, seconds.count());
  }
  return statement;
}

}  // namespace strata::halide
