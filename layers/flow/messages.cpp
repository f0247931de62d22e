#include "layers/flow/messages.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "layers/flow/order.h"
#include "layers/flow/ranks.h"
#include "layers/witness.h"

namespace strata {

namespace {

Error unsupported(const Request& request, const std::string& what, const std::string& mend) {
  return request.refused(Code::E0402_not_on_ranks, what, mend);
}

// { S[i] -> [v] : v is the value of the node loop's iterator }, and the partition of the node loop.
struct OnRanks {
  std::string partition;
  isl::map level;
};

// A reader's branch, and { C[x] -> P[y] : the rank of C[x] may be another than that of P[y] }.
struct Reader {
  Placed placed;
  isl::map pairs;
};

// The place at which a rank waits for values.
struct Point {
  Path loop;
  int position;
  auto operator<=>(const Point&) const = default;
};

isl::map within(const isl::map& level, const BlockNames& block) {
  return level.intersect_range(in_block(level.ctx(), block));
}

isl::map without_parameter(const isl::map& map, const std::string& name) {
  const int at = isl_map_find_dim_by_name(map.get(), isl_dim_param, name.c_str());
  return at < 0 ? map
                : isl::manage(isl_map_project_out(map.copy(), isl_dim_param, unsigned(at), 1));
}

// { [t0, ..] -> [t'0, ..] : the first is lexicographically smaller }
isl::map earlier(isl::ctx ctx, unsigned count) {
  return isl::manage(isl_map_lex_lt(isl_space_set_alloc(ctx.get(), 0, count)));
}

class Derivation {
 public:
  Derivation(const Program& program, const Mapping& mapping, const Request& request)
      : program_(program), algorithm_(*program.algorithm), mapping_(mapping), request_(request) {
    for (const Definition& d : algorithm_.definitions) add_level(d);
    for (const Placed& placed : branches(mapping_))
      depth_ = std::max(depth_, unsigned(placed.loops.size()));
  }

  std::vector<Message> messages() {
    std::vector<Message> all;
    for (const Definition& d : algorithm_.definitions) {
      require_results_on_one_rank(d);
      if (levels_.count(d.name))
        for (Message& message : messages_of(d)) all.push_back(std::move(message));
    }
    std::stable_sort(all.begin(), all.end(), [](const Message& a, const Message& b) {
      Path left = a.loop, right = b.loop;
      left.push_back(a.position);
      right.push_back(b.position);
      return left < right;
    });
    return all;
  }

 private:
  isl::ctx ctx() const { return program_.session->isl(); }

  void add_level(const Definition& d) {
    std::optional<OnRanks> found;
    bool everywhere = false;
    for (const Placed& placed : branches_of(mapping_, d.name)) {
      const auto level = node_level(placed);
      if (!level) {
        everywhere = true;
        continue;
      }
      const std::string& partition = placed.loops[*level]->partition;
      const isl::map values = one_level(executions(*placed.branch), unsigned(*level))
                                  .intersect_params(algorithm_.context);
      if (found && found->partition != partition) throw mixed(d);
      found = OnRanks{partition, found ? found->level.unite(values) : values};
    }
    if (!found) return;
    if (everywhere) throw mixed(d);
    if (!found->level.is_single_valued())
      throw unsupported(request_,
                        d.name +
                            " is computed in several iterations of a distributed loop, which "
                            "is not supported yet",
                        "compute it in a loop of its own, which is distributed as well");
    found->level = coalesced(found->level);
    levels_.emplace(d.name, *found);
  }

  Error mixed(const Definition& d) const {
    return unsupported(request_,
                       "the pieces of " + d.name +
                           " are not all distributed by one partition, which is not supported yet",
                       "distribute the loops of all its pieces by the same partition");
  }

  // E0207 unless all contributions to a result, and its initial value, are on one rank.
  void require_results_on_one_rank(const Definition& d) const {
    if (!d.reduction) return;
    const auto level = levels_.find(d.name);
    if (level == levels_.end()) return;
    const isl::map to_result = result_of(d).intersect_domain(d.domain);
    const isl::map ranks = to_result.reverse().apply_range(level->second.level);
    if (ranks.is_single_valued()) return;
    throw request_.refused(
        Code::E0207_reduction_concurrent,
        "contributions to one result of " + d.array + " would run on several ranks",
        "distribute a loop of the result, or give each rank a result of its own with rfactor");
  }

  // The branches that may read values of P from other ranks.
  std::vector<Reader> readers(const Definition& producer) const {
    std::vector<Reader> all;
    for (const Definition& d : algorithm_.definitions)
      for (const Read& read : d.reads)
        if (read.producer == producer.name)
          for (const Placed& placed : branches_of(mapping_, d.name))
            add_reader(all, producer, d, placed, read.relation);
    return all;
  }

