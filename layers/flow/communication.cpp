#include "layers/flow/communication.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <set>

#include "core/sets/coalesce.h"
#include "core/sets/naming.h"
#include "core/sets/relation_text.h"
#include "core/text_scanner.h"
#include "layers/flow/coherence.h"
#include "layers/flow/initial_values.h"
#include "layers/flow/ranks.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

// { name[pre] -> [b0, t0, .., bp, tp, position] }
isl::map at_position(const isl::set& pre, const Path& loop, int position) {
  const std::string name = isl_set_get_tuple_name(pre.get());
  auto time = pre.space().identity_multi_aff_on_domain().as_map();
  time = isl::manage(isl_map_reset_tuple_id(time.release(), isl_dim_out));
  const Branch branch{name, TimeMap::from(time), InstanceSet::from(pre)};
  Path path = loop;
  path.push_back(position);
  return theta({path, {}, &branch});
}

// Extends the lifetimes of the buffers that the branch mentions to the nodes that contain it.
void add_mentions(std::vector<Lifetime>& all, const Program& program, const Placed& placed) {
  const Definition& d = *program.algorithm->find(placed.branch->definition);
  const std::set<std::string> mentioned = mentioned_buffers(program, d);
  for (Lifetime& life : all) {
    if (!mentioned.count(life.buffer) || !is_inside(placed.path, life.loop)) continue;
    const int node = placed.path[life.loop.size()];
    life.first = life.first < 0 ? node : std::min(life.first, node);
    life.last = std::max(life.last, node);
  }
}

// { C[i] -> X[e] : C[i] copies X(e) }; nothing if C does more than copy values.
std::optional<isl::map> moved_by(const Algorithm& algorithm, const Definition& d) {
  const bool copies = d.value.op() == Op::access && !d.reduction && d.others.empty() &&
                      d.element.empty() && !d.predicate.defined();
  if (!copies) return std::nullopt;
  const Elements moved =
      elements_of(algorithm, d, {d.value, d.domain}, {"communication(" + d.name + ")", {}});
  return moved.may ? std::nullopt : std::optional(moved.relation);
}

class CommunicationBuilder {
 public:
  explicit CommunicationBuilder(const Program& program)
      : program_(program), mapping_(complete_mapping(program)) {}

  Communication communication() {
    Communication result;
    if (has_ranks(mapping_)) result.messages = messages();
    for (const Lifetime& life : lifetimes(program_, mapping_)) add_operations(life);
    result.operations = allocations_;
    for (const Placed& placed : branches(mapping_)) add_copy(result, placed);
    for (const CoherenceCopy& copy : coherence_copies(program_, mapping_, {"communication", {}}))
      result.operations.push_back({copy.direction == Transfer::to_device
                                       ? Operation::Kind::to_device
                                       : Operation::Kind::to_host,
                                   copy.buffer,
                                   copy.buffer,
                                   at_position(copy.when, copy.loop, copy.position),
                                   "",
                                   {}});
    result.operations.insert(result.operations.end(), frees_.begin(), frees_.end());
    return result;
  }

 private:
  std::vector<Message> messages() const {
    Program one_rank = program_;
    one_rank.algorithm = std::make_shared<const Algorithm>(
        with_block_bounds(*program_.algorithm, partitions_in(mapping_)));
    return messages_of(one_rank, complete_mapping(one_rank), {"communication", {}});
  }

  void add_operations(const Lifetime& life) {
    const isl::set pre = iterations(program_, mapping_, life.loop, life.buffer);
    const auto operation = [&](Operation::Kind kind, int node) {
      return Operation{kind, life.buffer, life.buffer, at_position(pre, life.loop, node), "", {}};
    };
    allocations_.push_back(operation(Operation::Kind::allocate, life.first));
    frees_.push_back(operation(Operation::Kind::free, life.last));
  }

  void add_copy(Communication& result, const Placed& placed) {
    const Algorithm& algorithm = *program_.algorithm;
    const Definition& d = *algorithm.find(placed.branch->definition);
    const auto moved = moved_by(algorithm, d);
    if (!moved) return;
    const std::string source = algorithm.array_of(d.value.name());
    result.operations.push_back({Operation::Kind::copy, d.name, buffer_of(program_.layout, d.array),
                                 theta(placed), buffer_of(program_.layout, source), moved});
  }

  const Program& program_;
  const Mapping mapping_;
  std::vector<Operation> allocations_, frees_;
};

// The buffers that the instances of a branch read or write.
std::set<std::string> touched_buffers(const Program& program, const Branch& branch) {
  const Algorithm& algorithm = *program.algorithm;
  const Definition& d = *algorithm.find(branch.definition);
  const isl::set runs = isl::set(branch.instances).intersect_params(algorithm.context);
  std::set<std::string> buffers;
  if (runs.is_empty()) return buffers;
  buffers.insert(buffer_of(program.layout, d.array));
  for (const Read& read : d.reads) {
    if (isl::map(read.relation).intersect_domain(runs).is_empty()) continue;
    buffers.insert(buffer_of(program.layout, algorithm.array_read(read)));
  }
  return buffers;
}

