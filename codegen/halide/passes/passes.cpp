#include "codegen/halide/passes/passes.h"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>

#include "codegen/halide/arithmetic/large_values.h"
#include "codegen/halide/passes/verify.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

HStmt simplified(const HStmt& s) { return hi::simplify(s); }
HStmt unrolled(const HStmt& s) { return hi::unroll_loops(s); }
HStmt vectorized(const HStmt& s) {
  return hi::vectorize_loops(with_indices_in_lanes(s), std::map<std::string, hi::Function>());
}
HStmt without_hints(const HStmt& s) { return hi::remove_likelies(s); }
HStmt interleaved(const HStmt& s) { return hi::rewrite_interleavings(s); }
HStmt with_staged_strides(const HStmt& s) { return hi::stage_strided_loads(s); }
HStmt with_flat_ramps(const HStmt& s) { return hi::flatten_nested_ramps(s); }
HStmt without_dead_allocations(const HStmt& s) { return hi::remove_dead_allocations(s); }
HStmt hoisted(const HStmt& s) { return hi::hoist_loop_invariant_values(s); }
HStmt with_hoisted_conditions(const HStmt& s) {
  return hi::hoist_loop_invariant_if_statements(with_pinned_allocations(s));
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
