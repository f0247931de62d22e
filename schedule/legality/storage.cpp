#include "schedule/legality/storage.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace strata {

namespace {

// { X[x] -> Y[y] } over all branches of both whose times are in "order(branch, branch)".
template <typename Order>
isl::map ordered(const Scheduled& s, const isl::map& pairs, const std::string& x,
                 const std::string& y, Order order) {
  isl::map result = isl::map::empty(pairs.space());
  for (const Placed& a : s.of(x))
    for (const Placed& b : s.of(y)) result = result.unite(pairs_ordered(pairs, a, order(a, b), b));
  return result;
}

// { P[y] -> W[w] : same place, other value, not w B y }
isl::map overwrites(const Scheduled& s, const std::string& source, const isl::map& source_place,
                    const Writer& w) {
  const std::string& writer = w.definition->name;
  const isl::map same_place = source_place.apply_range(w.place.reverse());
  // A definition that runs each instance once meets its own value in that instance alone.
  if (writer == source && runs_once(s.of(source)))
    return ordered(s, same_place.reverse(), writer, source, not_before_other).reverse();
  const isl::map pairs = with_other_value(same_place, source, *w.definition);
  if (s.algorithm().find_input(source)) return pairs;
  return ordered(s, pairs.reverse(), writer, source, not_before).reverse();
}

// The same where P is an atomic update and W too: what P's later steps make of the place is another
// value, whenever they run; the earlier ones are part of this one.
isl::map overwrites_of_steps(const Scheduled& s, const isl::map& source_place, const Writer& w) {
  const isl::map until = steps_until(*w.definition, s.algorithm());
  return source_place.apply_range(w.place.reverse()).subtract(until);
}

// What is asked of a source and a writer for each reader of the source; made when first asked for.
class Overwriting {
 public:
  Overwriting(const Scheduled& s, const Use& use, const Writer& w)
      : s_(s), source_(use.source), source_place_(use.source_place), w_(w) {}

  const isl::map& pairs() {
    const bool own = source_ == w_.definition->name && is_atomic_update(s_, *w_.definition);
    if (!pairs_)
      pairs_ = own ? overwrites_of_steps(s_, source_place_, w_)
                   : overwrites(s_, source_, source_place_, w_);
    return *pairs_;
  }

  // { t_w -> t_y } on leading loops of a branch each: the writer may run after the source.
  const isl::map& leading(const Placed& w, const Placed& y, unsigned levels) {
    auto& known = leading_[{w.path, y.path, levels}];
    if (!known)
      known = leading_times(meetings(), w, y, levels)
                  .intersect(leading_order(not_before(w, y), levels));
    return *known;
  }

 private:
  // { W[w] -> P[y] : same place, other value }
  const isl::map& meetings() {
    if (!meetings_)
      meetings_ =
          with_other_value(source_place_.apply_range(w_.place.reverse()), source_, *w_.definition)
              .reverse();
    return *meetings_;
  }

