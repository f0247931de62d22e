// Layer I: what is computed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"
#include "core/shared_list.h"
#include "layers/mapping.h"

namespace strata {

// An input of the kernel. Its elements are instances that precede all others.
struct InputArray {
  std::string name;
  Type type;
  InstanceSet domain;     // { in[i, j] : 0 <= i < N and .. }: the elements that exist
  bool by_value = false;  // a scalar, of no dimensions: an argument by value, not in a buffer
};

// What the instances of a definition read from one producer.
struct Read {
  std::string producer;   // a Definition or an InputArray
  ReadRelation relation;  // { S[i] -> P[j] : instance S[i] needs the value of P[j] }
  bool may = false;       // over-approximated: the index or the condition is not affine
};

// How contributions are combined into a result.
struct ReductionRule {
  std::optional<Reduction> kind;  // empty: user-defined, in "steps"
  std::string initial;            // the Definition that sets each result to the identity
  int results;  // the first "results" iterators are the result's, the others are reduced
  // Each scalar of a (+) b, over the operands of core/expr/tuple.h.
  std::vector<Expr> steps = {};
};

// A further scalar of an array of tuples: an instance computes all scalars at once. It is read by
// its own name and stored in a buffer of that name, at the places of the array (layers/layout.h).
struct Component {
  std::string name;
  Type type;
  Expr value;
};

// One definition of (part of) an array of values. Most arrays have one; an update adds another.
//
// Rules (R101, R103, R105 to R107 in layers/verify/verify_algorithm.h, R102 in
// layers/define/build.h, R104 in layers/flow/reads.h):
//  R101 names are distinct identifiers
//  R102 the domain's tuple has the names of the definition and of its iterators
//  R103 instances of one definition define distinct values, except in reductions and updates: an
//       update may redefine an element many times, each instance producing a value of its own
//  R104 every read is in the producer's domain
//  R105 every iterator and parameter in "value" is known, every access names an existing array and
//       has its type, and no node was made by a handle of another function
//  R106 the reference order runs every read after the value it needs
//  R107 an atomic definition is a reduction, or an update that is a step of one
//       (layers/flow/atomic_step.h)
struct Definition {
  std::string name;   // its instances' tuple: "X", "X_1" for the first update, "X_init"
  std::string array;  // what readers call it: "X"
  Type type;
  std::vector<std::string> iterators;  // of a reduction: its result's, then the reduced ones
  InstanceSet domain;                  // { S[i] : .. }
  // { S[i] -> X[e] : S[i] defines (or contributes to) the value X(e) }; for a scatter, every value
  // that it may redefine.
  ValueRelation defines;
  std::vector<Expr> element;  // for a scatter: the indices of the element it redefines; else empty
  // Over iterators, parameters and accesses; for a reduction, one contribution. Undefined while
  // the computation is only declared.
  Expr value;
  std::vector<Component> others = {};  // further scalars of a tuple; the first is above
  // Where it is false the instance does nothing: an update keeps the old value, a contribution adds
  // nothing. Undefined: always true.
  Expr predicate;
  std::optional<ReductionRule> reduction;
  bool inferred = false;  // the domain is inferred from the readers, inside given_ranges
  std::optional<isl::set> given_ranges;
  bool is_initial = false;  // the initial values of a reduction, which are scheduled with it
  // Each contribution, or each instance of the update, reads and writes its place in one
  // indivisible step.
  bool is_atomic = false;
  // Derived from its expressions by derive() (layers/define/derive.h): what it reads, by exact
  // dataflow where arrays are updated, and the names of the arrays and inputs that it accesses.
  std::vector<Read> reads;
  std::vector<std::string> accessed = {};
};

using Definitions = SharedList<Definition>;

// A parameter that the kernel reads from an input instead of taking it as an argument.
struct SizeParameter {
  std::string name;
  Expr element;  // an access of an integer input, at indices over earlier parameters
};

// How ranks share the numbers 0 <= i < size: rank r has those in [c_r, c_(r+1)), for cuts
// 0 = c_0 <= c_1 <= .. <= c_P = size that are known when the kernel is called.
struct RankPartition {
  std::string name;
  Expr size;  // affine in the parameters
};

// Calls "visitor" on each expression of the definition, values first.
void for_each_expression(const Definition& definition,
                         const std::function<void(const Expr&)>& visitor);
// Replaces each expression e by edit(e).
void edit_expressions(Definition& definition, const std::function<Expr(const Expr&)>& edit);

// What the reads and the inferred domains of an algorithm were derived from
// (layers/define/derive.h).
struct Derived;

struct Algorithm {
  Owner owner;                          // of the handles; null for a parsed program
  std::vector<std::string> parameters;  // in order of declaration
  std::vector<SizeParameter> sizes;     // the parameters that are read from inputs
  Context context;                      // the parameter values that are possible
  std::vector<Expr> assumed;            // f.assume(..): part of the context, checked at entry
  std::vector<InputArray> inputs;
  std::vector<RankPartition> partitions = {};
  Definitions definitions;  // in the order of definition
  // Theta0: the order of definition, where f.loop(k, ..) shares loop k. It gives updates their
  // meaning; reference_order() below returns it as relations.
  Mapping reference;
  std::shared_ptr<const Derived> derived = nullptr;  // null: nothing is derived yet

  const Definition* find(const std::string& definition) const;
  // The definition of this name, which must exist, for writing (SharedList::edit).
  Definition& edit(const std::string& definition);
  const InputArray* find_input(const std::string& name) const;
  const RankPartition* find_partition(const std::string& name) const;
  // Is it an input that is passed by value?
  bool is_scalar(const std::string& name) const;
  // The array that a name in an expression refers to: itself, or the array whose tuples contain it.
  std::string array_of(const std::string& name) const;
  // The array or input whose value the read needs.
  std::string array_read(const Read& read) const;
  // The further scalars of an array of tuples; empty for other arrays.
  const std::vector<Component>& components_of(const std::string& array) const;
  // All definitions of an array, in order of definition.
  std::vector<const Definition*> definitions_of(const std::string& array) const;
};

// Theta0 of each definition, in 2d+1 form, not padded: { S[i] -> [b0, t0, b1, ..] }.
std::map<std::string, TimeMap> reference_order(const Algorithm& algorithm);

// The values of all scalars of one instance, or contribution.
std::vector<Expr> values_of(const Definition& definition);

// One step of a reduction: the scalars "before" combined with those of a contribution.
std::vector<Expr> combined(const ReductionRule& rule, const std::vector<Expr>& before,
                           const std::vector<Expr>& contribution);

// { S[i, k] -> S_init[i] }: the result that each contribution of a reduction belongs to.
isl::map result_of(const Definition& reduction);

}  // namespace strata
