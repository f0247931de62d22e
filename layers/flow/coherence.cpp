#include "layers/flow/coherence.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/sets/coalesce.h"
#include "core/sets/naming.h"
#include "layers/flow/communication.h"
#include "layers/flow/order.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

bool is_launch(const Node& node) {
  return node.is_loop() && node.loop().processor == Processor::block;
}

bool has_launch(const Node& node) {
  if (!node.is_loop()) return false;
  return is_launch(node) ||
         std::any_of(node.loop().body.begin(), node.loop().body.end(), has_launch);
}

bool has_parametric_tiles(const Node& node) {
  if (!node.is_loop()) return false;
  const Loop& loop = node.loop();
  return loop.tile_size || std::any_of(loop.body.begin(), loop.body.end(), has_parametric_tiles);
}

bool has_launches(const Mapping& mapping) {
  return std::any_of(mapping.roots.begin(), mapping.roots.end(), has_launch);
}

int side_of(const Placed& placed) {
  return std::any_of(placed.loops.begin(), placed.loops.end(),
                     [](const Loop* l) { return l->processor == Processor::block; })
             ? device_side
             : host_side;
}

// The buffers of all scalars of an array.
std::vector<std::string> buffers_of(const Program& program, const std::string& array) {
  std::vector<std::string> all{buffer_of(program.layout, array)};
  for (const Component& c : program.algorithm->components_of(array)) all.push_back(c.name);
  return all;
}

bool is_in(const Program& program, const std::string& array, const std::string& buffer) {
  const auto all = buffers_of(program, array);
  return std::find(all.begin(), all.end(), buffer) != all.end();
}

// The buffers of the scalars that the expressions of a definition name.
std::set<std::string> buffers_named(const Program& program, const Definition& d) {
  std::set<std::string> names;
  for_each_expression(d, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      if (!names_array(e)) return;
      const bool is_first = program.algorithm->array_of(e.name()) == e.name();
      names.insert(is_first ? buffer_of(program.layout, e.name()) : e.name());
    });
  });
  return names;
}

// What definition S reads from a buffer: { S[i] -> P[j] }. A contribution also reads the result
// that it adds to. A read of one scalar of a tuple does not read the others.
struct Use {
  isl::map needed;
  const Definition* producer;  // null for an input
};

std::vector<Use> uses_of(const Program& program, const Definition& d, const std::string& buffer) {
  const Algorithm& algorithm = *program.algorithm;
  const bool is_named = buffers_named(program, d).count(buffer) > 0;
  std::vector<Use> uses;
  for (const Read& read : d.reads) {
    const std::string array = algorithm.array_read(read);
    // An update may keep the old value of each scalar of its own array.
    if (is_in(program, array, buffer) && (is_named || array == d.array))
      uses.push_back({read.relation, algorithm.find(read.producer)});
  }
  if (d.reduction && is_in(program, d.array, buffer))
    uses.push_back({result_of(d), algorithm.find(d.reduction->initial)});
  return uses;
}

// { X[e] -> b[..] }, for any scalar of the array.
isl::map store_in_buffer(const Program& program, const std::string& array,
                         const std::string& buffer) {
  const isl::map store = program.layout.store.at(array);
  return isl::manage(isl_map_set_tuple_name(store.copy(), isl_dim_out, buffer.c_str()));
}

// A branch that touches the buffer, and the unit that contains it.
struct Toucher {
  Placed placed;
  const Definition* definition;
  int side;
  Path unit = {};
  std::optional<isl::map> times = {};  // { S[i] -> u }
};

class BufferEvents {
 public:
  BufferEvents(const Program& program, const Mapping& mapping, const LayoutBuffer& buffer,
               Path scope, const Request& request)
      : program_(program), mapping_(mapping), buffer_(buffer), request_(request) {
    events_.buffer = buffer.name;
    events_.scope = std::move(scope);
    for (const Placed& placed : branches(mapping))
      if (is_inside(placed.path, events_.scope)) add_toucher(placed);
  }

