#include "schedule/commands/storage/cache_at.h"

#include "layers/define/copy.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/edit/prefetches.h"

namespace strata {

Program cache_at(const Program& program, const LoopRef& loop, const std::string& array,
                 const std::string& copy, const std::vector<std::string>& iterators, Memory memory,
                 Given given, CopyOf part) {
  Command command{"cache_at", {loop, array, copy, iterators}, given};
  loop_named(program, loop, command);
  if (memory != Memory::automatic) command.operands.push_back(memory);
  const Request request{command.text(), given.where};
  Program copied = with_copy(program, array, loop.definition, copy, iterators, request, part);
  pass_prefetches(copied.mapping, loop.definition, copy, copied.algorithm->array_of(array));
  return in_memory(compute_at(copied, copy, {loop}, given), copy, memory, given);
}

}  // namespace strata
