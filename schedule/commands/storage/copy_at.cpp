#include "schedule/commands/storage/copy_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "layers/define/result_copy.h"
#include "layers/flow/initial_values.h"
#include "schedule/commands/launch/deal.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/edit/prefetches.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// Why the values of X cannot be computed in another array, or "".
std::string why_not(const Program& program, const Definition& d, const Placed& placed,
                    unsigned levels) {
  const auto all = program.algorithm->definitions_of(d.array);
  const auto own = std::count_if(all.begin(), all.end(), [](auto* x) { return !x->is_initial; });
  if (!d.value.defined()) return d.name + " has no value yet";
  if (own > 1) return d.array + " is updated";
  if (!d.others.empty()) return "the values of " + d.name + " are tuples";
  if (d.is_atomic) return d.name + " is atomic; use copy_at before atomic";
  if (!executions(*placed.branch).is_single_valued())
    return d.name + " is computed several times; use copy_at before compute_at";
  if (!d.reduction) return "";
  const std::vector<bool> results = result_levels(d, placed);
  const auto first = std::find(results.begin(), results.begin() + levels, false);
  if (first == results.begin() + levels) return "";
  return fmt::format("the iterations of {} contribute to the same results",
                     placed.loops[std::size_t(first - results.begin())]->name);
}

void require_names(const Program& program, const Path& path,
                   const std::vector<std::string>& iterators, const Command& command) {
  for (const std::string& name : iterators) {
    require_name_free_along(program, path, name, command);
    if (std::count(iterators.begin(), iterators.end(), name) > 1)
      throw command.refused(Code::E0104_name_taken, "two of the new loops are named " + name,
                            "give each loop a different name");
  }
}

}  // namespace

Program copy_at(const Program& program, const LoopRef& loop, const std::string& made,
                const std::vector<std::string>& iterators, Memory memory, Given given) {
  Command command{"copy_at",
                  {loop, made, iterators},
                  given,
                  "copying " + loop.definition + " there would read a value before it is computed"};
  if (memory != Memory::automatic) command.operands.push_back(memory);
  const Definition& whole = definition_named(program, loop.definition, command);
  const Path path = loop_named(program, loop, command);
  const Placed placed = whole_named(program, loop.definition, command);
  const auto levels = unsigned(path.size());
  if (const auto reason = why_not(program, whole, placed, levels); !reason.empty())
    throw command.refused(Code::E0106_bad_argument, reason, "name a loop over results");
  require_names(program, path, iterators, command);

  Program result = with_result_copy(program, loop.definition, levels, made, iterators,
                                    {command.text(), given.where});
  pass_prefetches(result.mapping, loop.definition, made);
  return in_memory(verified(program, std::move(result), command), made, memory, given);
}

std::string name_of_copy(const Program& program, const std::string& array, Memory memory) {
  std::set<std::string> taken(program.algorithm->parameters.begin(),
                              program.algorithm->parameters.end());
  for (const Definition& d : program.algorithm->definitions) taken.insert({d.name, d.array});
  for (const LayoutBuffer& buffer : program.layout.buffers) taken.insert(buffer.name);
  return free_name(array + "_" + to_string(memory), taken);
}

Program copy_at(const Program& program, const std::string& array, const LoopRef& loop,
                Memory memory, Given given) {
  const Command command{"copy_at", {array, loop, memory}, given};
  const Definition& d = definition_named(program, array, command);
  std::set<std::string> taken;
  const Path path = loop_named(program, loop, command);
  for (const Loop* around : loops_along(program.mapping, path)) taken.insert(around->name);
  std::vector<std::string> iterators;
  const auto rank = std::size_t(isl::map(d.defines).range_tuple_dim());
  for (std::size_t n = 0; n < rank; ++n) {
    iterators.push_back(
        free_name(n < d.iterators.size() ? d.iterators[n] : "x" + std::to_string(n), taken));
    taken.insert(iterators.back());
  }
  const std::string copy = name_of_copy(program, d.array, memory);
  const Program copied = cache_at(program, loop, d.array, copy, iterators, memory, given);
  return memory == Memory::shared ? deal_own_loops(copied, copy, given) : copied;
}

}  // namespace strata
