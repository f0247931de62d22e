#include "schedule/finish.h"

#include <isl/set.h>

#include <algorithm>

#include "layers/reads.h"
#include "layers/verify_layout.h"
#include "layers/verify_mapping.h"
#include "schedule/legality/legality.h"

namespace strata {

namespace {

void require_distinct(const std::vector<std::string>& arguments, const Command& command) {
  for (std::size_t a = 0; a < arguments.size(); ++a)
    if (std::find(arguments.begin(), arguments.begin() + long(a), arguments[a]) !=
        arguments.begin() + long(a))
      throw command.refused(Code::E0116_wrong_argument_list,
                            arguments[a] + " is given twice in the argument list",
                            "name each buffer once");
}

void require_complete(const Algorithm& algorithm, const Command& command) {
  for (const Definition& d : algorithm.definitions) {
    if (!d.value.defined())
      throw command.refused(Code::E0106_bad_argument,
                            d.name + " is declared but has no value", "give it one with define");
    if (d.inferred && isl::set(d.domain).is_empty())
      throw command.refused(Code::E0112_unbounded_domain,
                            "the domain of " + d.name + " cannot be inferred: nobody reads it",
                            "give its iterators ranges");
    if (!isl_set_is_bounded(isl::set(d.domain).get()))
      throw command.refused(Code::E0112_unbounded_domain,
                            "the domain of " + d.name + " is not bounded by the parameters",
                            "give every iterator a lower and an upper bound");
  }
}

// A buffer of its own for each array that has no place yet: { X[e] -> X[e] }.
void add_automatic_storage(Program& program, const Command& command) {
  for (const Definition& d : program.algorithm->definitions) {
    if (program.layout.store.count(d.array)) continue;
    if (program.layout.find(d.array))
      throw command.refused(Code::E0104_name_taken,
                            "there is a buffer called " + d.array +
                                ", so the computation of that name has no place",
                            "give the computation a store_in");
    const int rank = int(rank_of(*program.algorithm, d.array));
    program.layout.buffers.push_back({d.array, d.type, rank, BufferRole::temporary});
    auto space = isl::map(d.defines).range().space();
    program.layout.store.emplace(
        d.array, AccessRelation::from(space.identity_multi_aff_on_domain().as_map()));
  }
}

void assign_roles(Program& program, const std::vector<std::string>& arguments,
                  const Command& command) {
  for (const std::string& name : arguments) {
    auto& buffers = program.layout.buffers;
    auto buffer = std::find_if(buffers.begin(), buffers.end(),
                               [&](const LayoutBuffer& b) { return b.name == name; });
    if (buffer == buffers.end())
      throw command.refused(Code::E0115_unknown_buffer, "there is no buffer " + name,
                            "pass the buffer() of an input or a computation");
    if (buffer->role == BufferRole::temporary) buffer->role = BufferRole::output;
    for (const Path& path : allocating_loops(program.mapping, name))
      std::erase(node_at(program.mapping, path).loop().allocations, name);
  }
  for (const LayoutBuffer& buffer : program.layout.buffers)
    if (buffer.role == BufferRole::input &&
        std::find(arguments.begin(), arguments.end(), buffer.name) == arguments.end())
      throw command.refused(Code::E0116_wrong_argument_list,
                            "the input " + buffer.name + " is missing from the argument list",
                            "add it");
}

}  // namespace

Program finished(const Program& program, const std::vector<std::string>& arguments,
                 const Given& given) {
  const Command command{"codegen", arguments, given, ""};
  require_distinct(arguments, command);
  require_complete(*program.algorithm, command);
  Program after = program;
  add_automatic_storage(after, command);
  assign_roles(after, arguments, command);
  const Request request{command.text(), given.where};
  verify_total(after, request);
  verify_layout(after, request);
  after = judged(program, std::move(after), command);
  if (auto lost = find_lost_output(after))
    throw command.refused(lost->code, lost->explanation, lost->mend,
                          witness_of(*lost, *after.algorithm));
  return after;
}

}  // namespace strata
