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
  bool may;  // some of these values may not be read
};

// The values of a definition that may travel: of P itself, or the results of a reduction, whose
// instances are those of P_init. The executions that make them are in order with their readers:
// { P[y] -> D[z] : D[z] is one of them }, which are all contributions to a result, and all steps of
// an atomic update up to the one that is read.
struct Travelling {
  const Definition* values;
  std::vector<std::pair<const Definition*, isl::map>> made_by;
  isl::map of(const isl::map& read, const std::string& producer) const {
    for (const auto& [definition, made] : made_by)
      if (definition->name == producer && definition != values)
        return coalesced(read.apply_range(made.reverse()));
    return read;
  }
};

// The place at which a rank waits for values.
struct Point {
  Path loop;
  int position;
  // The order of the schedule: the place is before what stands at its position.
  bool operator<(const Point& other) const { return path() < other.path(); }

 private:
  Path path() const {
    Path all = loop;
    all.push_back(position);
    return all;
  }
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
    for (const Definition& d : algorithm_.definitions) {
      if (d.is_initial) continue;
      require_on_one_rank(d);
      if (levels_.count(travelling(d).values->name)) add_messages(d);
    }
    std::vector<Message> all;
    for (auto& [point, message] : messages_)
      if (!message.values.empty()) all.push_back(std::move(message));
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

  // { D[y] -> X[e] }: what all executions that share a place on their way to one value define. Of a
  // reduction, the results; nothing where each value has one execution.
  std::optional<isl::map> shared_value(const Definition& d) const {
    if (d.reduction) return result_of(d).intersect_domain(d.domain);
    if (d.is_atomic) return isl::map(d.defines).intersect_domain(d.domain);
    return std::nullopt;
  }

  // E0207 unless all contributions to a result, and its initial value, are on one rank. The level
  // of the result is that of its contributions.
  void require_on_one_rank(const Definition& d) {
    const auto level = levels_.find(d.name);
    const auto value = shared_value(d);
    if (!value || level == levels_.end()) return;
    isl::map ranks = value->reverse().apply_range(level->second.level);
    if (d.reduction) {
      const auto initial = levels_.find(d.reduction->initial);
      if (initial != levels_.end()) ranks = ranks.unite(initial->second.level);
    }
    if (!ranks.is_single_valued())
      throw request_.refused(
          Code::E0207_reduction_concurrent,
          "contributions to one result of " + d.array + " would run on several ranks",
          "distribute a loop of the result, or give each rank a result of its own with rfactor");
    if (d.reduction) levels_[d.reduction->initial] = {level->second.partition, coalesced(ranks)};
  }

  // { U[i] -> U[i'] : both redefine one element, and U[i'] is not after U[i] in Theta0 }
  isl::map steps_until(const Definition& update) const {
    const isl::map order = reference_order(algorithm_).at(update.name);
    const isl::map not_after = isl::manage(isl_map_lex_ge(order.range().space().release()));
    const isl::map same = shared_value(update)->apply_range(shared_value(update)->reverse());
    return coalesced(order.apply_range(not_after).apply_range(order.reverse()).intersect(same));
  }

  Travelling travelling(const Definition& d) const {
    const auto itself = [](const Definition& one) {
      return std::pair(&one, isl::set(one.domain).identity());
    };
    if (d.reduction) {
      const Definition& initial = *algorithm_.find(d.reduction->initial);
      return {&initial, {itself(initial), {&d, shared_value(d)->reverse()}}};
    }
    if (d.is_atomic) return {&d, {{&d, steps_until(d)}}};
    return {&d, {itself(d)}};
  }

  // The branches that may read values from other ranks.
  std::vector<Reader> readers(const Travelling& values) const {
    std::vector<Reader> all;
    for (const Definition& d : algorithm_.definitions)
      for (const auto& [maker, made] : values.made_by)
        for (const Read& read : d.reads)
          if (read.producer == maker->name)
            for (const Placed& placed : branches_of(mapping_, d.name))
              add_reader(all, *values.values, d, placed,
                         {values.of(read.relation, maker->name), read.may});
    return all;
  }

  struct ReadValues {
    isl::map relation;
    bool may;
  };

