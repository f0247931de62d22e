#include "layers/flow/barriers.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "layers/flow/stabbing.h"

namespace strata {

namespace {

// { [t'0, ..] -> [t0, ..] : t'_p = t_p for p < equal }
isl::map same_prefix(isl::ctx ctx, std::size_t in, std::size_t out, int equal) {
  isl_map* map = isl_map_universe(isl_space_alloc(ctx.get(), 0, unsigned(in), unsigned(out)));
  for (int p = 0; p < equal; ++p) map = isl_map_equate(map, isl_dim_in, p, isl_dim_out, p);
  return isl::manage(map);
}

// The same, but without the levels over parametric tiles: there any two times may be in one tile.
isl::map maybe_same_prefix(isl::ctx ctx, const Placed& x, const Placed& y, int equal) {
  isl_map* map = same_prefix(ctx, x.loops.size(), y.loops.size(), 0).release();
  for (int p = 0; p < equal; ++p)
    if (!x.loops[std::size_t(p)]->tile_size)
      map = isl_map_equate(map, isl_dim_in, p, isl_dim_out, p);
  return isl::manage(map);
}

// { t' -> t : t'_level < t_level }, restricted to the pairs of "prefix"
isl::map later_in(const isl::map& prefix, int level) {
  return isl::manage(isl_map_order_lt(prefix.copy(), isl_dim_in, level, isl_dim_out, level));
}

// { t' -> t : t'_p = t_p for p < level, t'_level < t_level }
isl::map later(isl::ctx ctx, std::size_t in, std::size_t out, int level) {
  return later_in(same_prefix(ctx, in, out, level), level);
}

// { [t0, .., t(levels-1)] : [t0, ..] in prefixes }
isl::set cylinder(const isl::set& prefixes, std::size_t levels) {
  return isl::manage(
      isl_set_add_dims(prefixes.copy(), isl_dim_set, unsigned(levels) - prefixes.tuple_dim()));
}

isl::set leading(const isl::set& times, std::size_t levels) {
  return isl::manage(isl_set_project_out(times.copy(), isl_dim_set, unsigned(levels),
                                         times.tuple_dim() - unsigned(levels)));
}

// { [z', y', x'] -> [z, y, x] : different }
isl::map other_thread(isl::ctx ctx) {
  const isl::map any = same_prefix(ctx, 3, 3, 0);
  isl::map differ = isl::map::empty(any.space());
  for (int axis = 0; axis < 3; ++axis) {
    const isl::map less =
        isl::manage(isl_map_order_lt(any.copy(), isl_dim_in, axis, isl_dim_out, axis));
    differ = differ.unite(less).unite(less.reverse());
  }
  return differ;
}

std::vector<isl::map> parts_of(const isl::map& map) {
  std::vector<isl::map> parts;
  map.foreach_basic_map([&](isl::basic_map part) { parts.push_back(isl::map(part)); });
  return parts;
}

void widen(Fenced& fence, const Fenced& more) {
  fence.shared |= more.shared;
  fence.global |= more.global;
  fence.copies |= more.copies;
}

struct Body {
  Path path;
  const Loop* loop;
  std::vector<std::size_t> members = {};  // the branches inside
  std::map<int, Fenced> gaps = {};        // those that have a barrier or a wait
  // The iterations { [t0, .., t_level] } in which something runs, and those in which all threads
  // surely pass a barrier.
  std::optional<isl::set> iterations = {}, passed = {};
  int level() const { return int(path.size()) - 1; }
  bool is_iterated() const { return !is_of_launch(loop->processor); }
  int phase_of(const BlockBranch& branch) const { return branch.placed.path[path.size()]; }
};

// The arcs of gaps in one body that need a barrier, each with the fence that its conflicts need.
struct Arcs {
  std::map<std::pair<int, int>, Fenced> all = {};  // by first gap and length

