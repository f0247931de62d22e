// What the builders of layer I share.
#pragma once

#include "core/sets/naming.h"
#include "layers/affine/affine.h"
#include "layers/affine/exact.h"
#include "layers/build/build.h"
#include "layers/build/meaning.h"

namespace strata {

Program with_algorithm(const Program& program, Algorithm algorithm);

// A new array whose values get a buffer of its name: E0104 where one of the two is taken, E0105.
void require_new_array(const Program& program, const std::string& name, const Request& request);

// What is affine of a condition, as a set and as it was written, and the rest; or undefined Exprs.
struct SplitCondition {
  isl::set affine;
  Expr exact, rest;
};
SplitCondition split_condition(const Expr& condition, const Scope& scope);

// Notes in "needed" for which parameters "uses", of which a relation "made" of the definition was
// made, are exact in "where" (layers/affine/exact.h).  E0111 where there are none.
void note_exact(ExactRange& needed, const Definition& d, const std::vector<ExactUse>& uses,
                const isl::set& where, const isl::set& made, const Request& request);
// The algorithm assumes that the parameters are such, and checks it at the kernel's entry.
void assume_exact(Algorithm& algorithm, const ExactRange& needed);

// The results of { S[r, k] : .. }, where r are the first "results" dimensions: { name[r] : .. }.
isl::set results_of(const isl::set& instances, unsigned results, const std::string& name);

// ---- reductions, from "result", which holds the iterators, domain and element of the results ----

// The definition that gives each result its identity.
Definition initial_of(const Definition& result, const std::vector<Expr>& identities);
// The contributions: one more iterator for each reduced one.
//   D = { S[r, k] : S[r] in the results' domain and k in its range }
// Their ranges are noted in "needed" (note_exact).
// E0104 and E0105 the reduced iterators, E0101, E0111 and E0112 their ranges.
Definition contributions_of(const Program& program, const Definition& result,
                            const Meaning& meaning, ExactRange& needed, const Request& request);

// { S[i] -> [i] } on the definition's domain.
Branch identity_branch(const Definition& d);
// Sequential loops of these names.
std::vector<Loop> sequential_loops(const std::vector<std::string>& names);

// The definition of the name, which there is, and its place among the others.
std::vector<Definition>::iterator place_of(Algorithm& algorithm, const std::string& definition);

// Each iteration of the loop gets the buffer for itself, unless it runs in lanes or there is no loop.
void allocate_in(Mapping& mapping, const Path& loop, const std::string& buffer);

}  // namespace strata