  void require_units() const {
    if (!may_need_copies()) return;
    for (const Toucher& t : touchers_) unit_of(t);
  }

  // Nothing if the buffer never needs a copy.
  std::optional<CoherenceEvents> events() {
    if (!may_need_copies()) return std::nullopt;
    events_.dimensions = 2 * max_depth(mapping_) + 1;
    for (Toucher& t : touchers_) {
      t.unit = unit_of(t);
      t.times = times(t);
      if (events_.units.empty() || events_.units.back() != t.unit) events_.units.push_back(t.unit);
    }
    events_.precedes = precedes();
    const isl::set none = isl::set::empty(events_.precedes.space().domain());
    for (int side : {host_side, device_side}) events_.writes[side] = events_.needs[side] = none;
    alive_ = isl::map::empty(events_.precedes.space());
    for (const Toucher& t : touchers_) add_writes(t);
    for (const Toucher& t : touchers_)
      for (const Use& use : uses_of(program_, *t.definition, buffer_.name)) add_use(t, use);
    add_values_kept();
    if (is_argument()) add_caller();
    for (int side : {host_side, device_side}) {
      events_.writes[side] = coalesced(events_.writes[side]);
      events_.needs[side] = coalesced(events_.needs[side]);
    }
    return events_;
  }

 private:
  void add_toucher(const Placed& placed) {
    const Definition& d = *program_.algorithm->find(placed.branch->definition);
    if (executions(*placed.branch).intersect_params(context()).is_empty()) return;
    if (is_in(program_, d.array, buffer_.name) || !uses_of(program_, d, buffer_.name).empty())
      touchers_.push_back({placed, &d, side_of(placed)});
  }

  bool is_argument() const { return buffer_.role != BufferRole::temporary; }
  bool is_touched_on(int side) const {
    return std::any_of(touchers_.begin(), touchers_.end(),
                       [&](const Toucher& t) { return t.side == side; });
  }
  bool may_need_copies() const {
    return is_touched_on(device_side) && (is_argument() || is_touched_on(host_side));
  }

  isl::set context() const { return program_.algorithm->context; }

  // True if the author gave a copy of the buffer at this loop or at a loop inside it.
  bool copies_given(const Node& node) const {
    if (!node.is_loop()) return false;
    const auto& copies = node.loop().copies;
    return std::any_of(
               copies.begin(), copies.end(),
               [&](const GivenCopy& copy) { return is_in(program_, copy.array, buffer_.name); }) ||
           std::any_of(node.loop().body.begin(), node.loop().body.end(),
                       [&](const Node& inside) { return copies_given(inside); });
  }

  // The outermost node around the branch, inside the scope, in which only one side touches the
  // buffer and the author copies nothing; or the launch, or the branch itself, if that comes first.
  Path unit_of(const Toucher& t) const {
    for (std::size_t n = events_.scope.size() + 1; n <= t.placed.path.size(); ++n) {
      const Path node = prefix(t.placed.path, n);
      const bool one_side = std::all_of(touchers_.begin(), touchers_.end(), [&](const Toucher& o) {
        return o.side == t.side || !is_inside(o.placed.path, node);
      });
      const bool is_leaf = n == t.placed.path.size();
      const Node& here = node_at(mapping_, node);
      if (is_leaf || is_launch(here) || (one_side && !copies_given(here))) return node;
      const Loop& loop = *t.placed.loops[n - 1];
      if (loop.tile_size)
        throw request_.refused(Code::E0106_bad_argument,
                               "host and device touch " + buffer_.name + " in loop " + loop.name +
                                   ", over tiles whose size is " + *loop.tile_size +
                                   ", a parameter",
                               "give split or tile a number");
    }
    return t.placed.path;
  }

  // { S[i] -> u }
  isl::map times(const Toucher& t) const {
    const auto levels = unsigned(t.unit.size() - 1);
    return leading_time(t.placed, levels).intersect_params(context()).apply_range(at(t.unit));
  }

