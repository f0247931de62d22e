#include "codegen/halide/passes/passes.h"

#include <map>
#include <ostream>

#include "codegen/halide/arithmetic/large_values.h"
#include "codegen/halide/arithmetic/math_functions.h"
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
HStmt interleaved(const HStmt& s) { return outside_launches(s, hi::rewrite_interleavings); }
HStmt with_staged_strides(const HStmt& s) { return outside_launches(s, hi::stage_strided_loads); }
HStmt with_flat_ramps(const HStmt& s) { return hi::flatten_nested_ramps(s); }
HStmt without_dead_allocations(const HStmt& s) { return hi::remove_dead_allocations(s); }
HStmt hoisted(const HStmt& s) { return with_pinned_calls(s, hi::hoist_loop_invariant_values); }
HStmt with_hoisted_conditions(const HStmt& s) {
  return with_pinned_calls(with_pinned_allocations(s), hi::hoist_loop_invariant_if_statements);
}
HStmt with_shared_values(const HStmt& s) { return hi::common_subexpression_elimination(s); }
HStmt with_intrinsics(const HStmt& s) { return hi::find_intrinsics(s); }

// Each stage leaves canonical names, so that what it does depends on the statement alone.
Stage<HStmt> stage(const char* name, HStmt (*pass)(const HStmt&), const char* why, bool optional) {
  return {name, [pass](const HStmt& s) { return with_canonical_names(pass(s)); }, why, optional};
}

}  // namespace

const std::vector<Stage<HStmt>>& passes() {
  constexpr bool optional = true, required = false;
  static const std::vector<Stage<HStmt>> table = {
      stage("share large values", with_large_values_shared,
            "first, since other passes take time for everything that is written out", required),
      stage("simplify", simplified,
            "extents and indices become constants where they can, which unrolling and vectors need",
            required),
      stage("turns", with_turns, "the loops that it makes are unrolled next", optional),
      stage("unroll", unrolled,
            "before vectors, so that a vector loop around an unrolled one has no loop inside",
            required),
      stage("nest conditions", with_nested_conditions,
            "once the guards of unrolled loops stand side by side", optional),
      stage("vectorize", vectorized, "loops become lanes; conditions on lanes become predicates",
            required),
      stage("remove hints", without_hints,
            "the vectorizer marks likely conditions for a partition of loops, which the loop tree "
            "contains already",
            required),
      stage("simplify vectors", simplified,
            "indices of vectors become ramps: dense loads and stores", optional),
      stage("constant floats", with_constant_floats,
            "once iterators that were unrolled are constants, before values get names", optional),
      stage("interleave", interleaved,
            "strided accesses side by side become dense ones and shuffles; it looks for ramps",
            optional),
      stage("simplify interleaving", simplified, "cleans up after the rewriting", optional),
      stage("stage strides", with_staged_strides,
            "strided loads become dense ones and shuffles, as far as what lies between is read "
            "anyway; "
            "before indices are shared, as it compares them",
            optional),
      stage("share", with_shared_values, "index arithmetic repeated by unrolling is named once",
            optional),
      stage(
          "flatten ramps", with_flat_ramps,
          "ramps of ramps come from vectors in unrolled loops; the code generator knows flat ones",
          optional),
      stage("remove dead allocations", without_dead_allocations,
            "temporaries whose accesses were all simplified away", optional),
      stage("free early", with_early_frees,
            "after the pass before, which assumes that freed memory is dead", required),
      stage("simplify again", simplified, "the last chance before values are moved", optional),
      stage("hoist values", hoisted, "values that do not change in a loop are computed before it",
            optional),
      stage("hoist conditions", with_hoisted_conditions,
            "conditions that do not change in a loop are evaluated before it", optional),
      stage("find intrinsics", with_intrinsics,
            "after the simplifier, which undoes the shifts that it makes of divisions", optional),
      stage("short quotients", with_short_quotients,
            "after the simplifier, which would undo the conversions", optional),
      stage("vector math", with_vector_math,
            "once all vectors are made; no pass moves what becomes loads and stores", required),
      stage("alignments", with_alignments, "once places are what they will be", optional),
      stage("define deciding lanes", with_deciding_lanes_defined,
            "after the simplifier, which knows that lanes that are off do not matter", required),
      stage("split off last lanes", with_last_lanes_apart,
            "once masks and ramps are what they will be", required),
      stage("name negative places", with_negative_places_named,
            "after the simplifier, which would write the constants in again", required),
      stage("own stack memory", with_own_stack_memory,
            "once no pass looks for allocations, for LLVM to keep them in registers", optional),
      stage("no wide switches", without_wide_switches,
            "last, since the simplifier turns the conditions back into equalities", required),
  };
  return table;
}

Watch<HStmt> watch_of_statements(const std::string& kernel) {
  return {[](const HStmt& s, std::ostream& out) { out << s << "\n"; },
          [kernel](const HStmt& s, const std::string& stage) { verify(s, kernel, stage); }};
}

HStmt lower(HStmt statement, const std::string& kernel, StageRun& stages) {
  return stages.run("machine code", passes(), std::move(statement), watch_of_statements(kernel));
}

}  // namespace strata::halide
