// What rules see of a program: its computations, their loops, accesses and readers.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "automatic/facts/statements.h"

namespace strata::automatic {

// A computation that a rule may schedule: one branch, in one loop for each iterator, in their
// order, as its definition made them.
struct Member {
  std::string name;
  const Definition* definition = nullptr;
  Statement statement;      // accesses of elements; loop l is iterator l
  std::size_t results = 0;  // the loops over its results; the others are over contributions
  bool is_pure = true;      // no update, and does not read itself: no loop over results carries
  std::size_t shared = 0;   // the loops that others share, as f.loop makes them
  bool is_output = false;   // no computation reads it, or its buffer is an argument
  std::vector<std::string> readers = {};  // the computations that read its array, in order

  bool shares_loops() const { return shared > 0; }
  const std::string& iterator(std::size_t loop) const { return definition->iterators[loop]; }
  const std::string& array() const { return definition->array; }
  std::int64_t count(std::size_t loop) const { return statement.counts[loop]; }
  bool is_sum() const { return definition->reduction.has_value(); }
  // A sum whose contributions may be added in parts: of a known kind, and in no atomic steps.
  bool adds_in_parts() const {
    return is_sum() && definition->reduction->kind && !definition->is_atomic;
  }
  std::vector<const Access*> reads() const;
  std::vector<const Access*> reads_of(const std::string& array) const;
  // Has some read, in the lanes of the loop, elements that are neither adjacent nor equal?
  bool gathers_along(std::size_t loop) const;
  // Are all indices functions of iterators and parameters?
  bool has_known_reads() const;
};

// A computation that no rule may touch, and why.
struct Untouchable {
  std::string name, reason;
};

struct Facts {
  Values sizes;
  std::vector<Member> members;  // in the order of definition
  std::vector<Untouchable> others;

  const Member* find(const std::string& name) const;
  // The members in loops of their own that are not in "taken". The members in loops that they
  // share.
  std::vector<const Member*> without(const std::set<std::string>& taken) const;
  std::vector<const Member*> sharing_loops() const;
};

// "leave" are computations that stay as they are. "arguments" are buffers whose values the kernel
// keeps, besides those that no computation reads.
Facts facts_of(const Program& program, const Values& sizes, const std::set<std::string>& leave,
               const std::set<std::string>& arguments);

// Does C read P exactly once, at C's first iterators: P[i, j] in C[i, j, ..]?
bool is_pointwise(const Member& producer, const Member& reader);
// The greatest n such that the first n indices of each read of P in C are C's iterators over
// results 0, .., n - 1.
std::size_t shared_rows(const Member& producer, const Member& reader);

// A sum of products. It has two reads, each invariant along a loop over results along which the
// other varies:  { x -> x + e_row } . R_by_column  and  { x -> x + e_column } . R_by_row  change
// nothing. "column" is the last loop over results. A loop of one iteration may be the row.
struct ProductFacts {
  std::size_t row, column;
  const Access* by_row;
  const Access* by_column;
  // What is read by column is in panels of so many columns: [.., floor(j / panel), .., j mod
  // panel]. 0: it is not.
  std::int64_t panel = 0;
};
std::optional<ProductFacts> product_of(const Member& member);

// { S[i0, i1, ..] -> [range] }, where the range are texts of affine functions of i0, i1, ..
isl::map times_at(const Member& member, const std::vector<std::string>& range);
// The names i0, i1, .. of its iterators.
std::vector<std::string> numbered_iterators(const Member& member);
// The condition of a set of instances as isl prints it, in terms of the iterators' names: " : ..",
// or nothing.
std::string condition_text(const Member& member, const isl::set& instances);

// Do instances of the member read each other's values at times that begin with "first" equal ones?
// "times" is { S[i] -> [t] }.
//   { t' - t : S at t' reads a value of S at t }  has an element  (0, .., 0, d),  d != 0
bool is_carried_inside(const Member& member, const isl::map& times, std::size_t first);

// The members in each outermost loop nest, in the order of the nests.
std::vector<std::vector<const Member*>> by_nest(const std::vector<const Member*>& members);

// The sets of members that are connected by reads among them, each in the order of definition.
std::vector<std::vector<const Member*>> connected(const std::vector<const Member*>& members);

}  // namespace strata::automatic