  isl::map at(const Path& node) const {
    return times_at(context().ctx(), node, false, events_.dimensions);
  }

  isl::map precedes() const {
    isl::map all = isl::manage(isl_map_lex_lt(
        isl_space_set_alloc(context().ctx().get(), 0, unsigned(events_.dimensions))));
    const unsigned same = unsigned(2 * events_.scope.size());
    for (unsigned d = 0; d < same; ++d)
      all = isl::manage(isl_map_equate(all.release(), isl_dim_in, int(d), isl_dim_out, int(d)));
    return all;
  }

  void add_writes(const Toucher& t) {
    const Definition& d = *t.definition;
    if (!is_in(program_, d.array, buffer_.name)) return;
    const isl::map places =
        isl::map(d.defines).apply_range(store_in_buffer(program_, d.array, buffer_.name));
    const isl::map written = coalesced(t.times->reverse().apply_range(places));
    events_.writes[t.side] = events_.writes[t.side].unite(written.domain());
    if (may_keep(d) || d.predicate.defined()) return;
    surely_ = surely_.is_null() ? written : surely_.unite(written);
  }

  void add_use(const Toucher& t, const Use& use) {
    const isl::map needed = t.times->reverse().apply_range(use.needed);
    if (!use.producer) {
      events_.needs[t.side] = events_.needs[t.side].unite(needed.domain());
      initial_readers_ = joined(initial_readers_, needed.domain());
      return;
    }
    isl::map inside = isl::map::empty(needed.space()), everywhere = inside;
    bool is_repeated = false;  // an instance of the producer runs at several times
    for (const Toucher& other : touchers_) {
      if (other.definition != use.producer) continue;
      const isl::map runs = other.times->reverse();
      everywhere = everywhere.unite(runs);
      if (other.unit == t.unit) inside = inside.unite(runs);
      is_repeated = is_repeated || !other.times->is_single_valued();
    }
    const isl::map from_before =
        is_repeated && !inside.is_equal(everywhere) ? needed : needed.subtract(inside);
    events_.needs[t.side] = events_.needs[t.side].unite(from_before.domain());
    alive_ = alive_.unite(everywhere.apply_range(needed.reverse()).intersect(events_.precedes));
  }

  static isl::set joined(const isl::set& a, const isl::set& b) {
    return a.is_null() ? b : a.unite(b);
  }

  // A write needs what the buffer holds if a value is alive: computed before the write, and read
  // after it.
  void add_values_kept() {
    const isl::map after = events_.precedes.reverse();  // { u -> v : v < u }
    isl::set kept = after.apply_range(coalesced(alive_)).intersect(events_.precedes).domain();
    if (!initial_readers_.is_null())
      kept = kept.unite(events_.precedes.intersect_range(initial_readers_).domain());
    for (int side : {host_side, device_side})
      events_.needs[side] = events_.needs[side].unite(events_.writes[side].intersect(kept));
  }

  // The caller gets the whole box. So a write needs the elements that neither it nor a later write
  // surely fills.
  void add_caller() {
    const isl::set all = events_.writes[0].unite(events_.writes[1]);
    const isl::map same = all.space().identity_multi_aff_on_domain().as_map();
    isl::map left = isl::manage(isl_map_from_domain_and_range(all.copy(), box().release()));
    if (!surely_.is_null()) left = left.subtract(events_.precedes.unite(same).apply_range(surely_));
    for (int side : {host_side, device_side})
      events_.needs[side] =
          events_.needs[side].unite(events_.writes[side].intersect(left.domain()));
    const int callers = buffer_.resident ? device_side : host_side;
    events_.only_at_start = callers;
    events_.units.push_back({int(mapping_.roots.size())});
    const isl::set end = at(events_.units.back()).range().intersect_params(context());
    events_.needs[callers] = events_.needs[callers].unite(end);
  }

