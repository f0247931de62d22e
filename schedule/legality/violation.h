// What the questions of legality answer: nothing, or a violation.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Pairs of instances that a program treats wrongly.  The witness is found only when asked for:
// asking whether a program is legal is cheap and throws nothing.
struct Violation {
  Code code;
  isl::map pairs;           // { source -> sink }: every pair
  std::string explanation;  // when the command has no better words
  std::string mend;
  std::vector<std::string> story;  // of a pair's executions, {0} and {1}
  isl::union_map theta;            // where instances run, for the witness
  std::optional<isl::map> places = {};  // { source -> b[e] }: where they meet
  bool may = false;  // the pairs are more than there are: an access or condition is not affine
  // Of a value overwritten: { source -> W[w] } and { sink -> W[w] }; what destroys a pair's value
  // is in both images.
  std::optional<isl::map> overwrites = {}, before_reader = {};
  bool of_instances = true;  // false: a loop is to blame, and no pairs
};

// Called for each violation; returns whether to look for more.
using Found = std::function<bool(Violation)>;

// Nothing where instances are not to blame.
std::optional<Witness> witness_of(const Violation& violation, const Algorithm& algorithm);

}  // namespace strata
