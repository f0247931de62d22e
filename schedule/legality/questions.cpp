#include "schedule/legality/questions.h"

#include <algorithm>

#include "layers/verify/verify_mapping.h"
#include "schedule/legality/block_size.h"
#include "schedule/legality/extent.h"
#include "schedule/legality/memories.h"
#include "schedule/legality/order.h"
#include "schedule/legality/scope.h"
#include "schedule/legality/storage.h"

namespace strata {

namespace {

bool offer(const std::optional<Violation>& violation, const Found& found) {
  return !violation || found(*violation);
}

// For values in a buffer that a loop allocates: each read must find its value computed in the same
// iteration, before the read.
bool check_in_scopes(const ProgramView& s, const Edge& edge, const std::string& buffer,
                     const Found& found) {
  if (!offer(find_reader_outside(s, edge, buffer), found)) return false;
  for (int scope = 0; scope < s.allocating_loops(buffer); ++scope)
    if (!offer(find_value_from_elsewhere(s.inside(buffer, scope), edge, buffer), found))
      return false;
  return true;
}

bool check_edge(const ProgramView& s, const Found& found, const int& number) {
  const Edge& edge = edges(s)[std::size_t(number)];
  const std::string& buffer = s.buffer_of(s.algorithm().find(edge.source)->array);
  if (s.allocating_loops(buffer) > 0) return check_in_scopes(s, edge, buffer, found);
  return offer(find_unscheduled_producer(s, edge), found) &&
         offer(find_reversed_dependence(s, edge), found);
}

bool check_dependences(const ProgramView& s, const Found& found) {
  for (int number = 0; number < int(edges(s).size()); ++number)
    if (!s.check("dependence", check_edge, found, number)) return false;
  return true;
}

// Contributions to one result, in every view in which they can meet.
bool check_reduction(const ProgramView& s, const Found& found, const std::string& name) {
  const Definition& reduction = *s.algorithm().find(name);
  for (const ProgramView* inside : meeting_places(s, s.buffer_of(reduction.array)))
    if (!offer(find_concurrent_contributions(*inside, reduction), found)) return false;
  return true;
}

bool check_reductions(const ProgramView& s, const Found& found) {
  for (const Definition& d : s.algorithm().definitions)
    if (d.reduction && !s.check("contributions", check_reduction, found, d.name)) return false;
  return true;
}

bool check_writer(const ProgramView& s, const Found& found, const std::string& name) {
  const Definition& writer = *s.algorithm().find(name);
  const std::string& buffer = s.buffer_of(writer.array);
  return s.allocating_loops(buffer) == 0 || offer(find_writer_outside(s, writer, buffer), found);
}

bool check_scopes(const ProgramView& s, const Found& found) {
  for (const Definition& d : s.algorithm().definitions)
    if (!s.check("writer", check_writer, found, d.name)) return false;
  return true;
}

bool check_places(const ProgramView& s, const Found& found, const std::string& buffer) {
  const bool shared = places_shared(s, buffer);
  if (shared && !offer(find_overwritten_value(s, buffer), found)) return false;
  if (!shared && !written_again(s, buffer)) return true;
  return offer(find_race(s, buffer), found) && offer(find_colliding_lanes(s, buffer), found);
}

bool check_buffer(const ProgramView& s, const Found& found, const std::string& buffer) {
  if (stores_of(s, buffer).writers.empty()) return true;
  for (const ProgramView* place : meeting_places(s, buffer)) {
    // The extents of an iteration's buffer count from the least place that the iteration touches;
    // code generation checks them (E0308).
    if (place == &s && !offer(find_store_outside(s, buffer), found)) return false;
    if (!check_places(*place, found, buffer)) return false;
  }
  return true;
}

bool check_storage(const ProgramView& s, const Found& found) {
  for (const std::string& buffer : s.buffers())
    if (!s.check("storage", check_buffer, found, buffer)) return false;
  return true;
}

bool check_memory(const ProgramView& s, const Found& found, const std::string& buffer,
                  const int& finished) {
  const auto memory = memory_named(s.memory_of(buffer));
  if (memory == Memory::constant) return offer(find_constant_written(s, buffer), found);
  if (memory != Memory::local || s.allocating_loops(buffer) == 0) return true;
  for (const ProgramView* place : meeting_places(s, buffer))
    if (!offer(find_two_threads(*place, buffer, finished != 0), found)) return false;
  return true;
}

template <int finished>
bool check_memories(const ProgramView& s, const Found& found) {
  for (const std::string& buffer : s.buffers())
    if (!s.check("memory", check_memory, found, buffer, finished)) return false;
  return true;
}

bool has_floats(const Definition& d) {
  return is_float(d.type) || std::any_of(d.others.begin(), d.others.end(),
                                         [](const Component& c) { return is_float(c.type); });
}

bool check_outputs(const ProgramView& s, const Found& found) {
  for (const std::string& buffer : s.buffers())
    if (s.is_kept(buffer) && places_shared(s, buffer) && !offer(find_lost_output(s, buffer), found))
      return false;
  return true;
}

bool check_sums(const ProgramView& s, const Found& found) {
  for (const Definition& d : s.algorithm().definitions) {
    if (!has_floats(d)) continue;
    if (is_atomic_update(s, d) && !offer(find_reordered_steps(s, d), found)) return false;
    if (!d.reduction) continue;
    for (const ProgramView* inside : meeting_places(s, s.buffer_of(d.array)))
      if (!offer(find_reordered_contributions(*inside, d), found)) return false;
  }
  return true;
}

bool check_tags(const ProgramView& s, const Found& found) {
  return offer(find_unbounded_tag(s), found);
}

std::vector<Question> all_questions() {
  std::vector<Question> all;
  for (const MappingRule& rule : mapping_rules())
    all.push_back({rule.name, rule.codes,
                   rule.holds == Holds::always ? Asked::always : Asked::before_codegen,
                   rule.verify});
  const auto add = [&](const std::string& about, std::vector<Code> codes, Asked asked,
                       bool (*check)(const ProgramView&, const Found&)) {
    all.push_back({about, std::move(codes), asked, nullptr, check});
  };
  using enum Code;
  add("tags", {E0106_bad_argument}, Asked::after_groups, check_tags);
  all.push_back({"blocks", {E0106_bad_argument}, Asked::after_groups, verify_block_sizes});
  add("dependences",
      {E0201_dependence_reversed, E0202_dependence_carried, E0204_not_scheduled,
       E0307_out_of_scope},
      Asked::unless_waived, check_dependences);
  add("contributions", {E0207_reduction_concurrent}, Asked::unless_waived, check_reductions);
  add("scopes", {E0307_out_of_scope}, Asked::unless_waived, check_scopes);
  add("storage",
      {E0302_access_out_of_bounds, E0301_value_overwritten, E0303_race, E0305_lanes_collide},
      Asked::unless_waived, check_storage);
  add("memories", {E0306_malformed_layout, E0309_several_threads}, Asked::unless_waived,
      check_memories<0>);
  add("finished memories", {E0306_malformed_layout, E0309_several_threads}, Asked::for_outputs,
      check_memories<1>);
  add("outputs", {E0304_output_not_last}, Asked::for_outputs, check_outputs);
  add("sums", {E0504_sum_not_in_order}, Asked::for_exact_sums, check_sums);
  return all;
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = all_questions();
  return all;
}

}  // namespace strata
