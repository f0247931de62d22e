// Values that atomic updates accumulate.
#pragma once

#include <set>

#include "tests/judge/values.h"

namespace strata::judge {

using Steps = std::multiset<std::pair<std::size_t, Point>>;  // definition, instance

// Those of all other definitions.
Steps without(const Steps& steps, std::size_t definition);

// A value that atomic updates made: what they began with, and the steps so far.
struct Accumulated {
  std::size_t value;
  Steps steps;
};

class AtomicSteps {
 public:
  AtomicSteps(const Program& program, const std::vector<Scheduled>& executions,
              const ValueTable& table);

  // Is this an update whose instances are said to be indivisible steps?  Not where one runs twice:
  // then each counts in the order it has.
  bool has(std::size_t definition) const { return definitions_.count(definition) != 0; }
  const Accumulated& accumulated(std::size_t value);
  // What the steps of the definition that led to the value began with: the value itself if none did.
  std::size_t before(std::size_t value, std::size_t definition) const;

 private:
  std::optional<std::size_t> added_to_for(std::size_t value) const;

  const ValueTable& table_;
  std::set<std::size_t> definitions_;
  std::map<std::size_t, std::pair<std::size_t, Point>> step_of_;  // by value: who adds to make it
  std::map<std::size_t, Accumulated> accumulated_;                // by value
};

}  // namespace strata::judge
