#include "schedule/legality/order.h"

#include <isl/map.h>
#include <isl/set.h>

namespace strata {

namespace {

isl::map none(const isl::map& like) { return isl::map::empty(like.space()); }

// { [a -> b] -> a } and { [a -> b] -> b }. The C++ binding of isl returns them as union maps, which
// have no space where "map" is empty: a branch may run nothing.
isl::map onto_domain(const isl::map& map) { return isl::manage(isl_map_domain_map(map.copy())); }
isl::map onto_range(const isl::map& map) { return isl::manage(isl_map_range_map(map.copy())); }

// { [C[x] -> t] -> P[y] }: the reads of every execution of one branch of the reader.
isl::map needed_by(const ProgramView& s, const isl::map& relation, const BranchId& reader) {
  return onto_domain(s.executions(reader)).apply_range(relation.reverse());
}

// { [C[x] -> t] -> P[y] }: one branch of the producer executes P[y] before t.
isl::map served(const ProgramView& s, const BranchId& producer, const BranchId& reader) {
  const isl::map order = s.ordered_times(producer, Order::not_before, reader);
  const isl::map before = isl::map::universe(order.space()).subtract(order);
  const unsigned levels = order.domain_tuple_dim();
  isl::map times = onto_range(s.executions(reader));  // { [C[x] -> t] -> [t] }
  times = leading_levels(times, levels);
  return times.apply_range(before.reverse())
      .apply_range(leading_levels(s.executions(producer), levels).reverse());
}

isl::map unserved(const ProgramView& s, const Edge& edge) {
  isl::map pairs = none(edge.relation);
  for (const BranchId& reader : s.of(edge.sink)) {
    isl::map missing = needed_by(s, edge.relation, reader);
    for (const BranchId& producer : s.of(edge.source))
      missing = missing.subtract(served(s, producer, reader));
    // { [C[x] -> t] -> C[x] }
    isl::map to_reader = onto_domain(s.executions(reader));
    pairs = pairs.unite(missing.reverse().apply_range(to_reader));
  }
  return pairs;
}

isl::map reversed(const ProgramView& s, const Edge& edge) {
  const isl::map pairs = s.all_ordered(edge.relation, edge.source, Order::not_before, edge.sink);
  // If every execution of the producer comes first, recomputation makes no difference.
  return pairs.is_empty() || s.runs_once(edge.source) ? pairs : unserved(s, edge);
}

// The relative position of two branches if loops on processors that satisfy "of" were sequential.
RelativePosition made_sequential(RelativePosition position, bool (*of)(Processor)) {
  for (LoopHead& loop : position.shared)
    if (of(loop.processor)) loop = made_sequential(loop);
  return position;
}

// Would the order be kept if all loops were sequential?
bool kept_sequentially(const ProgramView& s, const Edge& edge, const isl::map& pairs) {
  for (const BranchId& producer : s.of(edge.source))
    for (const BranchId& reader : s.of(edge.sink)) {
      const auto all = [](Processor) { return true; };
      const isl::map order =
          not_before(s.isl(), made_sequential(s.relative_position(producer, reader), all));
      if (!s.pairs_ordered(pairs, producer, order, reader).is_empty()) return false;
    }
  return true;
}

// Atomic contributions commute between threads. Those still unordered when parallel loops are
// sequential meet in one vector instruction.
isl::map unordered_contributions(const ProgramView& s, const Definition& reduction,
                                 const isl::map& same, const BranchId& a, const BranchId& b) {
  if (!reduction.is_atomic) return s.pairs_ordered(same, a, Order::unordered, b);
  const RelativePosition in_turns = made_sequential(s.relative_position(a, b), is_concurrent);
  return s.pairs_ordered(same, a, unordered(s.isl(), in_turns), b);
}

// The instances that some branch executes.
isl::set executed(const ProgramView& s, const std::string& definition) {
  isl::set all = isl::set::empty(isl::set(s.algorithm().find(definition)->domain).space());
  for (const BranchId& branch : s.of(definition)) all = all.unite(s.executed(branch));
  return all;
}

// Is every instance of the domain executed, and so every one that a reader needs? The domain need
// not be a fact: no answer is reused for another algorithm.
bool runs_all(const ProgramView& s, const std::string& definition) {
  return isl::set(s.algorithm().find(definition)->domain).is_subset(executed(s, definition));
}

}  // namespace

std::optional<Violation> find_reversed_dependence(const ProgramView& s, const Edge& edge) {
  isl::map pairs = reversed(s, edge);
  if (pairs.is_empty()) return std::nullopt;
  const bool carried = kept_sequentially(s, edge, pairs);
  Violation v{carried ? Code::E0202_dependence_carried : Code::E0201_dependence_reversed,
              pairs,
              carried ? "iterations that run at the same time would need each other's values"
                      : "a value would be read before it is computed",
              "",
              {"{0} computes the value that", "{1} uses"},
              s.theta()};
  v.may = edge.may;
  return v;
}

std::optional<Violation> find_unscheduled_producer(const ProgramView& s, const Edge& edge) {
  if (s.derived("runs all", runs_all, edge.source)) return std::nullopt;
  const isl::set made = executed(s, edge.source), running = executed(s, edge.sink);
  isl::set needed = edge.relation.intersect_range(running).domain();
  if (needed.is_subset(made)) return std::nullopt;
  isl::map pairs = edge.relation.intersect_range(running).intersect_domain(needed.subtract(made));
  return Violation{Code::E0204_not_scheduled,
                   pairs,
                   "an instance of " + edge.source + " is needed but never runs",
                   "schedule every instance",
                   {"{0} is not scheduled, and", "{1} uses its value"},
                   s.theta()};
}

std::optional<Violation> find_concurrent_contributions(const ProgramView& s,
                                                       const Definition& reduction) {
  const isl::map same = same_result(s, reduction.name);
  isl::map pairs = none(same);
  for (const BranchId& a : s.of(reduction.name))
    for (const BranchId& b : s.of(reduction.name))
      pairs = pairs.unite(unordered_contributions(s, reduction, same, a, b));
  if (pairs.is_empty()) return std::nullopt;
  return Violation{
      Code::E0207_reduction_concurrent,
      pairs,
      "two contributions to one result of " + reduction.array + " would run at the same time",
      "tag a loop of the result instead, or keep this one sequential",
      {"{0} and", "{1} both add to it"},
      s.theta()};
}

namespace {

// The pairs { S[c] -> S[c'] }, with c first in the algorithm, that the order does not keep.
std::optional<Violation> find_reordered(const ProgramView& s, const Definition& d,
                                        const isl::map& forward) {
  const isl::map pairs = s.all_ordered(forward, d.name, Order::not_before, d.name);
  if (pairs.is_empty()) return std::nullopt;
  return Violation{
      Code::E0504_sum_not_in_order,
      pairs,
      "contributions to one result of " + d.array +
          " would be added in another order than in the algorithm, which changes the rounding",
      "choose Floats::fast, or keep the order of the reduced iterators",
      {"{0} comes before", "{1} in the algorithm"},
      s.theta()};
}

}  // namespace

std::optional<Violation> find_reordered_steps(const ProgramView& s, const Definition& update) {
  const isl::map until = steps_until(s, update.name);
  const isl::map others = until.subtract(isl::map(update.domain.identity()));
  return find_reordered(s, update, others.reverse());
}

std::optional<Violation> find_reordered_contributions(const ProgramView& s,
                                                      const Definition& reduction) {
  const isl::map same = same_result(s, reduction.name);
  return find_reordered(
      s, reduction,
      same.intersect(isl::manage(isl_map_lex_lt(isl::set(reduction.domain).space().release()))));
}

}  // namespace strata
