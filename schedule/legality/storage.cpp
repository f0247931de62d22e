#include "schedule/legality/storage.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata {

namespace {

// { P[y] -> W[w] : same place, other value, not w B y }
isl::map overwrites(const ProgramView& s, const std::string& source, const isl::map& source_place,
                    const Writer& w) {
  const std::string& writer = w.definition->name;
  const isl::map same_place = source_place.apply_range(w.place.reverse());
  // If each instance runs once, only w = y writes y's value, and not_before_other leaves it out.
  if (writer == source && s.runs_once(source))
    return s.all_ordered(same_place.reverse(), writer, Order::not_before_other, source).reverse();
  const isl::map pairs = with_other_value(same_place, source, *w.definition);
  if (s.algorithm().find_input(source)) return pairs;
  return s.all_ordered(pairs.reverse(), writer, Order::not_before, source).reverse();
}

// The same if P and W are the same atomic update: P's later steps overwrite the value, whenever
// they run; the earlier ones are part of it.
isl::map overwrites_of_steps(const ProgramView& s, const isl::map& source_place, const Writer& w) {
  const isl::map until = steps_until(s, w.definition->name);
  return source_place.apply_range(w.place.reverse()).subtract(until);
}

// ---- derived for a use and a writer, given by their numbers in the buffer's Stores ----

struct Pair {
  const Use& use;
  const Writer& writer;
};
Pair pair_of(const ProgramView& s, const std::string& buffer, int use, int writer) {
  const Stores& stores = stores_of(s, buffer);
  return {stores.uses[std::size_t(use)], stores.writers[std::size_t(writer)]};
}

// overwrites(), or overwrites_of_steps()
isl::map derive_overwrites(const ProgramView& s, const std::string& buffer, const int& use,
                           const int& writer) {
  const auto [u, w] = pair_of(s, buffer, use, writer);
  const bool own = u.source == w.definition->name && is_atomic_update(s, *w.definition);
  return own ? overwrites_of_steps(s, u.source_place, w)
             : overwrites(s, u.source, u.source_place, w);
}

// { W[w] -> P[y] : same place, other value }
isl::map derive_meetings(const ProgramView& s, const std::string& buffer, const int& use,
                         const int& writer) {
  const auto [u, w] = pair_of(s, buffer, use, writer);
  return with_other_value(u.source_place.apply_range(w.place.reverse()), u.source, *w.definition)
      .reverse();
}

// { t_x -> t_y } on leading loops of two branches: the times of pairs { X[x] -> Y[y] }.
isl::map leading_times(const ProgramView& s, const isl::map& pairs, const BranchId& x,
                       const BranchId& y, unsigned levels) {
  return s.leading(x, levels)
      .reverse()
      .apply_range(s.run(pairs, x, y))
      .apply_range(s.leading(y, levels));
}

// { t_w -> t_y } on leading loops: the writer may run after the source.
isl::map derive_late_writes(const ProgramView& s, const std::string& buffer, const int& use,
                            const int& writer, const BranchId& w, const BranchId& y,
                            const int& levels) {
  const isl::map& meetings = s.derived("meetings", derive_meetings, buffer, use, writer);
  return leading_times(s, meetings, w, y, unsigned(levels))
      .intersect(leading_order(s.ordered_times(w, Order::not_before, y), unsigned(levels)));
}

// { t_x -> t_y } on leading loops: the reader reads the source.
isl::map derive_reads(const ProgramView& s, const std::string& buffer, const int& use,
                      const BranchId& x, const BranchId& y, const int& levels) {
  const Stores& stores = stores_of(s, buffer);
  return leading_times(s, stores.uses[std::size_t(use)].relation, x, y, unsigned(levels));
}

// The first use with the same source, so that what is derived for a source is derived once.
int with_same_source(const Stores& stores, int use) {
  const std::string& source = stores.uses[std::size_t(use)].source;
  const auto first = std::find_if(stores.uses.begin(), stores.uses.end(),
                                  [&](const Use& u) { return u.source == source; });
  return int(first - stores.uses.begin());
}

// For one branch each of the reader, the source and a writer, on the leading loops that all three
// share: is there no time of the writer between the source and the reader?
bool kept_on_leading_loops(const ProgramView& s, const std::string& buffer, int use, int writer,
                           const BranchId& x, const BranchId& y, const BranchId& w) {
  const int levels = std::min(s.shared_loops(x, w), s.shared_loops(y, w));
  const int source = with_same_source(stores_of(s, buffer), use);
  const isl::map& over =
      s.derived("late writes", derive_late_writes, buffer, source, writer, w, y, levels);
  if (over.is_empty()) return true;
  return s.derived("reads", derive_reads, buffer, use, x, y, levels)
      .apply_range(over.reverse())
      .is_disjoint(leading_order(s.ordered_times(x, Order::not_before_other, w), unsigned(levels)));
}

// A cheaper sufficient test: if true, find_overwritten_value finds nothing for this pair. Most
// values that share a place are made in different iterations of an outer loop.
bool surely_kept(const ProgramView& s, const std::string& buffer, int use, int writer) {
  const auto [u, w] = pair_of(s, buffer, use, writer);
  if (s.algorithm().find_input(u.source)) return false;
  for (const BranchId& source : s.of(u.source))
    for (const BranchId& other : s.of(w.definition->name))
      for (const BranchId& reader : s.of(u.reader->name))
        if (!kept_on_leading_loops(s, buffer, use, writer, reader, source, other)) return false;
  return true;
}

// { C[x] -> W[w] : same place, not x B w, w != x, w no higher lane of x }
isl::map before_reader(const ProgramView& s, const Use& use, const Writer& w) {
  const isl::map same_place = use.read_place.apply_range(w.place.reverse());
  return s.all_ordered(same_place, use.reader->name, Order::not_before_other, w.definition->name);
}

// Does the definition read values of "producer", directly or indirectly?
bool needs(const Algorithm& algorithm, const Definition& reader, const std::string& producer) {
  std::set<std::string> seen{reader.name};
  std::vector<const Definition*> left{&reader};
  while (!left.empty()) {
    const Definition& d = *left.back();
    left.pop_back();
    for (const Read& read : d.reads) {
      if (read.producer == producer) return true;
      const Definition* next = algorithm.find(read.producer);
      if (next && seen.insert(next->name).second) left.push_back(next);
    }
  }
  return false;
}

// How to keep a value that "w" overwrites. All definitions of an array share the place of an
// element, so store_in cannot separate the values of an updated array.
std::string how_to_keep(const ProgramView& s, const Use& use, const Writer& w) {
  const Definition& writer = *w.definition;
  const Definition* source = s.algorithm().find(use.source);
  const auto all = s.algorithm().definitions_of(writer.array);
  const bool updated =
      std::count_if(all.begin(), all.end(), [](const Definition* d) { return !d->is_initial; }) > 1;
  if (!updated || !source || source->array != writer.array)
    return "give each value its own element, or move the readers closer";
  const std::string array = writer.array, &reader = use.reader->name;
  if (use.reader->array == array)
    return "keep the loops in the order in which " + reader + " redefines " + array +
           ", or store the new values in another array: write a computation in place of the update";
  const std::string copy = "let " + reader + " read a copy of " + array +
                           ": a computation defined before " + writer.name;
  return needs(s.algorithm(), *use.reader, writer.name)
             ? copy
             : "run it before the update: " + reader + ".before(" + writer.name + "); or " + copy;
}

Violation storage_violation(Code code, const isl::map& pairs, const std::string& explanation,
                            std::vector<std::string> story, const ProgramView& s,
                            const isl::map& places, const std::string& mend) {
  return {code, pairs, explanation, mend, std::move(story), s.theta(), places};
}

// The array of a definition; an input itself.
std::string array_of(const ProgramView& s, const std::string& source) {
  const Definition* definition = s.algorithm().find(source);
  return definition ? definition->array : source;
}

// An access to the buffer by a definition.
struct Touch {
  const Definition* definition;
  std::string array;  // whose value it touches
  isl::map place;
  bool writes;
  bool contributes;  // it touches the result that it contributes to
};

std::vector<Touch> touches(const ProgramView& s, const Stores& stores) {
  std::vector<Touch> all;
  for (const Writer& w : stores.writers)
    all.push_back(
        {w.definition, w.definition->array, w.place, true, w.definition->reduction.has_value()});
  for (const Use& use : stores.uses) {
    const auto& reduction = use.reader->reduction;
    all.push_back({use.reader, array_of(s, use.source), use.read_place, false,
                   reduction && reduction->initial == use.source});
  }
  return all;
}

// Are both accesses atomic contributions to results of the same reduction?
bool both_atomic(const Touch& a, const Touch& b) {
  return a.contributes && b.contributes && a.definition == b.definition && a.definition->is_atomic;
}

// Do both access the array of an atomic update, as steps of it?
bool both_steps(const ProgramView& s, const Touch& a, const Touch& b) {
  const std::string& array = a.definition->array;
  return a.definition == b.definition && a.array == array && b.array == array &&
         is_atomic_update(s, *a.definition);
}

// { P[y] -> P'[y'] : same place, other value, y is before y' in the reference order }
isl::map superseded(const std::map<std::string, Placed>& reference, const Writer& value,
                    const Writer& later) {
  const isl::map pairs = with_other_value(value.place.apply_range(later.place.reverse()),
                                          value.definition->name, *later.definition);
  const Placed& a = reference.at(value.definition->name);
  const Placed& b = reference.at(later.definition->name);
  return pairs_ordered(pairs.reverse(), b, not_before(b, a), a).reverse();
}

Violation overwritten(const ProgramView& s, const std::string& buffer, const Use& use,
                      const Writer& w, const isl::map& over, const isl::map& after) {
  const isl::map broken = use.relation.intersect(after.apply_range(over.reverse()));
  Violation v = storage_violation(
      Code::E0301_value_overwritten, broken.reverse(),
      "a value in " + buffer + " would be overwritten before it is read",
      {"{0} computes the value that", "{1} reads, but", "{2} overwrites it in between"}, s,
      use.source_place, how_to_keep(s, use, w));
  if (s.algorithm().find_input(use.source)) v.story[0] = "{0} is an input value that";
  v.overwrites = over;
  v.before_reader = after;
  return v;
}

bool check_overwriting(const ProgramView& s, const Found& found, const std::string& buffer,
                       const int& number, const int& writer) {
  const auto [use, w] = pair_of(s, buffer, number, writer);
  const bool steps = is_atomic_update(s, *w.definition);
  const bool adds = array_of(s, use.source) == w.definition->array;
  if (steps && adds && use.reader == w.definition) return true;  // they commute
  const bool own = steps && use.source == w.definition->name;
  if (!own && surely_kept(s, buffer, number, writer)) return true;
  const int source = with_same_source(stores_of(s, buffer), number);
  const isl::map& over = s.derived("overwrites", derive_overwrites, buffer, source, writer);
  if (over.is_empty()) return true;
  const isl::map after = before_reader(s, use, w);
  // R . overwrites and after are both { C[x] -> W[w] }, and usually disjoint.
  if (after.is_disjoint(use.relation.apply_range(over))) return true;
  return found(overwritten(s, buffer, use, w, over, after));
}

bool check_race(const ProgramView& s, const Found& found, const std::string& buffer,
                const int& first, const int& second) {
  const auto all = touches(s, stores_of(s, buffer));
  const Touch &a = all[std::size_t(first)], &b = all[std::size_t(second)];
  if (!a.writes || both_steps(s, a, b)) return true;
  isl::map pairs = a.place.apply_range(b.place.reverse());
  if (both_atomic(a, b)) pairs = pairs.subtract(same_result(s, a.definition->name));
  pairs = s.all_ordered(pairs, a.definition->name, Order::concurrent, b.definition->name);
  if (pairs.is_empty()) return true;
  return found(storage_violation(
      Code::E0303_race, pairs,
      "iterations that run at the same time would access the same element of " + buffer,
      {"{0} writes it, and at the same time", b.writes ? "{1} writes it" : "{1} reads it"}, s,
      a.place, "keep the loop sequential, or give each iteration its own elements"));
}

bool check_lanes(const ProgramView& s, const Found& found, const std::string& buffer,
                 const int& writer) {
  const Writer& w = stores_of(s, buffer).writers[std::size_t(writer)];
  const auto& name = w.definition->name;
  const isl::map pairs =
      s.all_ordered(w.place.apply_range(w.place.reverse()), name, Order::same_instruction, name);
  if (pairs.is_empty()) return true;
  return found(storage_violation(
      Code::E0305_lanes_collide, pairs,
      "two lanes of one vector instruction would write the same element of " + buffer,
      {"{0} and", "{1} both write it"}, s, w.place,
      "vectorize a loop whose iterations write different elements"));
}

// The first violation that "check" reports.
template <typename Check>
std::optional<Violation> first_found(Check check) {
  std::optional<Violation> first;
  check([&](Violation v) {
    first = std::move(v);
    return false;
  });
  return first;
}

}  // namespace

