#include "codegen/exchange.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

#include "codegen/loops/ast.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/loops/linear_bounds.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/realization.h"
#include "codegen/tree/tree_names.h"
#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "layers/flow/ranks.h"

namespace strata {

namespace {

isl::set without_parameter(const isl::set& set, const std::string& name) {
  const int at = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
  return at < 0 ? set
                : isl::manage(isl_set_project_out(set.copy(), isl_dim_param, unsigned(at), 1));
}

// { [t0, .., tp] : something is sent or received, to or from some rank }
isl::set message_times(const Message& message) {
  isl::set all;
  for (const MessageValues& values : message.values)
    for (const auto* side : {&values.outgoing, &values.incoming})
      for (const PairValues& one : *side)
        all = all.is_null() ? one.values.domain() : all.unite(one.values.domain());
  const BlockNames other = other_block(message.partition);
  return coalesced(without_parameter(without_parameter(coalesced(all), other.first), other.last));
}

isl::set with_tuple(const isl::set& times, const std::string& name) {
  return isl::manage(isl_set_set_tuple_name(times.copy(), name.c_str()));
}

// The branch of a message: its instances are the iterators of the loops around.
TimeBranch branch_of(const isl::set& times, const Definition& definition, int number,
                     const std::vector<const Loop*>& loops) {
  const isl::set named = with_tuple(times, definition.name);
  TimeBranch branch{&definition,
                    loops,
                    named,
                    named,
                    named.space().universe_set(),
                    named.space().identity_multi_aff_on_domain().to_pw_multi_aff(),
                    0};
  branch.message = number;
  return branch;
}

// Puts the leaf before the first nest of a node at its position or behind it, and widens the
// iterations of the loops around.
void place(std::vector<Nest>& nests, const Path& loop, const Nest& leaf) {
  std::vector<Nest>* body = &nests;
  for (std::size_t depth = 0; depth < loop.size(); ++depth) {
    const auto around = std::find_if(body->begin(), body->end(), [&](const Nest& nest) {
      return nest.is_loop() && nest.node == loop[depth];
    });
    if (around == body->end()) return;
    around->times = coalesced(around->times.unite(prefixes(leaf.times, int(depth) + 1)));
    around->whole = around->times;
    body = &around->body();
  }
  const auto behind = std::find_if(body->begin(), body->end(),
                                   [&](const Nest& nest) { return nest.node >= leaf.node; });
  body->insert(behind, leaf);
}

// ---- the statement ----

// The expressions of a statement, without those of other messages, edited.
StmtPtr edited(const StmtPtr& stmt, const std::function<Expr(const Expr&)>& replace) {
  Stmt s = *stmt;
  const auto all = [&](std::vector<Expr> list) {
    for (Expr& e : list) e = rewrite(e, replace);
    return list;
  };
  if (auto* loop = std::get_if<For>(&s)) {
    loop->lower = rewrite(loop->lower, replace);
    loop->upper = rewrite(loop->upper, replace);
  }
  if (auto* branch = std::get_if<If>(&s)) branch->condition = rewrite(branch->condition, replace);
  if (auto* execute = std::get_if<Execute>(&s)) {
    execute->indices = all(execute->indices);
    execute->value = rewrite(execute->value, replace);
  }
  return with_insides(std::move(s), [&](const StmtPtr& inside) { return edited(inside, replace); });
}

std::string iterator_parameter(int level) { return "exchange." + std::to_string(level); }

// { [t0, ..] -> P[y] } as { P[y] }, the iterators parameters.
isl::set at_iterators(const isl::map& values) {
  const auto count = int(values.domain_tuple_dim());
  isl::id_list ids(values.ctx(), 0);
  for (int level = 0; level < count; ++level)
    ids = ids.add(make_id(values.ctx(), iterator_parameter(level)));
  const isl::multi_id tuple(values.space().domain(), ids);
  return values.bind_domain(tuple);
}

// At most so many values of one disjunct travel in one iteration: the size of the box around them,
//     max { y'_d - y_d : both travel in one iteration } + 1    in each dimension d
Expr most_elements(const isl::map& values, const isl::set& context, const Request& request) {
  const isl::map around = without_existentials(values);
  const isl::set apart = around.reverse().apply_range(around).deltas();
  Expr most = constant(i64, 1);
  for (unsigned d = 0; d < apart.tuple_dim(); ++d) {
    const isl::set one = on_dimension(apart, d);
    const isl::set known = context.intersect(isl::set::universe(one.params().space()));
    const LinearBounds bounds = linear_bounds(isl::manage(isl_set_simple_hull(one.copy())), known);
    if (!bounds.upper().defined())
      throw request.refused(Code::E0112_unbounded_domain,
                            "a message has values without bound in dimension " + std::to_string(d),
                            "give every iterator a lower and an upper bound");
    most = most * (bounds.upper() + 1);
    for (const Expr& condition : bounds.conditions)
      most = select(condition, most, constant(i64, 0));
  }
  return simplified(most);
}

class Loops {
 public:
  Loops(const Definition& definition, int tag, const Storage& storage, std::set<std::string>& taken,
        const Request& request)
      : definition_(definition), storage_(storage), taken_(taken), request_(request) {
    const isl::space space = isl::set(definition_.domain).space();
    const isl::map time = space.identity_multi_aff_on_domain().as_map();
    Node node{Branch{definition_.name,
                     TimeMap::from(isl::manage(isl_map_reset_tuple_id(time.copy(), isl_dim_out))),
                     definition_.domain}};
    const auto& names = definition_.iterators;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
      node = Node{Loop(LoopHead{{"message_" + std::to_string(tag) + "." + *name}}, {node})};
    forest_.roots.push_back(node);
  }