  bool has(int first, int length, const Fenced& memory) const {
    const auto found = all.find({first, length});
    return found != all.end() && (found->second.shared || !memory.shared) &&
           (found->second.global || !memory.global) && (found->second.copies || !memory.copies);
  }
  void note(int first, int length, const Fenced& memory) { widen(all[{first, length}], memory); }
};

bool is_thread(const Loop* loop) { return loop->processor == Processor::thread; }

// Finds the gaps with a barrier. Given those, it finds the gaps with a wait alone.
class Search {
 public:
  explicit Search(const std::vector<BlockBranch>& branches,
                  const std::vector<Gap>* barriers = nullptr)
      : branches_(branches), barriers_(barriers) {
    for (const BlockBranch& branch : branches_) add_bodies(branch);
    std::stable_sort(bodies_.begin(), bodies_.end(),
                     [](const Body& a, const Body& b) { return a.path.size() > b.path.size(); });
    for (Body& body : bodies_) add_members(body);
  }

  std::vector<Gap> gaps() {
    for (Body& body : bodies_) place(body);
    std::vector<Gap> all;
    for (const Body& body : bodies_)
      for (const auto& [after, fence] : body.gaps)
        if (!barriers_ || !given_waits(body).count(after)) all.push_back({body.path, after, fence});
    return all;
  }

 private:
  isl::ctx ctx() const { return branches_.front().times.ctx(); }

  void add_bodies(const BlockBranch& branch) {
    const auto& loops = branch.placed.loops;
    const auto is = [](Processor p) { return [p](const Loop* l) { return l->processor == p; }; };
    const auto threads = std::find_if(loops.begin(), loops.end(), is(Processor::thread));
    const auto block = std::find_if(loops.rbegin(), loops.rend(), is(Processor::block));
    if (block == loops.rend() || (!barriers_ && threads == loops.end())) return;
    for (auto loop = block.base() - 1; loop != (barriers_ ? loops.end() : threads); ++loop) {
      Path path = prefix(branch.placed.path, std::size_t(loop - loops.begin()) + 1);
      const auto same = [&](const Body& body) { return body.path == path; };
      if (std::none_of(bodies_.begin(), bodies_.end(), same))
        bodies_.push_back({std::move(path), *loop});
    }
  }

  void add_members(Body& body) {
    for (std::size_t n = 0; n < branches_.size(); ++n) {
      if (!is_inside(branches_[n].placed.path, body.path)) continue;
      body.members.push_back(n);
      const isl::set some = leading(branches_[n].times, body.path.size());
      body.iterations = body.iterations ? body.iterations->unite(some) : some;
    }
    body.passed = none(body);
  }

  static isl::set none(const Body& body) { return isl::set::empty(body.iterations->space()); }

  const Body* body_at(const Path& path) const {
    const auto found = std::find_if(bodies_.begin(), bodies_.end(),
                                    [&](const Body& body) { return body.path == path; });
    return found == bodies_.end() ? nullptr : &*found;
  }

  // The iterations of the body in which its phase surely passes a barrier.
  isl::set passing(const Body& body, int phase) const {
    Path inner = body.path;
    inner.push_back(phase);
    const Body* loop = body_at(inner);
    // A wait inside a thread loop tells nothing about the threads that do not run it.
    return loop && !is_thread(loop->loop) ? leading(*loop->passed, body.path.size()) : none(body);
  }

  // The iterations in which one of the phases from .. to-1 surely passes a barrier.
  isl::set passing(const Body& body, int from, int to) const {
    isl::set all = none(body);
    for (int phase = from; phase < to; ++phase) all = all.unite(passing(body, phase));
    return all;
  }

  int phases(const Body& body) const { return int(body.loop->body.size()); }

  // The times of a branch with a barrier before (or after) them within their phase of "body".
  // Nothing stands for all times of the branch. The bodies inside already have their barriers.
  const std::optional<isl::set>& met_inside(const Body& body, const BlockBranch& branch,
                                            bool before) {
    const auto [known, is_new] = met_inside_.try_emplace({&body, &branch, before});
    if (is_new) known->second = find_met_inside(body, branch, before);
    return known->second;
  }