void verify_lifetimes(const Program& program, const Mapping& mapping, const Request& request) {
  for (const Placed& placed : branches(mapping)) {
    for (const std::string& buffer : touched_buffers(program, *placed.branch)) {
      const auto loops = allocating_loops(mapping, buffer);
      const auto around = std::count_if(loops.begin(), loops.end(), [&](const Path& loop) {
        return is_inside(placed.path, loop);
      });
      if (loops.empty() || around == 1) continue;
      throw request.refused(Code::E0307_out_of_scope,
                            placed.branch->definition + " touches " + buffer +
                                (around == 0 ? " outside of the loops that allocate it"
                                             : " in several loops that allocate it"),
                            "allocate the buffer at a loop around all that touch it");
    }
  }
}

void verify_copies(const Program& program, const Mapping& mapping, const Request& request) {
  const Algorithm& algorithm = *program.algorithm;
  for (const Placed& placed : branches(mapping)) {
    const Branch& branch = *placed.branch;
    const auto moved = moved_by(algorithm, *algorithm.find(branch.definition));
    if (!moved) continue;
    const isl::set runs = executions(branch).domain().intersect_params(algorithm.context);
    if (moved->is_single_valued() && runs.is_subset(moved->domain())) continue;
    throw request.refused(Code::E0306_malformed_layout,
                          "the copy " + branch.definition + " does not move one value at a time",
                          "copy at indices that are functions of the iterators");
  }
}

std::string word(Operation::Kind kind) {
  static const char* const words[] = {"allocate", "free", "copy", "to_device", "to_host"};
  return words[int(kind)];
}

}  // namespace

isl::set iterations(const Program& program, const Mapping& mapping, const Path& loop,
                    const std::string& name) {
  const isl::set context = program.algorithm->context;
  if (loop.empty()) {
    isl_space* scalar = isl_space_set_alloc(context.ctx().get(), 0, 0);
    return with_tuple_name(isl::manage(isl_set_universe(scalar)), name);
  }
  isl::set all;
  for (const Placed& placed : branches(mapping)) {
    if (!is_inside(placed.path, loop)) continue;
    const isl::map time = executions(*placed.branch).intersect_params(context);
    const auto levels = unsigned(loop.size());
    const isl::set one = isl::manage(isl_set_project_out(time.range().release(), isl_dim_set,
                                                         levels, time.range_tuple_dim() - levels));
    all = all.is_null() ? one : all.unite(one);
  }
  return with_tuple_name(coalesced(all), name);
}

std::set<std::string> mentioned_buffers(const Program& program, const Definition& d) {
  const Algorithm& algorithm = *program.algorithm;
  std::set<std::string> buffers;
  const auto add = [&](const std::string& array) {
    buffers.insert(buffer_of(program.layout, array));
    for (const Component& c : algorithm.components_of(array)) buffers.insert(c.name);
  };
  add(d.array);
  for_each_expression(d, [&](const Expr& e) {
    visit(e, [&](const Expr& node) {
      if (names_array(node)) add(algorithm.array_of(node.name()));
    });
  });
  return buffers;
}

std::vector<Lifetime> lifetimes(const Program& program, const Mapping& mapping) {
  std::vector<Lifetime> all;
  for (const LayoutBuffer& buffer : program.layout.buffers) {
    if (buffer.role != BufferRole::temporary) continue;
    std::vector<Path> loops = allocating_loops(mapping, buffer.name);
    if (loops.empty()) loops.push_back({});
    for (const Path& loop : loops) all.push_back({buffer.name, loop, -1, -1});
  }
  for (const Placed& placed : branches(mapping)) add_mentions(all, program, placed);
  std::erase_if(all, [](const Lifetime& life) { return life.first < 0; });
  return all;
}

Communication communication_of(const Program& program) {
  return CommunicationBuilder(program).communication();
}

void verify_communication(const Program& program, const Request& request) {
  const Mapping mapping = complete_mapping(program);
  verify_lifetimes(program, mapping, request);
  verify_copies(program, mapping, request);
}

namespace {

// "before [0, t0, 2]": node 2 of the body of the loop t0.
std::string place_text(const Message& m) {
  std::string text;
  for (std::size_t level = 0; level < m.loop.size(); ++level)
    text += std::to_string(m.loop[level]) + ", t" + std::to_string(level) + ", ";
  return "before [" + text + std::to_string(m.position) + "]";
}

void add_values(std::string& text, const std::string& what, const std::vector<PairValues>& values) {
  for (const PairValues& one : values) text += "    " + what + " " + isl_text(one.values) + "\n";
}

}  // namespace

std::string to_text(const Communication& communication) {
  std::string text = "communication {\n";
  for (const Message& m : communication.messages) {
    std::string names;
    for (const MessageValues& values : m.values)
      names += (names.empty() ? "" : ", ") + quoted_name(values.definition);
    text += "  message of " + names + " " + place_text(m) + " derived, by " +
            quoted_name(m.partition) + "\n";
    for (const MessageValues& values : m.values) {
      const std::string most = values.at_most ? " at most" : "";
      add_values(text, "sends" + most, values.outgoing);
      add_values(text, "receives" + most, values.incoming);
    }
  }
  for (const Operation& o : communication.operations) {
    text += "  " + word(o.kind) + " " + quoted_name(o.name);
    if (o.moved) text += " from " + quoted_name(o.from) + " to " + quoted_name(o.buffer);
    text += " at " + isl_text(o.time) + "\n";
    if (o.moved) text += "    moves " + isl_text(*o.moved) + "\n";
  }
  return text + "}\n";
}

}  // namespace strata
