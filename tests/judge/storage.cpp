#include "tests/judge/storage.h"

#include <stdexcept>

namespace strata::judge {

namespace {

// { X[e] : some instance defines X(e) }, or the elements of an input.
isl::set elements_of(const Algorithm& algorithm, const std::string& array) {
  if (const InputArray* input = algorithm.find_input(array)) return input->domain;
  isl::set elements;
  for (const Definition* d : algorithm.definitions_of(array)) {
    const isl::map defines = d->defines;
    const isl::set some = defines.intersect_domain(isl::set(d->domain)).range();
    elements = elements.is_null() ? some : elements.unite(some);
  }
  if (elements.is_null()) throw std::runtime_error("the layout stores no array: " + array);
  return elements;
}

// What extents may use.
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
  const isl::set elements = elements_of(*program.algorithm, array);
  Stored result{isl_map_get_tuple_name(relation.get(), isl_dim_out), {}};
  for (const auto& [element, place] : pairs(relation.intersect_domain(elements), parameters))
    if (!result.places.emplace(element, place).second)
      throw std::runtime_error(to_string(array, element) + " has two places");
  if (result.places.size() != points(elements, parameters).size())
    throw std::runtime_error("an element of " + array + " has no place");
  return result;
}

}  // namespace strata::judge