  const Scheduled& s_;
  std::string source_;
  isl::map source_place_;
  const Writer& w_;
  std::optional<isl::map> pairs_, meetings_;
  std::map<std::tuple<Path, Path, unsigned>, std::optional<isl::map>> leading_;
};

// Of one branch each of the reader, the source and a writer, asked only of the leading loops that
// all three share: does no time of the writer lie after the source and before the reader?
bool kept_on_leading_loops(const Use& use, Overwriting& overwriting, const Placed& x,
                           const Placed& y, const Placed& w) {
  const auto levels = unsigned(std::min(shared_loops(x, w), shared_loops(y, w)));
  const isl::map& over = overwriting.leading(w, y, levels);
  if (over.is_empty()) return true;
  return leading_times(use.relation, x, y, levels)
      .apply_range(over.reverse())
      .is_disjoint(leading_order(not_before_other(x, w), levels));
}

// A cheaper question, which only says yes where find_overwritten_value finds nothing: values that
// share a place are most often made in different iterations of an outer loop.
bool surely_kept(const Scheduled& s, const Use& use, const Writer& writer,
                 Overwriting& overwriting) {
  if (s.algorithm().find_input(use.source)) return false;
  for (const Placed& y : s.of(use.source))
    for (const Placed& w : s.of(writer.definition->name))
      for (const Placed& x : s.of(use.reader->name))
        if (!kept_on_leading_loops(use, overwriting, x, y, w)) return false;
  return true;
}

// { C[x] -> W[w] : same place, not x B w, w != x, w no higher lane of x }
isl::map before_reader(const Scheduled& s, const Use& use, const Writer& w) {
  const isl::map same_place = use.read_place.apply_range(w.place.reverse());
  return ordered(s, same_place, use.reader->name, w.definition->name, not_before_other);
}

// Does the definition read values of "producer", itself or through what it reads?
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

// How to keep a value that "w" overwrites.  All definitions of an array that is updated have one
// place for an element, so no store_in keeps them apart.
std::string how_to_keep(const Scheduled& s, const Use& use, const Writer& w) {
  const Definition& writer = *w.definition;
  const Definition* source = s.algorithm().find(use.source);
  const auto all = s.algorithm().definitions_of(writer.array);
  const bool updated = std::count_if(all.begin(), all.end(), [](const Definition* d) {
                         return !d->is_initial;
                       }) > 1;
  if (!updated || !source || source->array != writer.array)
    return "give the values places of their own, or keep the readers closer";
  const std::string array = writer.array, &reader = use.reader->name;
  if (use.reader->array == array)
    return "keep the loops in the order in which " + reader + " redefines " + array +
           ", or give the new values an array of their own: a computation in place of the update";
  const std::string copy =
      "let " + reader + " read a computation of its own, a copy of " + array + " made before " +
      writer.name;
  return needs(s.algorithm(), *use.reader, writer.name)
             ? copy
             : "run it before the update: " + reader + ".before(" + writer.name + "); or " + copy;
}

Violation storage_violation(Code code, const isl::map& pairs, const std::string& explanation,
                            std::vector<std::string> story, const Scheduled& s,
                            const isl::map& places, const std::string& mend) {
  return {code, pairs, explanation, mend, std::move(story), s.theta(), places};
}

// The array of a definition's values; an input itself.
std::string array_of(const Scheduled& s, const std::string& source) {
  const Definition* definition = s.algorithm().find(source);
  return definition ? definition->array : source;
}

// A definition touching the buffer: where, and whether it writes there.
struct Touch {
  const Definition* definition;
  std::string array;  // whose value it touches
  isl::map place;
  bool writes;
  bool contributes;  // what it touches is the result that it contributes to
};

std::vector<Touch> touches(const Scheduled& s, const Stores& stores) {
  std::vector<Touch> all;
  for (const Writer& w : stores.writers)
    all.push_back({w.definition, w.definition->array, w.place, true,
                   w.definition->reduction.has_value()});
  for (const Use& use : stores.uses) {
    const auto& reduction = use.reader->reduction;
    all.push_back({use.reader, array_of(s, use.source), use.read_place, false,
                   reduction && reduction->initial == use.source});
  }
  return all;
}

// Do the two touch places as atomic contributions to results of one reduction?
bool both_atomic(const Touch& a, const Touch& b) {
  return a.contributes && b.contributes && a.definition == b.definition && a.definition->is_atomic;
}

// Do the two touch what steps of one atomic update add to?
bool both_steps(const Scheduled& s, const Touch& a, const Touch& b) {
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

}  // namespace

std::optional<Violation> find_overwritten_value(const Scheduled& s, const Stores& stores) {
  std::map<std::pair<std::string, const Writer*>, Overwriting> known;
  for (const Use& use : stores.uses) {
    for (const Writer& w : stores.writers) {
      Overwriting& overwriting = known.try_emplace({use.source, &w}, s, use, w).first->second;
      const bool steps = is_atomic_update(s, *w.definition);
      const bool adds = array_of(s, use.source) == w.definition->array;
      if (steps && adds && use.reader == w.definition) continue;  // they commute
      const bool own = steps && use.source == w.definition->name;
      if (!own && surely_kept(s, use, w, overwriting)) continue;
      const isl::map& over = overwriting.pairs();
      if (over.is_empty()) continue;
      isl::map after = before_reader(s, use, w);
      // R . overwrites and after are both { C[x] -> W[w] }: most often they have nothing in common.
      if (after.is_disjoint(use.relation.apply_range(over))) continue;
      isl::map broken = use.relation.intersect(after.apply_range(over.reverse()));
      Violation v = storage_violation(
          Code::E0301_value_overwritten, broken.reverse(),
          "a value in " + stores.buffer + " would be overwritten before it is read",
          {"{0} makes the value that", "{1} reads, but", "{2} overwrites it in between"}, s,
          use.source_place, how_to_keep(s, use, w));
      if (s.algorithm().find_input(use.source)) v.story[0] = "{0} is given, and";
      v.overwrites = over;
      v.before_reader = after;
      return v;
    }
  }
  return std::nullopt;
}

isl::union_map find_conflicts(const Scheduled& s, const Stores& stores) {
  isl::union_map all = isl::union_map::empty(s.program().session->isl());
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
      all = all.unite(ordered(s, pairs, x, y, concurrent).to_union_map());
      if (x == y) all = all.unite(ordered(s, pairs, x, y, same_instruction).to_union_map());
    }
  for (const Use& use : stores.uses)
    for (const Writer& w : stores.writers) {
      const isl::map pairs = use.read_place.apply_range(w.place.reverse());
      const isl::map races = ordered(s, pairs, use.reader->name, w.definition->name, concurrent);
      all = all.unite(use.relation.reverse().apply_range(races).to_union_map());
    }
  return all;
}

