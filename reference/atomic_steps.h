// Values that atomic updates accumulate.
#pragma once

#include <set>

#include "reference/values.h"

namespace strata::reference {

using Steps = std::multiset<std::pair<std::size_t, Point>>;  // definition, instance

// The steps of all other definitions.
Steps without(const Steps& steps, std::size_t definition);

// A value made by atomic updates: the value that they started from, and the steps so far.
struct Accumulated {
  std::size_t value;
  Steps steps;
};

class AtomicSteps {
 public:
  AtomicSteps(const Program& program, const std::vector<Scheduled>& executions,
              const ValueTable& table);

  // True if this is an atomic update. False if one of its instances runs twice: then its steps are
  // treated as ordinary updates.
  bool has(std::size_t definition) const { return definitions_.count(definition) != 0; }
  const Accumulated& accumulated(std::size_t value);
  // The value from which the steps of the definition that led to "value" started; "value" itself if
  // there are none.
  std::size_t before(std::size_t value, std::size_t definition) const;

 private:
  std::optional<std::size_t> added_to_for(std::size_t value) const;

  const ValueTable& table_;
  std::set<std::size_t> definitions_;
  std::map<std::size_t, std::pair<std::size_t, Point>> step_of_;  // by value: the step making it
  std::map<std::size_t, Accumulated> accumulated_;                // by value
};

}  // namespace strata::reference
