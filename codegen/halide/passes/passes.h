// The lowering of a kernel's body, as one table of passes.
//
// STRATA_VERIFY=1 checks the statement after each pass (verify.h).
#pragma once

#include <vector>

#include "codegen/halide/arithmetic/values.h"
#include "core/stage.h"

namespace strata::halide {

const std::vector<Stage<HStmt>>& passes();

// Prints a statement, and verifies it.
Watch<HStmt> watch_of_statements(const std::string& kernel);

// Runs all passes.
HStmt lower(HStmt statement, const std::string& kernel, StageRun& stages);

// Halide 21 gives a load as many lanes as its index has, and fails if its predicate has more. To
// such an index this adds v - v for each vector loop over v around; the simplifier removes it once
// there are vectors.
HStmt with_indices_in_lanes(const HStmt& statement);

// If the whole body of an allocation is a condition, Halide hoists the condition out of the
// allocation. The pointer, which is made before the allocation, would then be freed only if the
// condition holds. So the body of an allocation gets a further statement at its end. Then nothing
// is hoisted.
HStmt with_pinned_allocations(const HStmt& statement);

// Runs "pass", which hoists what is pure, but not calls of functions that only a device has:
// hoisted out of a launch, they would be calls of the host.
HStmt with_pinned_calls(const HStmt& statement, HStmt (*pass)(HStmt));

// Replaces each freed_early (codegen/halide/arithmetic/values.h) by Halide's Free.
HStmt with_early_frees(const HStmt& statement);

//     if (a) S; if (b) T; if (c) U   ~>   if (a) { S; if (b) { T; if (c) U } }
//
// where c implies b and b implies a, as for the rows of a register tile that the boundary cuts.
// What the first row loads is then available to the others, and nothing is tested after a row that
// does not run.
HStmt with_nested_conditions(const HStmt& statement);

//     if (a == 1) .. else if (a == 2) ..   ~>   if (!(a != 1)) .. else if (!(a != 2)) ..
// for 64-bit a. Halide 21 turns the former into a switch with 32-bit cases, which LLVM rejects.
HStmt without_wide_switches(const HStmt& statement);

// Runs "pass" on what is outside of launches. For passes that make vectors of other lengths, which
// devices may not have.
HStmt outside_launches(const HStmt& statement, HStmt (*pass)(const HStmt&));

// Evaluates strict arithmetic on constants, and in vector loops of the mode fast also math
// functions of constants. Unrolling turns iterators into such constants.
HStmt with_constant_floats(const HStmt& statement);

// Gives the loads and stores of launches the alignment of their places, in elements, as far as it
// follows from the names bound around: devices have accesses of 128 bits only at aligned places.
// Accesses of the CPU are left as they are, since the arrays of callers begin anywhere.
HStmt with_alignments(const HStmt& statement);

//     for s in 0 .. n: B   ~>   for t in 0 .. n / R: unrolled for s' in 0 .. R: B at s = R t + s'
//
// for the innermost loops of launches that divide by constants, if after R <= 16 steps each
// quotient has moved by a constant a. The quotient becomes  (e / c at s') + a t, and its first part
// is the same in each turn t. Cooperative copies in many steps have such loops.
HStmt with_turns(const HStmt& statement);

//     e / c   ~>   int64(uint32(e + k c) / c) - k,     e % c   ~>   int64(uint32(e + k c) % c)
// in launches, if the ranges of the loops around say that 0 <= e + k c < 2^32. Quotients by powers
// of two are shifts, and stay. Devices have no division of 64 bits, and a product of 64 bits takes
// four of their products.
HStmt with_short_quotients(const HStmt& statement);

//     (b[ramp(e, 1, 8)] if c) > 0   ~>   select(c, b[ramp(e, 1, 8)] if c, 0) > 0
// Lanes of LLVM's masked loads that are off are poison, and so is  poison && false. So in
// conditions and divisors such lanes become 0. Elsewhere nothing depends on them.
HStmt with_deciding_lanes_defined(const HStmt& statement);

//     b[ramp(e, 1, 9)] if c   ~>   concat(b[ramp(e, 1, 8)] if c[0 .. 8], b[e + 8] if c[8])
// for 9 lanes of 64 bits, and for all other numbers of lanes that are some whole native vectors and
// one lane. In launches of CUDA native vectors have 64 bits. For the single lane Halide 21 gives
// LLVM a masked access with a scalar mask, on which LLVM asserts.
HStmt with_last_lanes_apart(const HStmt& statement);

//     b[ramp(-4, 1, 8)] if c   ~>   let t = -4 in b[ramp(t, 1, 8)] if c
// Lanes that are off may be outside of the buffer, but Halide 21 asserts that constant places are
// not negative.
HStmt with_negative_places_named(const HStmt& statement);

//     allocate b[double * 192] on the stack: S   ~>   let b = alloca(1536) in S
// for small b on the host. Halide gives memory that one nest no longer uses to the next one. LLVM
// keeps such memory in registers only if no nest indexes it by a variable or stores it by a mask,
// as the tile at a border does. So each nest gets memory of its own.
HStmt with_own_stack_memory(const HStmt& statement);

// Renames every name that Halide generated (t12, b$3) to one that depends on the statement alone,
// so that the same kernel gives the same code whatever was compiled before.
HStmt with_canonical_names(const HStmt& statement);

}  // namespace strata::halide