  std::optional<isl::set> find_met_inside(const Body& body, const BlockBranch& branch,
                                          bool before) const {
    const std::size_t levels = branch.placed.loops.size();
    isl::set met = isl::set::empty(branch.times.space());
    for (const Body& inner : bodies_) {
      if (inner.path.size() <= body.path.size() || !is_inside(branch.placed.path, inner.path))
        continue;
      const int phase = inner.phase_of(branch), level = inner.level();
      for (const auto& [after, fence] : inner.gaps)
        if (before ? after < phase : after >= phase) return std::nullopt;
      const isl::map order = later(ctx(), inner.path.size(), inner.path.size(), level);
      const isl::set other =
          inner.is_iterated() ? inner.passed->apply(before ? order : order.reverse()) : none(inner);
      const isl::set same =
          before ? passing(inner, 0, phase) : passing(inner, phase + 1, phases(inner));
      met = met.unite(cylinder(other.unite(same), levels));
    }
    return met;
  }

  // { t' -> t : the threads of t' and t differ }, in parts. Both threads must be known.
  const std::vector<isl::map>& apart(const BlockBranch& x, const BlockBranch& y) {
    const auto [known, is_new] = apart_.try_emplace({&x, &y});
    if (is_new)
      known->second =
          parts_of(x.thread->apply_range(other_thread(ctx())).apply_range(y.thread->reverse()));
    return known->second;
  }

  // A superset of the places that consists of one basic map.
  const isl::map& hull(const Touching& touching) {
    const auto [known, is_new] = hulls_.try_emplace(&touching);
    if (is_new)
      known->second =
          isl::manage(isl_map_from_basic_map(isl_map_simple_hull(touching.places.copy())));
    return known->second;
  }

  // Calls "visitor" on the nonempty parts of { t' -> t in "order" : different threads touch one
  // place } (for waits: any threads), until it returns false. The first part, or the hulls of the
  // places, decide most questions.
  template <typename Visitor>
  void for_each_conflict(const BlockBranch& x, const Touching& first, const BlockBranch& y,
                         const Touching& second, const isl::map& order, const Visitor& visitor) {
    const bool in_parts = first.places.n_basic_map() > 1 || second.places.n_basic_map() > 1;
    if (in_parts && hull(first).apply_range(hull(second).reverse()).is_disjoint(order)) return;
    const bool known = !barriers_ && x.thread && y.thread;
    const std::vector<isl::map> readers = parts_of(second.places.reverse());
    for (const isl::map& touched : parts_of(first.places))
      for (const isl::map& reader : readers) {
        const isl::map pairs = touched.apply_range(reader).intersect(order);
        if (pairs.is_empty()) continue;
        if (!known) {
          if (!visitor(pairs)) return;
          continue;
        }
        for (const isl::map& other : apart(x, y)) {
          const isl::map some = pairs.intersect(other);
          if (!some.is_empty() && !visitor(some)) return;
        }
      }
  }

  // The times of a branch with a barrier before (or after) them: within their phase, or because
  // they are in "others". Nothing stands for all times of the branch.
  std::optional<isl::set> met(const Body& body, const BlockBranch& branch, bool before,
                              const isl::set& others) {
    const std::optional<isl::set>& inside = met_inside(body, branch, before);
    if (!inside) return std::nullopt;
    return inside->unite(cylinder(others, branch.placed.loops.size()));
  }

  // The pairs with t' not in "after" and t not in "before"; nothing stands for all times.
  static isl::map without(const isl::map& pairs, const std::optional<isl::set>& after,
                          const std::optional<isl::set>& before) {
    if (!after || !before) return isl::map::empty(pairs.space());
    isl::map rest = pairs;
    if (!after->is_empty()) rest = isl::manage(isl_map_subtract_domain(rest.copy(), after->copy()));
    if (before->is_empty()) return rest;
    return isl::manage(isl_map_subtract_range(rest.copy(), before->copy()));
  }

