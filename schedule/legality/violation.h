// The answers of legality questions: violations.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Pairs of instances that a program orders or stores wrongly. The witness is computed only on
// request, so asking whether a program is legal is cheap and throws nothing.
struct Violation {
  Code code;
  isl::map pairs;           // { source -> sink }: all of them
  std::string explanation;  // used unless the command has its own (Command::consequence)
  std::string mend;
  std::vector<std::string> story;       // lines; {0}, {1}: source, sink; {2}: what overwrites
  isl::union_map theta;                 // where instances run, for the witness
  std::optional<isl::map> places = {};  // { source -> b[e] }: the place that both touch
  bool may = false;  // the pairs are a superset: an access or condition is not affine
  // For an overwritten value: { source -> W[w] } and { sink -> W[w] }. The instances that destroy a
  // pair's value are in both images.
  std::optional<isl::map> overwrites = {}, before_reader = {};
  bool of_instances = true;  // false: a loop is illegal, and "pairs" means nothing
};

// Called per violation; return false to stop.
using Found = std::function<bool(Violation)>;

// The smallest witness; std::nullopt if the violation is not one of instances.
std::optional<Witness> witness_of(const Violation& violation, const Algorithm& algorithm);

}  // namespace strata
