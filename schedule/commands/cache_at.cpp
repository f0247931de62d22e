#include "schedule/commands/cache_at.h"

#include "layers/copy.h"
#include "schedule/commands/compute_at.h"
#include "schedule/prefetches.h"

namespace strata {

Program cache_at(const Program& program, const LoopRef& loop, const std::string& array,
                 const std::string& copy, const std::vector<std::string>& iterators, Given given) {
  const Command command{"cache_at", {to_string(loop), array, copy}, given, ""};
  loop_named(program, loop, command);
  const Request request{command.text(), given.where};
  Program copied = with_copy(program, array, loop.definition, copy, iterators, request);
  pass_prefetches(copied.mapping, loop.definition, copy, copied.algorithm->array_of(array));
  copied.history.push_back(command.text());
  return compute_at(copied, copy, {loop}, given);
}

}  // namespace strata