  void add_reader(std::vector<Reader>& all, const Definition& producer, const Definition& d,
                  const Placed& placed, const ReadValues& read) const {
    const OnRanks& made = levels_.at(producer.name);
    const isl::map relation = read.relation.intersect_domain(placed.branch->instances)
                                  .intersect_params(algorithm_.context);
    isl::map pairs = relation;
    const auto here = levels_.find(d.name);
    if (here != levels_.end()) {
      if (here->second.partition != made.partition && !relation.is_empty())
        throw unsupported(request_,
                          d.name + " is distributed by " + here->second.partition + " and reads " +
                              producer.array + ", which is distributed by " + made.partition +
                              "; messages between partitions are not supported yet",
                          "distribute both by the same partition");
      // Instances with equal values at the level run on one rank, wherever the partition is cut.
      const isl::map same = here->second.level.apply_range(made.level.reverse());
      pairs = relation.subtract(same);
    }
    pairs = coalesced(pairs);
    if (pairs.is_empty()) return;
    if (!producer.element.empty())
      throw unsupported(request_,
                        d.name + " reads values of " + producer.name +
                            " that other ranks make; elements that depend on data do not travel "
                            "yet",
                        "copy them to a computation that is distributed, which can be sent");
    all.push_back({placed, pairs, read.may});
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

  // True if the executions that make the values are in order with the reader at "count" levels.
  bool all_in_order(const Travelling& values, const Reader& reader, unsigned count) const {
    for (const auto& [maker, made] : values.made_by) {
      const isl::map pairs = reader.pairs.apply_range(made).reverse();
      for (const Placed& p : branches_of(mapping_, maker->name))
        if (!in_order(pairs, p, reader.placed, count)) return false;
    }
    return true;
  }

  Point point_before(const Travelling& values, const Reader& reader) const {
    const Placed& c = reader.placed;
    const auto node = node_level(c);
    const unsigned most = unsigned(node ? *node : c.loops.size());
    for (unsigned count = 0; count <= most; ++count) {
      if (count > 0) require_sequential(*c.loops[count - 1], *values.values, c);
      if (all_in_order(values, reader, count)) return {prefix(c.path, count), c.path[count]};
    }
    throw reversed(values, reader, most);
  }

  void require_sequential(const Loop& loop, const Definition& producer, const Placed& c) const {
    if (loop.processor == Processor::sequential && !loop.tile_size) return;
    throw unsupported(
        request_,
        c.branch->definition + " waits for values of " + producer.array +
            " in each iteration of loop " + loop.name + ", which is " +
            (loop.tile_size ? "over tiles of a parametric size" : to_string(loop.processor)),
        "keep the loops around a distributed loop sequential");
  }

  // Pairs of an execution that makes a value and its reader that are not in order at "count"
  // levels.
  isl::map late_pairs(const Travelling& values, const Reader& reader, unsigned count) const {
    isl::map late;
    for (const auto& [maker, made] : values.made_by) {
      const isl::map pairs = reader.pairs.apply_range(made).reverse();
      late = pairs;
      for (const Placed& p : branches_of(mapping_, maker->name)) {
        const isl::map order = order_of(p, reader.placed, count);
        const isl::map rest = late.subtract(pairs_ordered(late, p, order, reader.placed));
        if (!rest.is_empty()) late = rest;
      }
      if (!all_in_order({values.values, {{maker, made}}}, reader, count)) break;
    }
    return late;
  }

  // The refusal of these pairs, with the smallest of them.
  Error reversed(const Travelling& values, const Reader& reader, unsigned count) const {
    isl::map late = late_pairs(values, reader, count);
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
        "ranks would wait in the middle of a distributed loop for values of " +
            values.values->array,
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

  // { P[y] -> w } for values that this rank needs of another; "blocks" is one order of their blocks
  // (two_blocks).
  isl::map need(const Definition& producer, const Reader& reader, const Point& point,
                const isl::set& blocks) const {
    const std::string& partition = levels_.at(producer.name).partition;
    const BlockNames to = own_block(partition), from = other_block(partition);
    isl::map pairs = reader.pairs.intersect_params(blocks);
    const auto here = levels_.find(reader.placed.branch->definition);
    if (here != levels_.end())
      pairs = pairs.intersect_domain(within(here->second.level, to).domain());
    pairs = pairs.intersect_range(within(levels_.at(producer.name).level, from).domain());
    return coalesced(pairs.reverse().apply_range(time_of(point, reader.placed)));
  }

  // Adds the values of a definition to the messages of their places.
  void add_messages(const Definition& d) {
    const Travelling values = travelling(d);
    const Definition& producer = *values.values;
    std::map<Point, std::vector<Reader>> points;
    for (const Reader& reader : readers(values))
      points[point_before(values, reader)].push_back(reader);
    if (points.empty()) return;
    const std::string& partition = levels_.at(producer.name).partition;
    std::map<Point, MessageValues> all;
    for (const auto& [point, readers] : points) {
      const bool may = std::any_of(readers.begin(), readers.end(),
                                   [](const Reader& reader) { return reader.may; });
      all[point] = {producer.name, {}, {}, may};
    }
    for (const bool below : {true, false}) {
      const isl::set blocks = two_blocks(*algorithm_.find_partition(partition), below, ctx());
      add_first(all, below, first(producer, points, blocks));
    }
    for (auto& [point, one] : all) {
      if (one.incoming.empty()) continue;
      for (const PairValues& pair : one.incoming)
        one.outgoing.push_back({!pair.below, seen_by_other(pair.values, partition)});
      message_at(point, partition).values.push_back(std::move(one));
    }
  }

  Message& message_at(const Point& point, const std::string& partition) {
    Message& message = messages_[point];
    message.partition = partition;
    message.loop = point.loop;
    message.position = point.position;
    return message;
  }

  // { P[y] -> w } that this rank receives, in one order of the blocks.
  isl::map first(const Definition& producer, const std::map<Point, std::vector<Reader>>& points,
                 const isl::set& blocks) const {
    isl::map all;
    for (const auto& [point, readers] : points)
      for (const Reader& reader : readers) {
        const isl::map one = need(producer, reader, point, blocks);
        all = all.is_null() ? one : all.unite(one);
      }
    all = coalesced(all);
    const isl::map later = composed_with_later(all);
    return explicit_quotients(coalesced(all.subtract(later)));
  }

  isl::map composed_with_later(const isl::map& need) const {
    return coalesced(need.apply_range(earlier(ctx(), 2 * depth_ + 1)));
  }

  // Splits { P[y] -> w } by the places, and adds each part to the values of its place.
  void add_first(std::map<Point, MessageValues>& all, bool below, const isl::map& first) const {
    for (auto& [point, values] : all) {
      isl::map here = first;
      for (unsigned n = 2 * depth_ + 1; n-- > 0;)
        if (const auto at = fixed(point, n)) {
          here = isl::manage(isl_map_fix_si(here.release(), isl_dim_out, n, *at));
          here = isl::manage(isl_map_project_out(here.release(), isl_dim_out, n, 1));
        }
      add_disjuncts(values, below, coalesced(here.intersect_params(algorithm_.context).reverse()));
    }
  }

  // Adds the disjuncts of the relation, made disjoint if that is not too hard.
  void add_disjuncts(MessageValues& values, bool below, const isl::map& all) const {
    constexpr double reach = 1'000'000;  // units of work
    isl::map apart = all;
    const bool found = program_.session->within(
        reach, [&] { apart = isl::manage(isl_map_make_disjoint(all.copy())); });
    if (!found) apart = all;
    values.at_most = values.at_most || (!found && isl_map_n_basic_map(all.get()) > 1);
    apart.foreach_basic_map([&](const isl::basic_map& one) {
      if (!one.is_empty()) values.incoming.push_back({below, isl::map(one)});
    });
  }

  // What this rank receives from another is what that one sends: the blocks change places.
  static isl::map seen_by_other(const isl::map& values, const std::string& partition) {
    const BlockNames own = own_block(partition), other = other_block(partition);
    isl::map result = values;
    const auto exchange = [&](const std::string& a, const std::string& b) {
      const int at = isl_map_find_dim_by_name(values.get(), isl_dim_param, a.c_str());
      const int to = isl_map_find_dim_by_name(values.get(), isl_dim_param, b.c_str());
      const auto renamed = [&](int n, const std::string& name) {
        if (n >= 0)
          result = isl::manage(
              isl_map_set_dim_name(result.release(), isl_dim_param, unsigned(n), name.c_str()));
      };
      renamed(at, b + ".");
      renamed(to, a);
      renamed(at, b);
    };
    exchange(own.first, other.first);
    exchange(own.last, other.last);
    return result;
  }

  const Program& program_;
  const Algorithm& algorithm_;
  const Mapping& mapping_;
  const Request& request_;
  std::map<std::string, OnRanks> levels_;  // of the definitions in node loops, by name
  std::map<Point, Message> messages_;
  unsigned depth_ = 0;  // the most loops around a branch
};

}  // namespace

isl::set two_blocks(const RankPartition& partition, bool below, isl::ctx ctx) {
  const BlockNames own = own_block(partition.name), other = other_block(partition.name);
  const isl::set facts = facts_of(own, partition, ctx).intersect(facts_of(other, partition, ctx));
  return facts.intersect(below ? not_after(ctx, own.last, other.first)
                               : not_after(ctx, other.last, own.first));
}

std::vector<Message> messages_of(const Program& program, const Mapping& complete,
                                 const Request& request) {
  return Derivation(program, complete, request).messages();
}

}  // namespace strata