  // Barriers inside the phases separate conflicts in this memory, so they need its fence.
  void met_further_in(const Body& body, const Fenced& memory) {
    for (Body& inner : bodies_)
      if (inner.path.size() > body.path.size() && is_inside(inner.path, body.path))
        for (auto& [after, fence] : inner.gaps) widen(fence, memory);
  }

  // The fence that a conflict needs if this access comes first.
  Fenced memory_of(const BlockBranch& x, const Touching& first) const {
    if (barriers_) return {false, false, true};
    return {first.memory.shared, first.memory.global, x.asynchronous};
  }

  // Conflicts in one iteration of the body.
  void in_one_iteration(Body& body, const BlockBranch& x, const Touching& first,
                        const BlockBranch& y, const Touching& second, Arcs& arcs) {
    const int a = body.phase_of(x), b = body.phase_of(y);
    const Fenced memory = memory_of(x, first);
    if (a >= b || arcs.has(a, b - a, memory)) return;
    const isl::map order = maybe_same_prefix(ctx(), x.placed, y.placed, body.level() + 1);
    const auto after = met(body, x, false, passing(body, a + 1, b));
    const auto before = met(body, y, true, none(body));
    bool found = false, unmet = false;
    for_each_conflict(x, first, y, second, order, [&](const isl::map& pairs) {
      found = true;
      unmet = !without(pairs, after, before).is_empty();
      return !unmet && after && before;
    });
    if (unmet)
      arcs.note(a, b - a, memory);
    else if (found)
      met_further_in(body, memory);
  }

  // { t' -> t : an iteration in "some" is between those of t' and t }
  isl::map with_between(const Body& body, const isl::set& some, std::size_t dx,
                        std::size_t dy) const {
    const std::size_t count = body.path.size();
    const isl::map to = later(ctx(), dx, count, body.level()).intersect_range(some);
    return to.apply_range(later(ctx(), count, dy, body.level()));
  }

  // Conflicts from an iteration of the body's loop to a later one.
  void across_iterations(Body& body, const BlockBranch& x, const Touching& first,
                         const BlockBranch& y, const Touching& second, Arcs& arcs) {
    const int a = body.phase_of(x), b = body.phase_of(y), n = phases(body);
    const std::size_t dx = x.placed.loops.size(), dy = y.placed.loops.size();
    const int length = std::min(n, n - a + b);
    const Fenced memory = memory_of(x, first);
    if (arcs.has(a, length, memory)) return;
    const isl::map prefix = maybe_same_prefix(ctx(), x.placed, y.placed, body.level());
    const auto after = met(body, x, false, passing(body, a + 1, n));
    const auto before = met(body, y, true, passing(body, 0, b));
    const isl::set passed = passing(body, 0, n);
    bool some_met = false, unmet = false, adjacent = false;
    const auto judge = [&](const isl::map& pairs) {
      isl::map rest = without(pairs, after, before);
      if (!passed.is_empty()) rest = rest.subtract(with_between(body, passed, dx, dy));
      some_met = some_met || !pairs.is_subset(rest);
      if (rest.is_empty()) return after && before;
      unmet = true;
      adjacent = !rest.is_subset(with_between(body, *body.iterations, dx, dy));
      return !adjacent;
    };
    for_each_conflict(x, first, y, second, later_in(prefix, body.level()), judge);
    if (unmet) arcs.note(adjacent ? a : 0, adjacent ? length : n, memory);
    // Pairs in adjacent iterations need not pass the chosen gap: barriers inside separate them.
    if (some_met && !adjacent) met_further_in(body, memory);
  }

  void add_arcs(Body& body, const BlockBranch& x, const BlockBranch& y, Arcs& arcs) {
    if (barriers_ && !x.asynchronous) return;
    for (const Touching& first : x.touchings)
      for (const Touching& second : y.touchings) {
        if (first.buffer != second.buffer || !(first.writes || second.writes) ||
            (first.atomic && second.atomic))
          continue;
        in_one_iteration(body, x, first, y, second, arcs);
        if (body.is_iterated()) across_iterations(body, x, first, y, second, arcs);
      }
  }