std::optional<Violation> find_overwritten_value(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  return first_found([&](const Found& found) {
    for (int use = 0; use < int(stores.uses.size()); ++use)
      for (int w = 0; w < int(stores.writers.size()); ++w)
        if (!s.check("overwriting", check_overwriting, found, buffer, use, w)) return;
  });
}

isl::union_map find_conflicts(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  isl::union_map all = isl::union_map::empty(s.isl());
  for (const Use& use : stores.uses)
    for (const Writer& w : stores.writers) {
      const isl::map after = use.relation.reverse().apply_range(before_reader(s, use, w));
      const isl::map over = overwrites(s, use.source, use.source_place, w);
      all = all.unite(over.intersect(after).to_union_map());
    }
  for (const Writer& a : stores.writers)
    for (const Writer& b : stores.writers) {
      const auto &x = a.definition->name, &y = b.definition->name;
      const isl::map pairs = a.place.apply_range(b.place.reverse());
      all = all.unite(s.all_ordered(pairs, x, Order::concurrent, y).to_union_map());
      if (x == y)
        all = all.unite(s.all_ordered(pairs, x, Order::same_instruction, y).to_union_map());
    }
  for (const Use& use : stores.uses)
    for (const Writer& w : stores.writers) {
      const isl::map pairs = use.read_place.apply_range(w.place.reverse());
      const isl::map races =
          s.all_ordered(pairs, use.reader->name, Order::concurrent, w.definition->name);
      all = all.unite(use.relation.reverse().apply_range(races).to_union_map());
    }
  return all;
}