  // { b[..] }: a box around all places of the arrays that are stored in the buffer.
  isl::set box() const {
    isl::set places;
    for (const auto& [array, store] : program_.layout.store) {
      if (!is_in(program_, array, buffer_.name)) continue;
      const isl::set some = all_elements(*program_.algorithm, array)
                                .apply(store_in_buffer(program_, array, buffer_.name));
      places = joined(places, some);
    }
    places = coalesced(places.intersect_params(context()));
    isl::set box = places.space().universe_set();
    for (unsigned d = 0; d < places.tuple_dim(); ++d) box = box.intersect(between(places, d));
    if (const auto given = box_of(context().ctx(), buffer_.name, buffer_.extents);
        given && !buffer_.extents.empty())
      box = box.unite(*given);
    return box.intersect_params(context());
  }

  // { b[x] : x_d lies between the least and the greatest x_d of "places" }
  static isl::set between(const isl::set& places, unsigned d) {
    const auto beyond = [&](bool above) {
      isl_map* all = isl_map_universe(isl_space_map_from_set(places.space().release()));
      all = above ? isl_map_order_ge(all, isl_dim_out, int(d), isl_dim_in, int(d))
                  : isl_map_order_le(all, isl_dim_out, int(d), isl_dim_in, int(d));
      return places.apply(isl::manage(all));
    };
    return coalesced(beyond(true).intersect(beyond(false)));
  }

  const Program& program_;
  const Mapping& mapping_;
  const LayoutBuffer& buffer_;
  const Request& request_;
  CoherenceEvents events_;
  std::vector<Toucher> touchers_;
  isl::map surely_;           // { u -> b[..] : u surely writes it }
  isl::map alive_;            // { u -> v : v reads what u computes, u < v }
  isl::set initial_readers_;  // the u that read what the caller gives
};

// Calls "visitor" once for each buffer of a mapping with launches and each loop that allocates this
// buffer.
template <typename Visitor>
void for_each_buffer(const Program& program, const Mapping& mapping, const Request& request,
                     const Visitor& visitor) {
  if (!has_launches(mapping)) return;
  for (const LayoutBuffer& buffer : program.layout.buffers) {
    if (program.algorithm->is_scalar(buffer.name)) continue;
    std::vector<Path> scopes;
    if (buffer.role == BufferRole::temporary) scopes = allocating_loops(mapping, buffer.name);
    if (scopes.empty()) scopes.push_back({});
    for (const Path& scope : scopes)
      visitor(BufferEvents(program, mapping, buffer, scope, request));
  }
}

void add_given(std::vector<CoherenceCopy>& all, const Program& program, const Mapping& mapping,
               const Path& loop, const std::vector<GivenCopy>& copies, int size) {
  for (const GivenCopy& copy : copies) {
    const std::string buffer = buffer_of(program.layout, copy.array);
    const bool back = copy.direction == Transfer::to_host;
    all.push_back({copy.direction, buffer, loop, back ? size : 0,
                   iterations(program, mapping, loop, buffer), true});
  }
}

void add_given(std::vector<CoherenceCopy>& all, const Program& program, const Mapping& mapping,
               const std::vector<Node>& nodes, const Path& around) {
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].is_loop()) continue;
    Path path = around;
    path.push_back(int(n));
    const Loop& loop = nodes[n].loop();
    add_given(all, program, mapping, path, loop.copies, int(loop.body.size()));
    add_given(all, program, mapping, loop.body, path);
  }
}

std::vector<CoherenceCopy> given_copies(const Program& program, const Mapping& mapping) {
  std::vector<CoherenceCopy> all;
  add_given(all, program, mapping, {}, program.layout.copies, int(mapping.roots.size()));
  add_given(all, program, mapping, mapping.roots, {});
  return all;
}

// Adds the copies before the executions in "when".
void add_derived(std::vector<CoherenceCopy>& all, const CoherenceEvents& events, Transfer direction,
                 const isl::set& when) {
  for (const Path& unit : events.units) {
    const isl::map at = times_at(when.ctx(), unit, false, events.dimensions);
    const isl::set there = coalesced(when.apply(at.reverse()));
    if (there.is_empty()) continue;
    const Path loop(unit.begin(), unit.end() - 1);
    all.push_back(
        {direction, events.buffer, loop, unit.back(), with_tuple_name(there, events.buffer)});
  }
}

}  // namespace

