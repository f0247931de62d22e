#include "reference/storage.h"

#include <isl/map.h>
#include <isl/space.h>

#include <set>
#include <stdexcept>

namespace strata::reference {

namespace {

// The points e of { X[e] : some instance defines X(e) }, or the elements of an input.
std::set<Point> elements_of(const Algorithm& algorithm, const std::string& array,
                            const Parameters& parameters) {
  std::set<Point> elements;
  const InputArray* input = algorithm.find_input(array);
  if (input != nullptr)
    for (const Point& element : points(input->domain, parameters)) elements.insert(element);
  const auto definitions = algorithm.definitions_of(array);
  for (const Definition* d : definitions)
    for (const auto& [instance, element] : pairs(d->defines, d->domain, parameters))
      elements.insert(element);
  if (input == nullptr && definitions.empty())
    throw std::runtime_error("the layout stores no array: " + array);
  return elements;
}

// The names that extents may use.
class AtSize : public Environment {
 public:
  explicit AtSize(const Parameters& parameters) : parameters_(parameters) {}
  std::int64_t parameter(const std::string& name) override { return parameters_.at(name); }

 private:
  const Parameters& parameters_;
};

}  // namespace

Point extents_of(const LayoutBuffer& buffer, const Parameters& parameters) {
  AtSize environment(parameters);
  Point extents;
  for (const Expr& e : buffer.extents)
    extents.push_back(std::int64_t(integer_of(evaluate(e, environment))));
  return extents;
}

Stored stored(const Program& program, const std::string& array, const Parameters& parameters) {
  const isl::map relation = program.layout.store.at(array);
  Stored result{isl_map_get_tuple_name(relation.get(), isl_dim_out), {}};
  for (const Point& element : elements_of(*program.algorithm, array, parameters)) {
    const std::vector<Point> places = image(relation, element, parameters);
    if (places.size() != 1)
      throw std::runtime_error(to_string(array, element) +
                               (places.empty() ? " has no place" : " has two places"));
    result.places.emplace(element, places.front());
  }
  return result;
}

Program with_automatic_places(const Program& program) {
  Program placed = program;
  Layout& layout = placed.layout;
  for (const Definition& d : program.algorithm->definitions) {
    if (layout.store.count(d.array) != 0 || layout.find(d.array) != nullptr) continue;
    isl_space* elements = isl_space_range(isl_map_get_space(isl::map(d.defines).get()));
    const int rank = isl_space_dim(elements, isl_dim_set);
    const isl::map same = isl::manage(isl_map_identity(isl_space_map_from_set(elements)));
    layout.buffers.push_back({d.array, d.type, rank, BufferRole::temporary});
    layout.store.emplace(d.array, AccessRelation::from(same));
  }
  return placed;
}

}  // namespace strata::reference
