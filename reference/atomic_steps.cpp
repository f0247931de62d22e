#include "reference/atomic_steps.h"

namespace strata::reference {

Steps without(const Steps& steps, std::size_t definition) {
  Steps others;
  for (const auto& step : steps)
    if (step.first != definition) others.insert(step);
  return others;
}

AtomicSteps::AtomicSteps(const Program& program, const std::vector<Scheduled>& executions,
                         const ValueTable& table)
    : table_(table) {
  const Algorithm& algorithm = *program.algorithm;
  std::set<std::pair<std::size_t, Point>> once;
  std::set<std::size_t> again;
  for (const Scheduled& s : executions)
    if (!once.emplace(s.definition, s.instance).second) again.insert(s.definition);
  for (std::size_t d = 0; d < algorithm.definitions.size(); ++d)
    if (!algorithm.definitions[d].reduction && again.count(d) == 0 &&
        algorithm.definitions[d].is_atomic)
      definitions_.insert(d);
  for (const std::size_t d : definitions_)
    for (const Point& instance : table_.instances_of(d))
      for (const std::size_t value : table_.values_of(d, instance))
        if (table_.values()[value].place) step_of_[value] = {d, instance};
}

// Among the values that the step reads, the old value of the element that it updates to "value".
std::optional<std::size_t> AtomicSteps::added_to_for(std::size_t value) const {
  const auto& [d, instance] = step_of_.at(value);
  for (const std::size_t read : table_.reads_of(d, instance))
    if (table_.same_element(read, value)) return read;
  return std::nullopt;
}

const Accumulated& AtomicSteps::accumulated(std::size_t value) {
  const auto known = accumulated_.find(value);
  if (known != accumulated_.end()) return known->second;
  Accumulated result{value, {}};
  while (step_of_.count(result.value) != 0) {
    const auto before = added_to_for(result.value);
    if (!before) break;
    result.steps.insert(step_of_.at(result.value));
    result.value = *before;
  }
  return accumulated_.emplace(value, std::move(result)).first->second;
}

std::size_t AtomicSteps::before(std::size_t value, std::size_t definition) const {
  while (true) {
    const auto step = step_of_.find(value);
    if (step == step_of_.end() || step->second.first != definition) return value;
    const auto added_to = added_to_for(value);
    if (!added_to) return value;
    value = *added_to;
  }
}

}  // namespace strata::reference