isl::map times_at(isl::ctx ctx, const Path& node, bool before, int dimensions) {
  const int loops = int(node.size()) - 1;
  isl_map* map =
      isl_map_universe(isl_space_alloc(ctx.get(), 0, unsigned(loops), unsigned(dimensions)));
  for (int p = 0; p <= loops; ++p)
    map = isl_map_fix_si(map, isl_dim_out, 2 * p,
                         2 * node[std::size_t(p)] + (p == loops && before ? 0 : 1));
  for (int p = 0; p < loops; ++p) {
    map = isl_map_equate(map, isl_dim_in, p, isl_dim_out, 2 * p + 1);
    map = isl_map_set_dim_name(map, isl_dim_in, unsigned(p), ("t" + std::to_string(p)).c_str());
  }
  for (int n = 2 * loops + 1; n < dimensions; ++n) map = isl_map_fix_si(map, isl_dim_out, n, 0);
  return isl::manage(map);
}

isl::set copy_times(const CoherenceCopy& copy, const CoherenceEvents& events) {
  Path node = copy.loop;
  node.push_back(copy.position);
  const isl::set when = isl::manage(isl_set_reset_tuple_id(copy.when.copy()));
  return when.apply(times_at(when.ctx(), node, true, events.dimensions));
}

isl::set stale(const CoherenceEvents& events, int side, const isl::set& needs,
               const isl::set& fresh) {
  const bool other_writes = !isl_set_plain_is_empty(events.writes[1 - side].get());
  if (!other_writes && events.only_at_start != 1 - side)
    return isl::set::empty(events.precedes.space().domain());
  const isl::map before = events.precedes.reverse();
  const isl::map refreshed = before.intersect_domain(needs).intersect_range(fresh);
  const isl::map made_stale = before.intersect_range(events.writes[1 - side]);
  const isl::map last =
      made_stale.intersect_domain(needs).subtract(refreshed.apply_range(made_stale));
  isl::set all = last.domain();
  if (events.only_at_start == 1 - side) all = all.unite(needs.subtract(refreshed.domain()));
  return coalesced(all);
}

std::vector<CoherenceEvents> coherence_events(const Program& program, const Mapping& mapping,
                                              const Request& request) {
  std::vector<CoherenceEvents> all;
  for_each_buffer(program, mapping, request, [&](BufferEvents&& buffer) {
    if (const auto events = buffer.events()) all.push_back(*events);
  });
  return all;
}

void verify_copies_in_tiles(const Program& program, const Request& request) {
  const std::vector<Node>& roots = program.mapping.roots;
  if (std::any_of(roots.begin(), roots.end(), has_parametric_tiles))
    for_each_buffer(program, program.mapping, request,
                    [](const BufferEvents& buffer) { buffer.require_units(); });
}

std::vector<CoherenceCopy> coherence_copies(const Program& program, const Mapping& mapping,
                                            const Request& request) {
  return copies_for(program, mapping, coherence_events(program, mapping, request));
}

std::vector<CoherenceCopy> copies_for(const Program& program, const Mapping& mapping,
                                      const std::vector<CoherenceEvents>& all_events) {
  const std::vector<CoherenceCopy> given = given_copies(program, mapping);
  std::vector<CoherenceCopy> all = given;
  for (const CoherenceEvents& events : all_events)
    for (const int side : {device_side, host_side}) {
      const Transfer direction = side == device_side ? Transfer::to_device : Transfer::to_host;
      const bool is_given = std::any_of(given.begin(), given.end(), [&](const CoherenceCopy& copy) {
        return copy.direction == direction && copy.buffer == events.buffer;
      });
      if (is_given) continue;
      const isl::set fresh = events.writes[side].unite(events.needs[side]);
      add_derived(all, events, direction, stale(events, side, events.needs[side], fresh));
    }
  return all;
}

}  // namespace strata
