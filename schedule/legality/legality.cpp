#include "schedule/legality/legality.h"

#include <algorithm>
#include <functional>

#include "layers/verify_mapping.h"
#include "schedule/command.h"
#include "schedule/extent.h"
#include "schedule/legality/order.h"
#include "schedule/legality/privatise.h"
#include "schedule/legality/scope.h"
#include "schedule/legality/storage.h"
#include "schedule/legality/tile_sizes.h"
#include "schedule/legality/unchanged.h"
#include "schedule/own_buffer.h"
#include "schedule/prefetches.h"

namespace strata {

namespace {

// Receives each violation; false: enough.
using Found = std::function<bool(Violation)>;

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

bool ask_about_order(const Scheduled& s, const Unchanged& unchanged, const Found& found) {
  for (const Edge& edge : edges(s))
    if (!unchanged.order(edge.source, edge.sink) && !ask_about_edge(s, edge, found)) return false;
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

bool ask_about_storage(const Scheduled& s, const Unchanged& unchanged, const Found& found) {
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

// All questions but those that were answered already.
void ask_all(const Scheduled& scheduled, const Found& found) {
  const Unchanged unchanged(scheduled);
  if (ask_about_order(scheduled, unchanged, found) && ask_about_scopes(scheduled, found))
    ask_about_storage(scheduled, unchanged, found);
}

Error out_of_budget(const std::string& question) {
  return Error({Code::E0901_out_of_budget,
                "",
                question + " is too hard to decide within the budget",
                std::nullopt,
                "raise the budget with set_budget, or simplify the domain or the schedule",
                {}});
}

// Asks within the session's budget; E0901, naming the question, where that is not enough.
template <typename Ask>
void within_budget(const Program& program, const std::string& question, Ask ask) {
  if (!program.session->within_budget(ask)) throw out_of_budget(question);
}

std::string is_legal(const Program& program) { return "whether " + program.name + " is legal"; }

// What is left of a violation outside the waivers, or nothing.
std::optional<Violation> outside_waivers(Violation violation, const Program& program) {
  isl::union_map left = violation.pairs.to_union_map();
  for (const Waiver& waiver : program.waivers) left = left.subtract(waiver.violations);
  if (left.is_empty()) return std::nullopt;
  violation.pairs = left.as_map();
  return violation;
}

Program with_waivers(Program after, const Command& command) {
  isl::union_map all;
  for (const Violation& v : find_violations(after)) {
    auto pairs = v.pairs.to_union_map();
    all = all.is_null() ? pairs : all.unite(pairs);
  }
  if (!all.is_null()) after.waivers.push_back({command.text(), Dependences::from(all)});
  return after;
}

// The first violation outside the waivers; where there is none at all, what was proved.
struct Verdict {
  std::optional<Violation> violation;
  std::shared_ptr<const Proved> proved;
};

Verdict verdict_of(const Program& program) {
  Verdict verdict;
  within_budget(program, is_legal(program), [&] {
    const Program stored = with_automatic_places(program);
    const Scheduled scheduled(stored);
    bool waived = false;
    ask_all(scheduled, [&](Violation v) {
      verdict.violation = outside_waivers(std::move(v), program);
      waived = waived || !verdict.violation;
      return !verdict.violation;
    });
    if (verdict.violation || waived) return;
    verdict.proved = std::make_shared<const Proved>(
        Proved{program.algorithm, scheduled.mapping(), stored.layout});
  });
  return verdict;
}

Error refusal_of(const Violation& v, const Program& before, const Program& after,
                 const Command& command) {
  const bool order = v.code == Code::E0201_dependence_reversed ||
                     v.code == Code::E0202_dependence_carried;
  const bool own_words = order && !command.consequence.empty();
  std::string mend = v.mend;
  if (v.code == Code::E0207_reduction_concurrent) {
    const std::string commands =
        how_to_privatise(before, after, v.pairs.domain_tuple_id().name());
    if (!commands.empty()) mend = commands;
  }
  if (v.code == Code::E0202_dependence_carried) {
    const Definition* source = after.algorithm->find(v.pairs.domain_tuple_id().name());
    if (source && v.pairs.range_tuple_id().name() == source->name) mend = how_to_scatter(after, *source);
  }
  const std::string assumed =
      v.may ? " (an access or a condition is not affine: all that may happen is assumed to)" : "";
  return command.refused(v.code, (own_words ? command.consequence : v.explanation) + assumed, mend,
                         witness_of(v, *after.algorithm));
}

// Rules R201 to R203 and R205 to R207, of which R203 is a question of sets like those of legality.
void verify_within_budget(const Program& program, const Request& request) {
  within_budget(program, is_legal(program), [&] {
    verify_branches(program, request);
    verify_loops(program, request);
    verify_allocations(program, request);
    verify_tiles(program, request);
    verify_prefetches(program, request);
    verify_injective(program, request);
  });
}

}  // namespace

std::vector<Violation> find_violations(const Program& program) {
  std::vector<Violation> all;
  within_budget(program, is_legal(program), [&] {
    const Program stored = with_automatic_places(program);
    ask_all(Scheduled(stored), [&](Violation v) {
      all.push_back(std::move(v));
      return true;
    });
  });
  return all;
}

std::optional<Violation> find_violation(const Program& program) {
  return verdict_of(program).violation;
}

namespace {

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

}  // namespace

std::optional<Violation> find_lost_output(const Program& program) {
  std::optional<Violation> first;
  within_budget(program, "what the outputs of " + program.name + " end with", [&] {
    const Scheduled scheduled(program);
    for (const LayoutBuffer& buffer : program.layout.buffers) {
      const Stores stores = stores_of(scheduled, buffer.name);
      if (first || !is_kept(program, buffer) || !places_shared(stores)) continue;
      auto lost = find_lost_output(scheduled, stores);
      if (lost) first = outside_waivers(*lost, program);
    }
  });
  return first;
}

std::optional<Violation> find_reordered_sum(const Program& program) {
  std::optional<Violation> first;
  within_budget(program, "in which order " + program.name + " adds floats", [&] {
    const Scheduled scheduled(program);
    for (const Definition& d : program.algorithm->definitions) {
      if (!has_floats(d)) continue;
      if (!first && is_atomic_update(scheduled, d)) first = find_reordered_steps(scheduled, d);
      if (!d.reduction) continue;
      for (const Scheduled* inside : meeting_places(scheduled, d))
        if (!first) first = find_reordered_contributions(*inside, d);
    }
  });
  return first;
}

Program judged(const Program& before, Program after, const Command& command) {
  drop_idle_prefetches(after);
  after.scheduled = true;
  try {
    verify_within_budget(after, {command.text(), command.given.where});
    if (command.given.check == Check::deferred) return after;
    require_bounded_tags(after, command);
    if (command.given.check == Check::waived) return with_waivers(std::move(after), command);
    Verdict verdict = verdict_of(after);
    if (verdict.violation) {
      const auto example = find_violation_at_some_size(after);
      throw refusal_of(example ? *example : *verdict.violation, before, after, command);
    }
    if (verdict.proved) after.proved = std::move(verdict.proved);
    return after;
  } catch (const Error& e) {
    if (e.code() != Code::E0901_out_of_budget) throw;
    throw command.refused(e.code(), e.refusal().explanation, e.refusal().mend);
  }
}

}  // namespace strata
