#include "reference/values.h"

#include <algorithm>
#include <stdexcept>

#include "reference/named.h"
#include "reference/storage.h"

namespace strata::reference {

namespace {

// The reduction to which "d" belongs, as contribution or as initial value.
const Definition* reduction_of(const Algorithm& algorithm, const Definition& d) {
  if (d.reduction) return &d;
  for (const Definition& r : algorithm.definitions)
    if (r.reduction && r.reduction->initial == d.name) return &r;
  return nullptr;
}

bool is_in_box(const Point& extents, const Point& index) {
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (index[d] < 0 || index[d] >= extents[d]) return false;
  return true;
}

}  // namespace

ValueTable::ValueTable(const Program& program, const Parameters& parameters, bool with_layout)
    : allocated_(with_layout ? allocated_buffers(program.mapping) : std::set<std::string>()) {
  const Algorithm& algorithm = *program.algorithm;
  if (with_layout) find_places(program, parameters);
  add_inputs(program, parameters);
  instances_.resize(algorithm.definitions.size());
  reads_.resize(algorithm.definitions.size());
  for (std::size_t d = 0; d < algorithm.definitions.size(); ++d)
    add_instances(algorithm, d, parameters);
  find_last(algorithm, parameters);
  for (std::size_t d = 0; d < algorithm.definitions.size(); ++d)
    add_reads(d, algorithm, parameters);
}

void ValueTable::add_instances(const Algorithm& algorithm, std::size_t number,
                               const Parameters& parameters) {
  const Definition& d = algorithm.definitions[number];
  const Definition* reduction = reduction_of(algorithm, d);
  const isl::map defines = d.defines;
  for (const auto& [instance, element] : pairs(defines, d.domain, parameters)) {
    std::size_t value = values_.size();
    if (reduction) value = results_.emplace(Key{reduction->name, element}, value).first->second;
    if (value == values_.size())
      add_value(reduction ? to_string(reduction->name, element) : to_string(d.name, instance),
                {d.array, element}, reduction != nullptr);
    values_[value].contributions += d.reduction.has_value();
    instances_[number][instance].values.push_back(value);
  }
}

void ValueTable::add_value(const std::string& text, const Key& element, bool is_result) {
  const auto found = place_of_element_.find(element);
  std::optional<std::size_t> place;
  if (found != place_of_element_.end()) place = found->second;
  if (!place && (is_result || is_allocated(element.first))) {
    place = places_.size();
    places_.push_back({element.first, "(" + text + ")", false});
  }
  values_.push_back({text, inputs_.count(element) != 0, is_result, 0, place});
  elements_.push_back(element);
}

void ValueTable::find_places(const Program& program, const Parameters& parameters) {
  std::map<Key, std::size_t> numbers;
  for (const auto& [array, relation] : program.layout.store) {
    const Stored at = stored(program, array, parameters);
    const auto* buffer = program.layout.find(at.buffer);
    const bool output = buffer != nullptr && buffer->role != BufferRole::temporary;
    for (const auto& [element, index] : at.places) {
      const auto [found, is_new] = numbers.emplace(Key{at.buffer, index}, places_.size());
      if (is_new) places_.push_back({at.buffer, to_string(at.buffer, index), output});
      place_of_element_[{array, element}] = found->second;
    }
  }
  find_outside(program, parameters, numbers);
}

void ValueTable::find_outside(const Program& program, const Parameters& parameters,
                              const std::map<Key, std::size_t>& numbers) {
  std::map<std::string, std::set<Point>> inputs;  // by buffer: the places of elements
  for (const auto& input : program.algorithm->inputs) {
    if (program.layout.store.count(input.name) == 0) continue;
    const Stored at = stored(program, input.name, parameters);
    inputs[at.buffer];
    for (const auto& [element, index] : at.places) inputs[at.buffer].insert(index);
  }
  for (const auto& [key, number] : numbers) {
    const auto& [name, index] = key;
    const LayoutBuffer* buffer = program.layout.find(name);
    if (inputs.count(name) != 0)
      places_[number].outside = inputs[name].count(index) == 0;
    else if (buffer != nullptr && !buffer->extents.empty() && !is_allocated(name))
      places_[number].outside = !is_in_box(extents_of(*buffer, parameters), index);
  }
}

void ValueTable::add_inputs(const Program& program, const Parameters& parameters) {
  for (const auto& input : program.algorithm->inputs)
    for (const Point& element : points(input.domain, parameters)) {
      inputs_[{input.name, element}] = values_.size();
      add_value(to_string(input.name, element), {input.name, element}, false);
    }
}

const std::vector<std::size_t>& ValueTable::values_of(std::size_t definition,
                                                      const Point& instance) const {
  return instances_[definition].at(instance).values;
}

bool ValueTable::exists(std::size_t definition, const Point& instance) const {
  return instances_[definition].count(instance) != 0;
}

std::vector<Point> ValueTable::instances_of(std::size_t definition) const {
  std::vector<Point> result;
  for (const auto& [instance, made] : instances_[definition]) result.push_back(instance);
  return result;
}

const std::vector<std::size_t>& ValueTable::reads_of(std::size_t definition,
                                                     const Point& instance) const {
  static const std::vector<std::size_t> none;
  const auto found = reads_[definition].find(instance);
  return found == reads_[definition].end() ? none : found->second;
}

std::vector<std::size_t> ValueTable::producer_values(const Algorithm& algorithm,
                                                     const std::string& producer,
                                                     const Point& instance) const {
  if (algorithm.find_input(producer) != nullptr) {
    const auto found = inputs_.find({producer, instance});
    if (found != inputs_.end()) return {found->second};
  } else if (const std::size_t d = definition_number(algorithm, producer); exists(d, instance)) {
    return values_of(d, instance);
  }
  throw std::runtime_error("a read relation names " + to_string(producer, instance) +
                           ", which does not exist");
}

// An instance reads those values made by a scatter whose elements it names or keeps.
bool ValueTable::reads_value(std::size_t number, const Algorithm& algorithm, const Point& reader,
                             std::size_t value, const std::vector<Named>& named) const {
  const Definition& d = algorithm.definitions[number];
  const Key& element = elements_[value];
  if (names(named, element.first, element.second)) return true;
  const bool may_keep = !d.element.empty() || (d.predicate.defined() && !d.reduction);
  const auto& own = values_of(number, reader);
  return may_keep && std::any_of(own.begin(), own.end(),
                                 [&](std::size_t v) { return elements_[v] == element; });
}

// If an over-approximated read contains several values of one element, the reader gets the one made
// last before it in the reference order.
void ValueTable::add_reads(std::size_t number, const Algorithm& algorithm,
                           const Parameters& parameters) {
  const Definition& d = algorithm.definitions[number];
  std::map<Point, std::map<Key, std::size_t>> chosen;
  for (const Read& read : d.reads) {
    const isl::map relation = read.relation;
    const isl::set domain = d.domain;
    const Definition* producer = algorithm.find(read.producer);
    const bool one_of_many = producer != nullptr && !producer->element.empty();
    for (const auto& [reader, instance] : pairs(relation, domain, parameters)) {
      std::vector<Named> named;
      if (one_of_many) named = named_by(algorithm, d, reader, parameters);
      for (const std::size_t value : producer_values(algorithm, read.producer, instance)) {
        if (one_of_many && !reads_value(number, algorithm, reader, value, named)) continue;
        const auto [best, is_new] = chosen[reader].emplace(elements_[value], value);
        const bool in_time = made_at_[value] < instances_[number].at(reader).step;
        if (!is_new && in_time && made_at_[value] > made_at_[best->second]) best->second = value;
      }
    }
  }
  for (const auto& [reader, values] : chosen)
    for (const auto& [element, value] : values) reads_[number][reader].push_back(value);
}

void ValueTable::find_last(const Algorithm& algorithm, const Parameters& parameters) {
  made_at_.assign(values_.size(), -1);
  std::int64_t step = 0;
  for (const Scheduled& s : reference_executions(algorithm, parameters))
    if (exists(s.definition, s.instance)) {
      Instance& instance = instances_[s.definition][s.instance];
      for (const std::size_t value : instance.values) made_at_[value] = step;
      instance.step = step++;
    }
  last_.assign(places_.size(), std::nullopt);
  for (std::size_t v = 0; v < values_.size(); ++v) {
    if (!values_[v].place) continue;
    auto& last = last_[*values_[v].place];
    if (!last || made_at_[*last] < made_at_[v]) last = v;
  }
}

}  // namespace strata::reference