  void add_reader(std::vector<Reader>& all, const Definition& producer, const Definition& d,
                  const Placed& placed, const isl::map& read) const {
    const OnRanks& made = levels_.at(producer.name);
    const isl::map relation =
        read.intersect_domain(placed.branch->instances).intersect_params(algorithm_.context);
    isl::map pairs = relation;
    const auto here = levels_.find(d.name);
    if (here != levels_.end()) {
      if (here->second.partition != made.partition && !relation.is_empty())
        throw unsupported(request_,
                          d.name + " is distributed by " + here->second.partition + " and reads " +
                              producer.name + ", which is distributed by " + made.partition +
                              "; messages between partitions are not supported yet",
                          "distribute both by the same partition");
      // Instances with equal values at the level run on one rank, wherever the partition is cut.
      const isl::map same = here->second.level.apply_range(made.level.reverse());
      pairs = relation.subtract(same);
    }
    pairs = coalesced(pairs);
    if (pairs.is_empty()) return;
    if (producer.reduction || producer.is_initial || !producer.others.empty() ||
        !producer.element.empty() || producer.predicate.defined())
      throw unsupported(request_,
                        d.name + " reads values of " + producer.name +
                            " that other ranks make; sums, tuples and conditional updates do not "
                            "travel yet",
                        "compute them where they are read, or copy them to a computation that is "
                        "distributed, which can be sent");
    all.push_back({placed, pairs});
  }

  // { t_P -> t_C : P's iteration is before C's } on the first "count" loops, as far as both share
  // them: an earlier iteration, or the same one if P is in a node before C's.
  isl::map order_of(const Placed& p, const Placed& c, unsigned count) const {
    const unsigned levels = std::min(count, unsigned(shared_loops(p, c)));
    const isl::map before = earlier(ctx(), levels);
    if (p.path[levels] >= c.path[levels]) return before;
    return before.unite(isl::manage(isl_map_identity(before.space().release())));
  }

  // True if all pairs { P[y] -> C[x] } are in order at "count" levels.
  bool in_order(const isl::map& pairs, const Placed& p, const Placed& c, unsigned count) const {
    const isl::map order = order_of(p, c, count);
    return leading_times(pairs, p, c, order.domain_tuple_dim()).is_subset(order);
  }

  Point point_before(const Definition& producer, const Reader& reader) const {
    const Placed& c = reader.placed;
    const isl::map pairs = reader.pairs.reverse();
    const auto node = node_level(c);
    const unsigned most = unsigned(node ? *node : c.loops.size());
    for (unsigned count = 0; count <= most; ++count) {
      if (count > 0) require_sequential(*c.loops[count - 1], producer, c);
      const std::vector<Placed> made = branches_of(mapping_, producer.name);
      if (std::all_of(made.begin(), made.end(),
                      [&](const Placed& p) { return in_order(pairs, p, c, count); }))
        return {prefix(c.path, count), c.path[count]};
    }
    throw reversed(producer, reader, most);
  }

  void require_sequential(const Loop& loop, const Definition& producer, const Placed& c) const {
    if (loop.processor == Processor::sequential && !loop.tile_size) return;
    throw unsupported(
        request_,
        c.branch->definition + " waits for values of " + producer.name +
            " in each iteration of loop " + loop.name + ", which is " +
            (loop.tile_size ? "over tiles of a parametric size" : to_string(loop.processor)),
        "keep the loops around a distributed loop sequential");
  }

  // The refusal of pairs that are not in order at "count" levels, with the smallest of them.
  Error reversed(const Definition& producer, const Reader& reader, unsigned count) const {
    const Placed& c = reader.placed;
    isl::map late = reader.pairs.reverse();
    for (const Placed& p : branches_of(mapping_, producer.name)) {
      const isl::map ordered = pairs_ordered(late, p, order_of(p, c, count), c);
      const isl::map rest = late.subtract(ordered);
      if (!rest.is_empty()) late = rest;
    }
    std::vector<std::string> parameters = algorithm_.parameters;
    for (const RankPartition& p : algorithm_.partitions)
      for (const std::string& bound : {own_block(p.name).first, own_block(p.name).last}) {
        std::erase(parameters, bound);
        late = without_parameter(late, bound);
      }
    const isl::map pair = smallest(late, parameters);
    const auto at = [&](const isl::set& point) {
      return Execution{instance_text(point), time_text(point, theta(mapping_))};
    };
    return request_.refused(
        Code::E0210_message_reversed,
        "ranks would wait in the middle of a distributed loop for values of " + producer.name,
        "carry the dependence by a sequential loop around it, or distribute another loop",
        Witness{parameters_text(pair.domain()),
                {at(pair.domain()), at(pair.range())},
                "",
                {"{0} computes on one rank the value that",
                 "{1} uses, perhaps on another, and no loop around puts them in order"}});
  }

