#include "schedule/legality/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "layers/verify_mapping.h"
#include "schedule/legality/extent.h"
#include "schedule/legality/order.h"
#include "schedule/legality/scope.h"
#include "schedule/legality/storage.h"
#include "schedule/legality/unchanged.h"

namespace strata {

namespace {

bool offer(const std::optional<Violation>& violation, const Found& found) {
  return !violation || found(*violation);
}

// Of values in a buffer that every iteration of some loop has for itself: each read is served in
// its own iteration, which answers the question of order too.
bool ask_in_scopes(const Scheduled& s, const Edge& edge, const std::string& buffer,
                   const std::vector<Path>& scopes, const Found& found) {
  if (!offer(find_reader_outside(s, edge, buffer, scopes), found)) return false;
  for (const Path& scope : scopes)
    if (!offer(find_value_from_elsewhere(s.inside(scope), edge, buffer), found)) return false;
  return true;
}

bool ask_about_edge(const Scheduled& s, const Edge& edge, const Found& found) {
  const std::string buffer =
      buffer_of(s.program().layout, s.algorithm().find(edge.source)->array);
  const auto scopes = allocating_loops(s.mapping(), buffer);
  if (!scopes.empty()) return ask_in_scopes(s, edge, buffer, scopes, found);
  return offer(find_unscheduled_producer(s, edge), found) &&
         offer(find_reversed_dependence(s, edge), found);
}

bool ask_about_scopes(const Scheduled& s, const Found& found) {
  for (const Definition& d : s.algorithm().definitions) {
    const std::string buffer = buffer_of(s.program().layout, d.array);
    const auto scopes = allocating_loops(s.mapping(), buffer);
    if (!scopes.empty() && !offer(find_writer_outside(s, d, buffer, scopes), found)) return false;
  }
  return true;
}

// Where contributions to one result may meet.
std::vector<const Scheduled*> meeting_places(const Scheduled& s, const Definition& reduction) {
  return meeting_places(s, buffer_of(s.program().layout, reduction.array));
}

bool ask_about_contributions(const Scheduled& s, const Definition& reduction, const Found& found) {
  const auto places = meeting_places(s, reduction);
  return std::all_of(places.begin(), places.end(), [&](const Scheduled* inside) {
    return offer(find_concurrent_contributions(*inside, reduction), found);
  });
}

bool ask_about_dependences(const Scheduled& s, const Found& found) {
  const Unchanged unchanged(s);
  for (const Edge& edge : edges(s))
    if (!unchanged.order(edge.source, edge.sink) && !ask_about_edge(s, edge, found)) return false;
  return true;
}

bool ask_about_reductions(const Scheduled& s, const Found& found) {
  const Unchanged unchanged(s);
  for (const Definition& d : s.algorithm().definitions)
    if (d.reduction && !unchanged.order(d.name, d.name) && !ask_about_contributions(s, d, found))
      return false;
  return true;
}

bool ask_about_stores(const Scheduled& s, const Stores& stores, const Found& found) {
  const bool shared = places_shared(stores);
  if (shared && !offer(find_overwritten_value(s, stores), found)) return false;
  if (!shared && !written_again(s, stores)) return true;
  return offer(find_race(s, stores), found) && offer(find_colliding_lanes(s, stores), found);
}

bool ask_about_storage(const Scheduled& s, const Found& found) {
  const Unchanged unchanged(s);
  for (const LayoutBuffer& buffer : s.program().layout.buffers) {
    const Stores stores = stores_of(s, buffer.name);
    if (stores.writers.empty() || unchanged.storage(stores)) continue;
    for (const Scheduled* place : meeting_places(s, buffer.name)) {
      // The extents of an iteration's buffer count from where its places begin.
      const bool whole = place == &s;
      if (whole && !offer(find_store_outside(s, stores), found)) return false;
      if (!ask_about_stores(*place, whole ? stores : stores_of(*place, buffer.name), found))
        return false;
    }
  }
  return true;
}

bool has_floats(const Definition& d) {
  return is_float(d.type) || std::any_of(d.others.begin(), d.others.end(),
                                         [](const Component& c) { return is_float(c.type); });
}

// Does the caller see the buffer, or one with other scalars of what is in it?
bool is_kept(const Program& program, const LayoutBuffer& buffer) {
  const auto arrays = arrays_in(program.layout, buffer.name);
  return buffer.role != BufferRole::temporary ||
         std::any_of(arrays.begin(), arrays.end(), [&](const std::string& array) {
           return is_output(program.layout, *program.algorithm, array);
         });
}

bool ask_about_outputs(const Scheduled& s, const Found& found) {
  for (const LayoutBuffer& buffer : s.program().layout.buffers) {
    const Stores stores = stores_of(s, buffer.name);
    if (!is_kept(s.program(), buffer) || !places_shared(stores)) continue;
    if (!offer(find_lost_output(s, stores), found)) return false;
  }
  return true;
}

bool ask_about_sums(const Scheduled& s, const Found& found) {
  for (const Definition& d : s.algorithm().definitions) {
    if (!has_floats(d)) continue;
    if (is_atomic_update(s, d) && !offer(find_reordered_steps(s, d), found)) return false;
    if (!d.reduction) continue;
    for (const Scheduled* inside : meeting_places(s, d))
      if (!offer(find_reordered_contributions(*inside, d), found)) return false;
  }
  return true;
}

// E0106: vector and unrolled loops have a constant extent.
void verify_tags(const Program& program, const Request& request) {
  const auto path = find_unbounded_tag(program);
  if (!path) return;
  const Node& node = node_at(program.mapping, *path);
  const auto processor = to_string(node.loop().processor);
  throw request.refused(
      Code::E0106_bad_argument,
      fmt::format("the {} loop {} of {} would have a number of iterations without a constant bound",
                  processor, node.loop().name, owners(node).front()),
      "tag the loop after this command, or split it and tag the inner loop");
}

std::vector<Question> all_questions() {
  std::vector<Question> all;
  for (const MappingRule& rule : mapping_rules())
    all.push_back({rule.name, rule.codes,
                   rule.holds == Holds::always ? Asked::always : Asked::of_kernels, rule.verify});
  const auto add = [&](const std::string& about, std::vector<Code> codes, Asked asked,
                       bool (*ask)(const Scheduled&, const Found&)) {
    all.push_back({about, std::move(codes), asked, nullptr, ask});
  };
  using enum Code;
  all.push_back({"tags", {E0106_bad_argument}, Asked::after_groups, verify_tags});
  add("dependences",
      {E0201_dependence_reversed, E0202_dependence_carried, E0204_not_scheduled,
       E0307_out_of_scope},
      Asked::unless_waived, ask_about_dependences);
  add("contributions", {E0207_reduction_concurrent}, Asked::unless_waived, ask_about_reductions);
  add("scopes", {E0307_out_of_scope}, Asked::unless_waived, ask_about_scopes);
  add("storage",
      {E0302_access_out_of_bounds, E0301_value_overwritten, E0303_race, E0305_lanes_collide},
      Asked::unless_waived, ask_about_storage);
  add("outputs", {E0304_output_not_last}, Asked::of_outputs, ask_about_outputs);
  add("sums", {E0504_sum_not_in_order}, Asked::of_exact_sums, ask_about_sums);
  return all;
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = all_questions();
  return all;
}

}  // namespace strata