  Arcs arcs_of(Body& body) {
    Arcs found;
    for (const std::size_t x : body.members)
      for (const std::size_t y : body.members) add_arcs(body, branches_[x], branches_[y], found);
    return found;
  }

  void place(Body& body) {
    if (barriers_)
      place_waits(body);
    else
      place_barriers(body);
    body.passed = body.gaps.empty() ? passing(body, 0, phases(body)) : body.iterations;
  }

  void place_barriers(Body& body) {
    const Arcs found = arcs_of(body);
    std::vector<Arc> arcs;
    for (const auto& [arc, memory] : found.all) arcs.push_back({arc.first, arc.second});
    const int n = phases(body);
    const auto given = body.loop->barrier ? std::optional(n - 1) : std::nullopt;
    if (given) body.gaps[*given] = {true, true};
    for (const int gap : fewest_points(arcs, n, given)) {
      Fenced& fence = body.gaps[gap];
      for (const auto& [arc, memory] : found.all)
        if (meets({arc.first, arc.second}, gap, n))
          widen(fence, {memory.shared, memory.global, false});
    }
    add_waits(body, found);
  }

  // Adds waits to the barriers: to the fewest that meet all arcs of asynchronous copies.
  void add_waits(Body& body, const Arcs& found) {
    std::vector<int> gaps;
    for (const auto& [gap, fence] : body.gaps) gaps.push_back(gap);
    const int n = phases(body), count = int(gaps.size());
    std::vector<Arc> arcs;  // of indices into "gaps"
    for (const auto& [arc, memory] : found.all) {
      if (!memory.copies) continue;
      const auto after = std::lower_bound(gaps.begin(), gaps.end(), arc.first);
      const auto met = std::count_if(
          gaps.begin(), gaps.end(),
          [&, one = Arc{arc.first, arc.second}](int gap) { return meets(one, gap, n); });
      arcs.push_back({int(after - gaps.begin()) % count, int(met)});
    }
    for (const int gap : fewest_points(arcs, count))
      body.gaps[gaps[std::size_t(gap)]].copies = true;
  }

  // The gaps whose barrier has a wait before it.
  std::set<int> given_waits(const Body& body) const {
    std::set<int> gaps;
    for (const Gap& gap : *barriers_)
      if (gap.fence.copies && gap.body == body.path) gaps.insert(gap.after);
    return gaps;
  }

  void place_waits(Body& body) {
    const std::set<int> given = given_waits(body);
    const int n = phases(body);
    std::vector<Arc> arcs;
    for (const auto& [arc, memory] : arcs_of(body).all)
      if (std::none_of(given.begin(), given.end(), [&, arc = Arc{arc.first, arc.second}](int gap) {
            return meets(arc, gap, n);
          }))
        arcs.push_back({arc.first, arc.second});
    for (const int gap : given) body.gaps[gap].copies = true;
    for (const int gap : fewest_points(arcs, n)) body.gaps[gap].copies = true;
  }

  const std::vector<BlockBranch>& branches_;
  const std::vector<Gap>* barriers_;  // null while barriers are searched
  std::vector<Body> bodies_;          // the inner ones first
  std::map<std::pair<const BlockBranch*, const BlockBranch*>, std::vector<isl::map>> apart_;
  std::map<const Touching*, isl::map> hulls_;
  std::map<std::tuple<const Body*, const BlockBranch*, bool>, std::optional<isl::set>> met_inside_;
};

void add(const Gap& wait, std::vector<Gap>& all) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const Gap& gap) {
    return gap.body == wait.body && gap.after == wait.after;
  });
  if (same == all.end())
    all.push_back(wait);
  else
    same->fence.copies = true;
}

}  // namespace

std::vector<Gap> barriers(const std::vector<BlockBranch>& branches) {
  if (branches.empty()) return {};
  std::vector<Gap> all = Search(branches).gaps();
  if (std::any_of(branches.begin(), branches.end(),
                  [](const BlockBranch& b) { return b.asynchronous; }))
    for (const Gap& wait : Search(branches, &all).gaps()) add(wait, all);
  return all;
}

}  // namespace strata
