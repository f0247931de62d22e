#include "schedule/legality/order.h"

#include <isl/map.h>

#include "core/announced_work.h"

namespace strata {

namespace {

isl::map none(const isl::map& like) { return isl::map::empty(like.space()); }

// { [C[x] -> t] -> P[y] }: the reads of every execution of one branch of the reader ..
isl::map needed_by(const isl::map& relation, const Placed& reader) {
  return executions(*reader.branch).domain_map().as_map().apply_range(relation.reverse());
}

// .. and those that an execution of one branch of the producer serves.
isl::map served(const Placed& producer, const Placed& reader) {
  const isl::map order = not_before(producer, reader);
  const isl::map before = isl::map::universe(order.space()).subtract(order);
  const unsigned levels = order.domain_tuple_dim();
  isl::map times = executions(*reader.branch).range_map().as_map();  // { [C[x] -> t] -> [t] }
  times = isl::manage(isl_map_project_out(times.release(), isl_dim_out, levels,
                                          unsigned(reader.loops.size()) - levels));
  return composed(times, before.reverse(), leading_time(producer, levels).reverse());
}

isl::map unserved(const Scheduled& s, const Edge& edge) {
  isl::map pairs = none(edge.relation);
  for (const Placed& reader : s.of(edge.sink)) {
    isl::map missing = needed_by(edge.relation, reader);
    for (const Placed& producer : s.of(edge.source))
      missing = missing.subtract(served(producer, reader));
    // { [C[x] -> t] -> C[x] }
    isl::map to_reader = executions(*reader.branch).domain_map().as_map();
    pairs = pairs.unite(missing.reverse().apply_range(to_reader));
  }
  return pairs;
}

isl::map reversed(const Scheduled& s, const Edge& edge) {
  isl::map pairs = none(edge.relation);
  for (const Placed& producer : s.of(edge.source))
    for (const Placed& reader : s.of(edge.sink))
      pairs = pairs.unite(
          pairs_ordered(edge.relation, producer, not_before(producer, reader), reader));
  // Where every execution of the producer comes before, it does not matter how many there are.
  return pairs.is_empty() || runs_once(s.of(edge.source)) ? pairs : unserved(s, edge);
}

// The branch, with the loops of these processors sequential.
class Sequential {
 public:
  Sequential(const Placed& placed, bool (*of)(Processor)) : placed_(placed) {
    for (const Loop* loop : placed.loops)
      loops_.push_back(Loop{of(loop->processor) ? made_sequential(*loop) : LoopHead(*loop)});
    for (std::size_t p = 0; p < loops_.size(); ++p) placed_.loops[p] = &loops_[p];
  }
  Sequential(const Sequential&) = delete;
  const Placed& placed() const { return placed_; }

 private:
  Placed placed_;
  std::vector<Loop> loops_;
};

// Would the same loops, all sequential, keep the order?
bool kept_sequentially(const Scheduled& s, const Edge& edge, const isl::map& pairs) {
  const auto all = [](Processor) { return true; };
  for (const Placed& producer : s.of(edge.source))
    for (const Placed& reader : s.of(edge.sink)) {
      const Sequential p(producer, all), r(reader, all);
      const isl::map order = not_before(p.placed(), r.placed());
      if (!pairs_ordered(pairs, p.placed(), order, r.placed()).is_empty()) return false;
    }
  return true;
}

// Atomic contributions commute between threads: what is left unordered where threads take turns
// meets in one instruction.
isl::map unordered_contributions(const Definition& reduction, const isl::map& same, const Placed& a,
                                 const Placed& b) {
  if (!reduction.is_atomic) return pairs_ordered(same, a, unordered(a, b), b);
  const Sequential x(a, has_threads), y(b, has_threads);
  return pairs_ordered(same, x.placed(), unordered(x.placed(), y.placed()), y.placed());
}

}  // namespace

std::optional<Violation> find_reversed_dependence(const Scheduled& s, const Edge& edge) {
  isl::map pairs = reversed(s, edge);
  if (pairs.is_empty()) return std::nullopt;
  const bool carried = kept_sequentially(s, edge, pairs);
  Violation v{carried ? Code::E0202_dependence_carried : Code::E0201_dependence_reversed,
              pairs,
              carried ? "iterations that run at the same time would need each other's values"
                      : "a reader would run before the value it reads",
              "",
              {"{0} makes the value that", "{1} uses"},
              s.theta()};
  v.may = edge.may;
  return v;
}

std::optional<Violation> find_unscheduled_producer(const Scheduled& s, const Edge& edge) {
  isl::set made = isl::set::empty(edge.relation.domain().space());
  isl::set running = isl::set::empty(edge.relation.range().space());
  for (const Placed& p : s.of(edge.source)) made = made.unite(executions(*p.branch).domain());
  for (const Placed& c : s.of(edge.sink)) running = running.unite(executions(*c.branch).domain());
  isl::set needed = edge.relation.intersect_range(running).domain();
  if (needed.is_subset(made)) return std::nullopt;
  isl::map pairs =
      edge.relation.intersect_range(running).intersect_domain(needed.subtract(made));
  return Violation{Code::E0204_not_scheduled,
                   pairs,
                   "an instance of " + edge.source + " is needed and never runs",
                   "schedule every instance",
                   {"{0} is not scheduled, and", "{1} uses its value"},
                   s.theta()};
}

std::optional<Violation> find_concurrent_contributions(const Scheduled& s,
                                                       const Definition& reduction) {
  const isl::map same = same_result(reduction, s.algorithm());
  isl::map pairs = none(same);
  for (const Placed& a : s.of(reduction.name))
    for (const Placed& b : s.of(reduction.name))
      pairs = pairs.unite(unordered_contributions(reduction, same, a, b));
  if (pairs.is_empty()) return std::nullopt;
  return Violation{Code::E0207_reduction_concurrent,
                   pairs,
                   "two contributions to one result of " + reduction.array +
                       " would run at the same time",
                   "tag a loop of the result instead, or keep this one sequential",
                   {"{0} and", "{1} both add to it"},
                   s.theta()};
}

namespace {

// Of pairs { S[c] -> S[c'] }, c the first in the algorithm, those that the order does not keep.
std::optional<Violation> find_reordered(const Scheduled& s, const Definition& d,
                                        const isl::map& forward) {
  isl::map pairs = none(forward);
  for (const Placed& a : s.of(d.name))
    for (const Placed& b : s.of(d.name))
      pairs = pairs.unite(pairs_ordered(forward, a, not_before(a, b), b));
  if (pairs.is_empty()) return std::nullopt;
  return Violation{Code::E0504_sum_not_in_order,
                   pairs,
                   "contributions to one result of " + d.array +
                       " come in another order than the algorithm has, and floats round there",
                   "choose Floats::fast, or keep the order of the reduced iterators",
                   {"{0} comes before", "{1} in the algorithm"},
                   s.theta()};
}

}  // namespace

std::optional<Violation> find_reordered_steps(const Scheduled& s, const Definition& update) {
  const isl::map until = steps_until(update, s.algorithm());
  const isl::map others = until.subtract(isl::map(update.domain.identity()));
  return find_reordered(s, update, others.reverse());
}

std::optional<Violation> find_reordered_contributions(const Scheduled& s,
                                                      const Definition& reduction) {
  const isl::map same = same_result(reduction, s.algorithm());
  return find_reordered(s, reduction,
                        same.intersect(isl::manage(isl_map_lex_lt(
                            isl::set(reduction.domain).space().release()))));
}

}  // namespace strata