  // Loops over the places of one scalar of the values, in lexicographic order of the values.
  StmtPtr over(const isl::map& values, const isl::set& known, const Component& scalar) {
    const isl::set instances = at_iterators(values);
    const isl::set context = known.intersect(isl::set::universe(instances.params().space()));
    const Placed placed = branches(forest_).front();
    TimeSpace space{context, {}};
    space.branches.push_back(
        {&definition_, placed.loops, instances, instances, instances.space().universe_set(),
         instances.space().identity_multi_aff_on_domain().to_pw_multi_aff(), 0});
    const TreeParts parts{[&](const TimeBranch&, const std::vector<Expr>& instance,
                              const isl::set&) { return element(instance, scalar); },
                          {},
                          [](const Nest&) { return std::vector<OwnBox>{}; },
                          [](const Loop*) { return std::vector<CoherenceCopy>{}; },
                          [](const Nest&, const isl::set&) { return std::vector<PlaceBox>{}; },
                          {},
                          false};
    std::set<std::string> taken = parameters_of(context);
    taken.insert(taken_.begin(), taken_.end());
    const StmtPtr loops = loop_tree(nests(space, forest_), space, taken, parts, request_);
    add_variables(*loops, taken_);
    return loops;
  }

 private:
  StmtPtr element(const std::vector<Expr>& instance, const Component& scalar) const {
    Execute execute;
    execute.buffer = scalar.name;
    execute.indices = storage_.place_of(definition_, instance).args();
    execute.value = load(scalar.name, scalar.type, execute.indices);
    return make_stmt(execute);
  }

  static std::set<std::string> parameters_of(const isl::set& context) {
    std::set<std::string> names;
    const int count = int(isl_set_dim(context.get(), isl_dim_param));
    for (int n = 0; n < count; ++n)
      names.insert(isl_set_get_dim_name(context.get(), isl_dim_param, unsigned(n)));
    return names;
  }

  const Definition& definition_;
  const Storage& storage_;
  std::set<std::string>& taken_;
  const Request& request_;
  Mapping forest_;
};

}  // namespace

void add_messages(TimeSpace& space, std::vector<Nest>& nests, const Mapping& mapping,
                  const std::vector<Message>& messages, std::vector<Definition>& definitions) {
  definitions.resize(messages.size());
  for (std::size_t n = 0; n < messages.size(); ++n) {
    const Message& message = messages[n];
    const auto depth = int(message.loop.size());
    Definition& d = definitions[n];
    d.name = d.array = "message_" + std::to_string(n);
    for (int level = 0; level < depth; ++level) d.iterators.push_back(iterator_parameter(level));
    const isl::set times = message_times(message);
    const int branch = int(space.branches.size());
    space.branches.push_back(branch_of(times, d, int(n), loops_along(mapping, message.loop)));
    d.domain = InstanceSet::from(space.branches.back().instances);
    d.defines =
        ValueRelation::from(isl::set(d.domain).space().identity_multi_aff_on_domain().as_map());
    const isl::set runs = space.branches.back().times;
    place(nests, message.loop, Nest{BranchNest{branch}, depth, message.position, runs, runs});
  }
}

namespace {

// The statement of one message.
class Exchanging {
 public:
  Exchanging(const Message& message, int tag, const std::vector<Expr>& iterators,
             const Program& program, const Storage& storage, std::set<std::string>& taken,
             const Request& request)
      : tag_(tag),
        iterators_(iterators),
        program_(program),
        storage_(storage),
        taken_(taken),
        request_(request),
        own_(own_block(message.partition)),
        other_(other_block(message.partition)),
        partition_(*program.algorithm->find_partition(message.partition)) {
    result_.tag = tag;
    result_.block = {message.partition, other_.first, other_.last};
    for (const MessageValues& values : message.values) add(values);
  }