  // Dimension n of the time of a place, if it is the same in all iterations. Node b of a body is at
  // 2 b + 1, the place before it at 2 b; the dimensions after it are 0.
  static std::optional<int> fixed(const Point& point, unsigned n) {
    const std::size_t count = point.loop.size();
    if (n > 2 * count) return 0;
    if (n == 2 * count) return 2 * point.position;
    return n % 2 == 0 ? std::optional(2 * point.loop[n / 2] + 1) : std::nullopt;
  }

  // { C[x] -> [b0, t0, .., b, 0, ..] }: the time of the place in the iterations around C[x].
  isl::map time_of(const Point& point, const Placed& c) const {
    isl::map time = leading_time(c, unsigned(point.loop.size()));
    for (unsigned n = 0; n < 2 * depth_ + 1; ++n)
      if (const auto at = fixed(point, n)) {
        time = isl::manage(isl_map_insert_dims(time.release(), isl_dim_out, n, 1));
        time = isl::manage(isl_map_fix_si(time.release(), isl_dim_out, n, *at));
      }
    return time;
  }

  // { P[y] -> w } for values that the rank with block "from" sends to the rank with block "to";
  // "blocks" is one of their orders (two_blocks).
  isl::map need(const Definition& producer, const Reader& reader, const Point& point,
                const isl::set& blocks, const BlockNames& to, const BlockNames& from) const {
    isl::map pairs = reader.pairs.intersect_params(blocks);
    const auto here = levels_.find(reader.placed.branch->definition);
    if (here != levels_.end())
      pairs = pairs.intersect_domain(within(here->second.level, to).domain());
    pairs = pairs.intersect_range(within(levels_.at(producer.name).level, from).domain());
    return coalesced(pairs.reverse().apply_range(time_of(point, reader.placed)));
  }

  std::vector<Message> messages_of(const Definition& producer) {
    std::map<Point, std::vector<Reader>> points;
    for (const Reader& reader : readers(producer))
      points[point_before(producer, reader)].push_back(reader);
    std::vector<Message> all;
    const std::string& partition = levels_.at(producer.name).partition;
    for (const auto& [point, unused] : points)
      all.push_back({producer.name, partition, point.loop, point.position, {}, {}});
    if (all.empty()) return all;
    const BlockNames own = own_block(partition), other = other_block(partition);
    for (const isl::set& blocks : two_blocks(*algorithm_.find_partition(partition), ctx())) {
      add_first(all, &Message::incoming, first(producer, points, blocks, own, other));
      add_first(all, &Message::outgoing, first(producer, points, blocks, other, own));
    }
    std::erase_if(all, [](const Message& m) {
      return std::all_of(m.incoming.begin(), m.incoming.end(),
                         [](const isl::map& one) { return one.is_empty(); });
    });
    return all;
  }

  isl::map first(const Definition& producer, const std::map<Point, std::vector<Reader>>& points,
                 const isl::set& blocks, const BlockNames& to, const BlockNames& from) const {
    isl::map all;
    for (const auto& [point, readers] : points)
      for (const Reader& reader : readers) {
        const isl::map one = need(producer, reader, point, blocks, to, from);
        all = all.is_null() ? one : all.unite(one);
      }
    all = coalesced(all);
    const isl::map later = composed_with_later(all);
    return explicit_quotients(coalesced(all.subtract(later)));
  }

  isl::map composed_with_later(const isl::map& need) const {
    return coalesced(need.apply_range(earlier(ctx(), 2 * depth_ + 1)));
  }

  // Splits { P[y] -> w } by the places, and adds each part to the message of its place.
  void add_first(std::vector<Message>& all, std::vector<isl::map> Message::* side,
                 const isl::map& first) const {
    for (Message& message : all) {
      const Point point{message.loop, message.position};
      isl::map here = first;
      for (unsigned n = 2 * depth_ + 1; n-- > 0;)
        if (const auto at = fixed(point, n)) {
          here = isl::manage(isl_map_fix_si(here.release(), isl_dim_out, n, *at));
          here = isl::manage(isl_map_project_out(here.release(), isl_dim_out, n, 1));
        }
      here = coalesced(here.intersect_params(algorithm_.context).reverse());
      (message.*side).push_back(here);
    }
  }

  const Program& program_;
  const Algorithm& algorithm_;
  const Mapping& mapping_;
  const Request& request_;
  std::map<std::string, OnRanks> levels_;  // of the definitions in node loops, by name
  unsigned depth_ = 0;                     // the most loops around a branch
};

}  // namespace

std::vector<isl::set> two_blocks(const RankPartition& partition, isl::ctx ctx) {
  const BlockNames own = own_block(partition.name), other = other_block(partition.name);
  const isl::set facts = facts_of(own, partition, ctx).intersect(facts_of(other, partition, ctx));
  return {facts.intersect(not_after(ctx, own.last, other.first)),
          facts.intersect(not_after(ctx, other.last, own.first))};
}

std::vector<Message> messages_of(const Program& program, const Mapping& complete,
                                 const Request& request) {
  return Derivation(program, complete, request).messages();
}

}  // namespace strata