std::optional<Violation> find_race(const ProgramView& s, const std::string& buffer) {
  const int count = int(touches(s, stores_of(s, buffer)).size());
  return first_found([&](const Found& found) {
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b)
        if (!s.check("race", check_race, found, buffer, a, b)) return;
  });
}

std::optional<Violation> find_colliding_lanes(const ProgramView& s, const std::string& buffer) {
  const int count = int(stores_of(s, buffer).writers.size());
  return first_found([&](const Found& found) {
    for (int writer = 0; writer < count; ++writer)
      if (!s.check("lanes", check_lanes, found, buffer, writer)) return;
  });
}

std::optional<Violation> find_lost_output(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  std::map<std::string, Placed> reference;
  for (const Placed& p : branches(s.algorithm().reference))
    reference.emplace(p.branch->definition, p);
  for (const Writer& value : stores.writers) {
    if (value.definition->reduction) continue;  // represented by its initial value
    isl::set last = value.place.domain();
    for (const Writer& later : stores.writers)
      if (!later.definition->reduction)
        last = last.subtract(superseded(reference, value, later).domain());
    for (const Writer& w : stores.writers) {
      const bool steps = w.definition == value.definition && is_atomic_update(s, *w.definition);
      if (steps) continue;
      isl::map lost = overwrites(s, value.definition->name, value.place, w).intersect_domain(last);
      if (lost.is_empty()) continue;
      return storage_violation(
          Code::E0304_output_not_last, lost,
          "an element of " + stores.buffer + " would not hold the value defined last at the end",
          {"{0} is the value it should keep, but", "{1} is not written before it"}, s, value.place,
          "keep the order of definition for the values that share an element");
    }
  }
  return std::nullopt;
}

std::optional<Violation> find_store_outside(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  const bool input = stores.input_place.has_value();
  if (!input && !stores.box) return std::nullopt;
  const isl::set inside = input ? stores.input_place->range() : *stores.box;
  for (const Writer& w : stores.writers) {
    const isl::map any = w.place.intersect_range(w.place.range().subtract(inside));
    if (any.is_empty()) continue;
    isl::set running = isl::set::empty(isl::set(w.definition->domain).space());
    for (const BranchId& branch : s.of(w.definition->name))
      running = running.unite(s.executed(branch));
    const isl::map outside = any.intersect_domain(running);
    if (outside.is_empty()) continue;
    return storage_violation(
        Code::E0302_access_out_of_bounds, isl::map(outside.domain().identity()),
        w.definition->name + " would be stored outside " + stores.buffer,
        {std::string("{0} writes outside the extents of the ") + (input ? "input" : "buffer")}, s,
        outside,
        input ? "change store_in, or the extents of the input" : "change store_in, or the extents");
  }
  return std::nullopt;
}

}  // namespace strata
