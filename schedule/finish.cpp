#include "schedule/finish.h"

#include <isl/set.h>

#include <algorithm>

#include "layers/flow/communication.h"
#include "layers/verify/verify_algorithm.h"
#include "layers/verify/verify_coherence.h"
#include "layers/verify/verify_layout.h"
#include "schedule/edit/own_buffer.h"
#include "schedule/edit/verified.h"
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
      throw command.refused(Code::E0106_bad_argument, d.name + " is declared but has no value",
                            "give it one with define");
    if (d.inferred && isl::set(d.domain).is_empty())
      throw command.refused(Code::E0112_unbounded_domain,
                            "the domain of " + d.name + " cannot be inferred: it is never read",
                            "give its iterators ranges");
    if (!isl_set_is_bounded(isl::set(d.domain).get()))
      throw command.refused(Code::E0112_unbounded_domain,
                            "the domain of " + d.name + " is not bounded by the parameters",
                            "give every iterator a lower and an upper bound");
  }
}

// Adds buffers for the scalars of tuples after the first, at the places of the first.
void add_buffers_of_components(Program& program, const Command& command) {
  for (const Definition& d : program.algorithm->definitions) {
    const std::string whole = buffer_of(program.layout, d.array);
    for (const Component& c : d.others) {
      if (d.is_initial) continue;
      if (program.layout.find(c.name))
        throw command.refused(Code::E0104_name_taken, "there is a buffer called " + c.name,
                              "choose another name for the scalar of " + d.array);
      LayoutBuffer buffer = *program.layout.find(whole);
      buffer.name = c.name;
      buffer.type = c.type;
      buffer.role = BufferRole::temporary;
      program.layout.buffers.push_back(std::move(buffer));
      for (const Path& path : allocating_loops(program.mapping, whole))
        node_at(program.mapping, path).loop().allocations.push_back(c.name);
    }
  }
}

// The buffers that hold the scalars of the same tuples as buffer "name", including it.
std::vector<std::string> buffers_beside(const Program& program, const std::string& name) {
  const std::string array = program.algorithm->array_of(name);
  std::vector<std::string> all{array == name ? name : buffer_of(program.layout, array)};
  for (const std::string& stored : arrays_in(program.layout, all.front()))
    for (const Component& c : program.algorithm->components_of(stored)) all.push_back(c.name);
  return all;
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
    if (program.algorithm->is_scalar(name))
      throw command.refused(Code::E0116_wrong_argument_list,
                            name + " is a scalar, which is an argument without being listed",
                            "leave it out of the arguments");
    if (buffer->role == BufferRole::temporary) buffer->role = BufferRole::output;
    if (buffer->memory != Memory::automatic && buffer->memory != Memory::constant)
      throw command.refused(Code::E0106_bad_argument,
                            name + " is an argument, but was put " + traits(buffer->memory).place,
                            "leave it out of the arguments, or leave out set_memory");
    for (const std::string& beside : buffers_beside(program, name))
      for (const Path& path : allocating_loops(program.mapping, beside))
        std::erase(node_at(program.mapping, path).loop().allocations, beside);
  }
  for (const LayoutBuffer& buffer : program.layout.buffers)
    if (buffer.role == BufferRole::input && !program.algorithm->is_scalar(buffer.name) &&
        std::find(arguments.begin(), arguments.end(), buffer.name) == arguments.end())
      throw command.refused(Code::E0116_wrong_argument_list,
                            "the input " + buffer.name + " is missing from the argument list",
                            "add it");
}

// E0116 unless the kernel has an output.
void require_output(const Program& program, const Command& command) {
  const auto& all = program.algorithm->definitions;
  if (std::none_of(all.begin(), all.end(), [&](const Definition& d) {
        return is_output(program.layout, *program.algorithm, d.array);
      }))
    throw command.refused(Code::E0116_wrong_argument_list,
                          "no argument is an output, so the kernel would do nothing",
                          "add the buffer() of a computation, or store one over an input");
}

// Throws the first violation found by the questions with this "asked".
void refuse_violation(const Program& program, Asked asked, const Command& command) {
  std::optional<Violation> violation;
  refuse_as(command, [&] { violation = find_violation(program, asked); });
  if (violation)
    throw command.refused(violation->code, violation->explanation, violation->mend,
                          witness_of(*violation, *program.algorithm));
}

// Verifies layer IV (E0901 if that exceeds the budget).
void require_movement(const Program& program, const Request& request) {
  const bool done = program.session->within_budget([&] {
    verify_communication(program, request);
    verify_coherence(program, request);
  });
  if (!done)
    throw request.refused(Code::E0901_out_of_budget,
                          "checking the allocations and copies of " + program.name +
                              " takes more than " + std::to_string(program.session->budget()) +
                              " units of work",
                          "raise the budget with set_budget, or simplify the schedule");
}

Program completed(const Program& program, const std::vector<std::string>& arguments,
                  const Command& command) {
  require_distinct(arguments, command);
  require_complete(*program.algorithm, command);
  Program after = program;
  for (const Definition& d : program.algorithm->definitions)
    give_own_buffer(after, d.array, command);
  add_buffers_of_components(after, command);
  assign_roles(after, arguments, command);
  require_output(after, command);
  const Request request{command.text(), command.given.where};
  verify_atomics(*after.algorithm, request);
  refuse_as(command, [&] { require_rules(after, Asked::before_codegen, request); });
  verify_layout(after, request);
  after = verified(program, std::move(after), command);
  refuse_violation(after, Asked::for_outputs, command);
  require_movement(after, request);
  return after;
}

}  // namespace

Program finished(const Program& program, const std::vector<std::string>& arguments,
                 const Given& given) {
  const Command command{"codegen", {arguments.begin(), arguments.end()}, given};
  return made_within_budget(program, command,
                            [&] { return completed(program, arguments, command); });
}

void require_sums_in_order(const Program& program, const std::vector<std::string>& arguments,
                           const Given& given) {
  const Command command{"codegen", {arguments.begin(), arguments.end()}, given};
  for (const Placed& placed : branches(program.mapping))
    if (placed.branch->mma)
      throw command.refused(Code::E0505_not_exact_on_gpu,
                            name_of(*placed.branch) +
                                " is a product on tensor cores, which round its sums in their own "
                                "order",
                            "choose Floats::fast, or leave out mma");
  refuse_violation(program, Asked::for_exact_sums, command);
}

std::vector<std::string> usual_arguments(const Program& program) {
  const Algorithm& algorithm = *program.algorithm;
  std::set<std::string> read;
  for (const Definition& d : algorithm.definitions)
    for (const Read& one : d.reads)
      if (algorithm.array_read(one) != d.array) read.insert(algorithm.array_read(one));
  std::vector<std::string> names;
  const auto add = [&](const std::string& array) {
    const std::string buffer = buffer_of(program.layout, array);
    if (std::find(names.begin(), names.end(), buffer) == names.end()) names.push_back(buffer);
  };
  for (const InputArray& input : algorithm.inputs)
    if (!input.by_value) add(input.name);
  for (const Definition& d : algorithm.definitions)
    if (!d.is_initial && !read.count(d.array)) {
      add(d.array);
      for (const Component& c : d.others) add(c.name);
    }
  return names;
}

}  // namespace strata
