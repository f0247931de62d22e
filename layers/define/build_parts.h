// Shared by the builders of layer I.
#pragma once

#include "core/sets/naming.h"
#include "layers/affine/affine.h"
#include "layers/affine/exact.h"
#include "layers/define/build.h"
#include "layers/define/meaning.h"

namespace strata {

Program with_algorithm(Program program, Algorithm algorithm);

// A new array whose values get a buffer of its name: E0104 if the array or the buffer exists,
// E0105.
void require_new_array(const Program& program, const std::string& name, const Request& request);

// The affine part of a condition, as a set and as an expression, and the rest; undefined Exprs for
// parts that do not exist.
struct SplitCondition {
  isl::set affine;
  Expr exact, rest;
};
SplitCondition split_condition(const Expr& condition, const IteratorScope& scope);

// Merges into "needed" the parameter range in which "uses" are exact in "where"
// (layers/affine/exact.h); "made" is the relation of the definition that was derived from "uses".
// E0111 if there is no such range.
void note_exact(ExactRange& needed, const Definition& d, const std::vector<ExactUse>& uses,
                const isl::set& where, const isl::set& made, const Request& request);
// Adds assumptions that the parameters are in this range, which the kernel checks at entry.
void assume_exact(Algorithm& algorithm, const ExactRange& needed);

// The results of { S[r, k] : .. }, where r are the first "results" dimensions: { name[r] : .. }.
isl::set results_of(const isl::set& instances, unsigned results, const std::string& name);

// ---- reductions, from "result", which holds the iterators, domain and element of the results ----

// The definition that sets each result to its identity.
Definition initial_of(const Definition& result, const std::vector<Expr>& identities);
// The contributions, with one more iterator per reduced one:
//   D = { S[r, k] : S[r] in the results' domain and k in its range }
// Records their ranges in "needed" (note_exact). Errors: E0104 and E0105 for the reduced
// iterators; E0101, E0111 and E0112 for their ranges.
Definition contributions_of(const Program& program, const Definition& result,
                            const Meaning& meaning, ExactRange& needed, const Request& request);

// { S[i] -> [i] } on the definition's domain.
Branch identity_branch(const Definition& d);
// Sequential loops with these names.
std::vector<Loop> sequential_loops(const std::vector<std::string>& names);

// The position of the definition with this name, which must exist.
std::size_t place_of(const Algorithm& algorithm, const std::string& definition);

// Makes the buffer private to each iteration of the loop, unless the path is empty or there is a
// vector loop on it.
void allocate_in(Mapping& mapping, const Path& loop, const std::string& buffer);

}  // namespace strata