std::optional<Violation> find_race(const Scheduled& s, const Stores& stores) {
  const auto all = touches(s, stores);
  for (const Touch& a : all) {
    if (!a.writes) continue;
    for (const Touch& b : all) {
      if (both_steps(s, a, b)) continue;
      isl::map pairs = a.place.apply_range(b.place.reverse());
      if (both_atomic(a, b)) pairs = pairs.subtract(same_result(*a.definition, s.algorithm()));
      pairs = ordered(s, pairs, a.definition->name, b.definition->name, concurrent);
      if (pairs.is_empty()) continue;
      return storage_violation(
          Code::E0303_race, pairs,
          "iterations that run at the same time would touch one element of " + stores.buffer,
          {"{0} writes it, and at the same time", b.writes ? "{1} writes it" : "{1} reads it"}, s,
          a.place, "keep the loop sequential, or give its iterations places of their own");
    }
  }
  return std::nullopt;
}

std::optional<Violation> find_colliding_lanes(const Scheduled& s, const Stores& stores) {
  for (const Writer& w : stores.writers) {
    const auto& name = w.definition->name;
    isl::map pairs =
        ordered(s, w.place.apply_range(w.place.reverse()), name, name, same_instruction);
    if (pairs.is_empty()) continue;
    return storage_violation(Code::E0305_lanes_collide, pairs,
                             "two lanes of one vector instruction would write one element of " +
                                 stores.buffer,
                             {"{0} and", "{1} both write it"}, s, w.place,
                             "vectorize a loop whose iterations write different elements");
  }
  return std::nullopt;
}

std::optional<Violation> find_lost_output(const Scheduled& s, const Stores& stores) {
  std::map<std::string, Placed> reference;
  for (const Placed& p : branches(s.algorithm().reference))
    reference.emplace(p.branch->definition, p);
  for (const Writer& value : stores.writers) {
    if (value.definition->reduction) continue;  // its initial value stands for the result
    isl::set last = value.place.domain();
    for (const Writer& later : stores.writers)
      if (!later.definition->reduction)
        last = last.subtract(superseded(reference, value, later).domain());
    for (const Writer& w : stores.writers) {
      const bool steps = w.definition == value.definition && is_atomic_update(s, *w.definition);
      if (steps) continue;
      isl::map lost = overwrites(s, value.definition->name, value.place, w)
                          .intersect_domain(last);
      if (lost.is_empty()) continue;
      return storage_violation(
          Code::E0304_output_not_last, lost,
          "an element of " + stores.buffer + " would not end with the value defined last",
          {"{0} is the value it should keep, but", "{1} is not written before it"}, s, value.place,
          "keep the order of definition for the values that share an element");
    }
  }
  return std::nullopt;
}

std::optional<Violation> find_store_outside(const Scheduled& s, const Stores& stores) {
  const bool input = stores.input_place.has_value();
  if (!input && !stores.box) return std::nullopt;
  const isl::set inside = input ? stores.input_place->range() : *stores.box;
  for (const Writer& w : stores.writers) {
    const isl::map any = w.place.intersect_range(w.place.range().subtract(inside));
    if (any.is_empty()) continue;
    const isl::map outside =
        any.intersect_domain(running(s.of(w.definition->name), w.definition->domain));
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
