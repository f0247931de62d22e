#include "layers/verify/verify_layout.h"

#include <isl/set.h>

#include "layers/flow/reads.h"
#include "layers/witness.h"

namespace strata {

namespace {

bool is_array(const Algorithm& algorithm, const std::string& name) {
  return algorithm.find_input(name) || !algorithm.definitions_of(name).empty();
}

Error malformed_layout(const Request& request, const std::string& what) {
  return request.refused(Code::E0306_malformed_layout, what);
}

// { x : x -> y and x -> z in the relation, y /= z }
isl::set with_several_images(const isl::map& relation) {
  const isl::map pairs = relation.range_product(relation);
  const isl::set equal = relation.range().identity().wrap();
  return pairs.intersect_range(pairs.range().subtract(equal)).domain();
}

Error misplaced(const Program& program, const std::string& array, const isl::set& values,
                const std::string& places, const Request& request) {
  const isl::set value = smallest(values, program.algorithm->parameters);
  return request.refused(
      Code::E0306_malformed_layout, "a value of " + array + " has " + places,
      "let the relation give each value of " + array + " exactly one place",
      Witness{parameters_text(value), {{instance_text(value), ""}}, "", {"{0} has " + places}});
}

}  // namespace

void verify_stores(const Program& program, const Request& request) {
  for (const auto& [array, access] : program.layout.store) {
    if (!is_array(*program.algorithm, array))
      throw malformed_layout(request, "there is no array " + array + " to store");
    const isl::map store = access;
    const std::string name = store.range_tuple_id().name();
    const LayoutBuffer* buffer = program.layout.find(name);
    if (!buffer)
      throw malformed_layout(request, array + " is stored in " + name + ", which is not a buffer");
    if (buffer->type != type_of(*program.algorithm, array))
      throw malformed_layout(
          request, array + " is stored in " + name + ", which has a different element type");
    if (unsigned(buffer->dimensions) != store.range_tuple_dim())
      throw malformed_layout(request,
                             array + " is stored in " + name + ", which has a different rank");
  }
}

void verify_one_place(const Program& program, const Request& request) {
  for (const auto& [array, access] : program.layout.store) {
    const isl::set values = all_elements(*program.algorithm, array);
    const isl::map store = isl::map(access).intersect_domain(values);
    if (!store.is_single_valued())
      throw misplaced(program, array, with_several_images(store), "several places", request);
    if (!values.is_subset(store.domain()))
      throw misplaced(program, array, values.subtract(store.domain()), "no place", request);
  }
}

void verify_bounded(const Program& program, const Request& request) {
  for (const auto& [array, access] : program.layout.store) {
    const isl::set places = all_elements(*program.algorithm, array).apply(isl::map(access));
    if (!isl_set_is_bounded(places.get()))
      throw request.refused(Code::E0112_unbounded_domain,
                            "the places of " + array + " are not bounded by the parameters",
                            "give every iterator a lower and an upper bound");
  }
}

void verify_extents(const Program& program, const Request& request) {
  for (const LayoutBuffer& buffer : program.layout.buffers) {
    const std::size_t count = buffer.extents.size();
    if (count != 0 && count != std::size_t(buffer.dimensions))
      throw malformed_layout(request,
                             buffer.name + " has a different number of extents than dimensions");
    if (!box_of(program.session->isl(), buffer.name, buffer.extents))
      throw malformed_layout(request,
                             "an extent of " + buffer.name + " is not affine in the parameters");
  }
}

void verify_scalars(const Program& program, const Request& request) {
  for (const InputArray& input : program.algorithm->inputs) {
    if (!input.by_value) continue;
    const LayoutBuffer* buffer = program.layout.find(input.name);
    const bool alone = buffer && buffer_of(program.layout, input.name) == input.name &&
                       has_own_buffer(program.layout, input.name);
    if (!alone || buffer->memory != Memory::automatic || buffer->resident ||
        buffer->role != BufferRole::input)
      throw malformed_layout(request, input.name + " is a scalar, which is in no memory");
  }
}

void verify_layout(const Program& program, const Request& request) {
  verify_stores(program, request);
  verify_one_place(program, request);
  verify_bounded(program, request);
  verify_extents(program, request);
  verify_scalars(program, request);
}

}  // namespace strata
