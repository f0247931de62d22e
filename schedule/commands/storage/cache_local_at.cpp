#include "schedule/commands/storage/cache_local_at.h"

#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/set_memory.h"

namespace strata {

Program cache_local_at(const Program& program, const LoopRef& loop, const std::string& array,
                       const std::string& copy, const std::vector<std::string>& iterators,
                       Given given) {
  return cache_at(program, loop, array, copy, iterators, Memory::local, given);
}

Program cache_local_at(const Program& program, const std::string& computation, const LoopRef& loop,
                       Given given) {
  const Program placed = computed_in(program, computation, loop, given);
  return set_memory(placed, placed.algorithm->find(computation)->array, Memory::local, given);
}

}  // namespace strata