  StmtPtr statement() const { return make_stmt(result_); }

 private:
  struct Side {
    Expr most;
    StmtPtr loops;
  };

  // The elements of each scalar of the values.
  void add(const MessageValues& values) {
    const Algorithm& algorithm = *program_.algorithm;
    const Definition& definition = *algorithm.find(values.definition);
    std::vector<Component> scalars{
        {buffer_of(program_.layout, definition.array), definition.type, {}}};
    for (const Component& other : algorithm.components_of(definition.array))
      scalars.push_back(other);
    for (const Component& scalar : scalars) {
      const Side out = side(definition, scalar, values.outgoing);
      const Side in = side(definition, scalar, values.incoming);
      result_.elements.push_back(
          {scalar.name, scalar.type, out.most, in.most, out.loops, in.loops});
    }
  }

  Side side(const Definition& definition, const Component& scalar,
            const std::vector<PairValues>& values) {
    Block all;
    Expr most = constant(i64, 0);
    for (const PairValues& pair : values) {
      const isl::set known = two_blocks(partition_, pair.below, program_.session->isl())
                                 .intersect(isl::set(program_.algorithm->context));
      const Expr order = pair.below ? parameter(own_.last) <= parameter(other_.first)
                                    : parameter(other_.last) <= parameter(own_.first);
      const StmtPtr loops =
          Loops(definition, tag_, storage_, taken_, request_).over(pair.values, known, scalar);
      most = most +
             replaced(select(order, most_elements(pair.values, known, request_), constant(i64, 0)));
      all.body.push_back(edited(make_stmt(If{order, loops, nullptr}),
                                [&](const Expr& e) { return replacement(e); }));
    }
    return {most, make_stmt(std::move(all))};
  }

  Expr replaced(const Expr& e) const {
    return rewrite(e, [&](const Expr& part) { return replacement(part); });
  }

  // The other block's bounds are variables, and the iterators those of the loops around.
  Expr replacement(const Expr& e) const {
    if (e.op() != Op::parameter) return {};
    if (e.name() == other_.first || e.name() == other_.last) return variable(e.name());
    for (std::size_t level = 0; level < iterators_.size(); ++level)
      if (e.name() == iterator_parameter(int(level))) return iterators_[level];
    return {};
  }

  const int tag_;
  const std::vector<Expr>& iterators_;
  const Program& program_;
  const Storage& storage_;
  std::set<std::string>& taken_;
  const Request& request_;
  const BlockNames own_, other_;
  const RankPartition& partition_;
  Exchange result_;
};

}  // namespace

StmtPtr exchange(const Message& message, int tag, const std::vector<Expr>& iterators,
                 const Program& program, const Storage& storage, std::set<std::string>& taken,
                 const Request& request) {
  return Exchanging(message, tag, iterators, program, storage, taken, request).statement();
}

namespace {

void require_ready(const StmtPtr& s, bool in_loop, const Request& request) {
  if (std::holds_alternative<Launch>(*s))
    throw request.refused(Code::E0402_not_on_ranks,
                          "a kernel on several ranks cannot launch work on GPUs yet",
                          "leave out distribute, or the launch");
  const auto* allocate = std::get_if<Allocate>(s.get());
  if (allocate && in_loop && !is_on_stack(*allocate))
    throw request.refused(Code::E0402_not_on_ranks,
                          "each iteration of a loop has " + allocate->buffer +
                              " in the heap, and a kernel on several ranks takes its memory before "
                              "its first message",
                          "give it to allocate_at(root), or put it on the stack with set_memory");
  const bool inside = in_loop || std::holds_alternative<For>(*s);
  for_each_inside(*s, [&](const StmtPtr& part) { require_ready(part, inside, request); });
}

}  // namespace

void require_on_ranks(const Kernel& kernel, const Request& request) {
  require_ready(kernel.body, false, request);
}

}  // namespace strata
