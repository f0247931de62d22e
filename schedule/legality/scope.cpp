#include "schedule/legality/scope.h"

#include "schedule/legality/order.h"

namespace strata {

namespace {

Violation elsewhere(const ProgramView& view, const isl::map& pairs, const std::string& buffer) {
  return Violation{Code::E0307_out_of_scope,
                   pairs,
                   "a value in " + buffer +
                       " would be read outside of the iteration that the buffer is allocated for",
                   "allocate the buffer at a loop around both, or compute the value inside with "
                   "compute_at",
                   {"{0} computes the value that", "{1} reads from another iteration's buffer"},
                   view.theta()};
}

}  // namespace

std::vector<const ProgramView*> meeting_places(const ProgramView& whole,
                                               const std::string& buffer) {
  const int scopes = whole.allocating_loops(buffer);
  if (scopes == 0) return {&whole};
  std::vector<const ProgramView*> inside;
  for (int scope = 0; scope < scopes; ++scope) inside.push_back(&whole.in_one_tile(buffer, scope));
  return inside;
}

std::optional<Violation> find_writer_outside(const ProgramView& whole, const Definition& writer,
                                             const std::string& buffer) {
  for (const BranchId& branch : whole.of(writer.name)) {
    if (whole.is_in_allocating_loop(branch, buffer)) continue;
    const isl::set instances = whole.instances(branch)
                                   .intersect(writer.domain)
                                   .intersect_params(whole.algorithm().context);
    if (instances.is_empty()) continue;
    return Violation{Code::E0307_out_of_scope,
                     isl::map(instances.identity()),
                     writer.name + " would be stored in " + buffer +
                         " outside of the iterations that the buffer is allocated for",
                     "allocate the buffer at a loop around everything that it stores",
                     {"{0} has no buffer there"},
                     whole.theta()};
  }
  return std::nullopt;
}

std::optional<Violation> find_reader_outside(const ProgramView& whole, const Edge& edge,
                                             const std::string& buffer) {
  for (const BranchId& reader : whole.of(edge.sink)) {
    if (whole.is_in_allocating_loop(reader, buffer)) continue;
    const isl::map pairs = edge.relation.intersect_range(whole.instances(reader));
    if (!pairs.is_empty()) return elsewhere(whole, pairs, buffer);
  }
  return std::nullopt;
}

std::optional<Violation> find_value_from_elsewhere(const ProgramView& inside, const Edge& edge,
                                                   const std::string& buffer) {
  if (auto missing = find_unscheduled_producer(inside, edge))
    return elsewhere(inside, missing->pairs, buffer);
  return find_reversed_dependence(inside, edge);
}

}  // namespace strata
