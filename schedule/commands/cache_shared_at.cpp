#include "schedule/commands/cache_shared_at.h"

#include "schedule/commands/cache_at.h"
#include "schedule/commands/compute_at.h"
#include "schedule/commands/deal.h"
#include "schedule/commands/set_memory.h"

namespace strata {

Program cache_shared_at(const Program& program, const LoopRef& loop, const std::string& array,
                        const std::string& copy, const std::vector<std::string>& iterators,
                        Given given) {
  const Program copied =
      cache_at(program, loop, array, copy, iterators, Memory::shared, given, CopyOf::all_of_input);
  return deal_own_loops(copied, copy, given);
}

Program cache_shared_at(const Program& program, const std::string& computation, const LoopRef& loop,
                        Given given) {
  const Program placed = computed_in(program, computation, loop, given);
  const std::string& array = placed.algorithm->find(computation)->array;
  return deal_own_loops(set_memory(placed, array, Memory::shared, given), computation, given);
}

}  // namespace strata
