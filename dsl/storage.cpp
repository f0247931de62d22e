// Computation's commands on storage.
#include "dsl/author.h"
#include "layers/reads.h"
#include "schedule/commands/allocate_at.h"
#include "schedule/commands/cache_at.h"
#include "schedule/commands/copy_at.h"
#include "schedule/commands/prefetch.h"
#include "schedule/commands/set_memory.h"
#include "schedule/commands/set_size.h"
#include "schedule/commands/store_in.h"

namespace strata {

namespace {

// The indices of the array's values, by the names of its first definition's iterators.
std::vector<Var> indices_of(const Program& program, const std::string& array) {
  const auto definitions = program.algorithm->definitions_of(array);
  std::vector<Var> indices;
  if (definitions.empty()) return indices;
  const unsigned rank = rank_of(*program.algorithm, array);
  const auto& iterators = definitions.front()->iterators;
  for (unsigned d = 0; d < rank && d < iterators.size(); ++d) indices.emplace_back(iterators[d]);
  return indices;
}

}  // namespace

Buffer Computation::buffer() const {
  return Buffer(buffer_of(Author::program(*this).layout, array_), owner());
}

Computation& Computation::store_in(const std::vector<Expr>& places, const Where& where) {
  return store_in(Buffer(array_), places, where);
}

Computation& Computation::store_in(const Buffer& buffer, const Where& where) {
  std::vector<Expr> places;
  for (const Var& index : indices_of(Author::program(*this), array_)) places.push_back(index);
  return store_in(buffer, places, where);
}

Computation& Computation::store_in(const Buffer& buffer, const std::vector<Expr>& places,
                                   const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    const std::string& name = Author::name_of(buffer, p, {"store_in(" + array_ + ")", where});
    return strata::store_in(p, array_, name, indices_of(p, array_), places, given);
  });
}

Computation& Computation::store_in(const std::string& relation, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::store_in(p, array_, relation, given);
  });
}

Computation& Computation::set_size(const std::vector<Expr>& extents, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::set_size(p, array_, extents, given);
  });
}

Computation& Computation::set_memory(Memory memory, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::set_memory(p, array_, memory, given);
  });
}

Computation& Computation::allocate_at(const Computation& computation, const Var& loop,
                                      const Where& where) {
  Author::require_same_function(*this, computation, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::allocate_at(p, p.algorithm->array_of(array_), Author::loop(computation, loop),
                               given);
  });
}

Computation& Computation::allocate_at(Root, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::allocate_at(p, p.algorithm->array_of(array_), std::nullopt, given);
  });
}

// The new computation "name" of a command that takes the names of its loops, in "memory".
template <typename Give>
Computation Computation::added(const std::string& name, Type type,
                               const std::vector<Var>& iterators, Memory memory,
                               const Where& where, const Give& give) {
  std::vector<std::string> names;
  for (const Var& v : iterators) names.push_back(v.name());
  Author::command(*this, where, [&](const Program& p, const Given& given) {
    const Program made = give(p, names, given);
    return memory == Memory::automatic ? made : strata::set_memory(made, name, memory, given);
  });
  return Computation(state_, name, name, type);
}

Computation Computation::cached(const std::string& array, Type type, const Var& loop,
                                const std::string& copy, const std::vector<Var>& iterators,
                                Memory memory, const Where& where) {
  return added(copy, type, iterators, memory, where,
               [&](const Program& p, const std::vector<std::string>& names, const Given& given) {
                 return strata::cache_at(p, Author::loop(*this, loop), array, copy, names, given);
               });
}

Computation Computation::cache_at(const Var& loop, const Input& array, const std::string& copy,
                                  const Iterators& iterators, Memory memory, const Where& where) {
  Author::require_same_function(*this, array, where);
  return cached(array.name(), array.type(), loop, copy, iterators, memory, where);
}

Computation Computation::cache_at(const Var& loop, const Computation& array,
                                  const std::string& copy, const Iterators& iterators,
                                  Memory memory, const Where& where) {
  Author::require_same_function(*this, array, where);
  return cached(array.array_, array.type(), loop, copy, iterators, memory, where);
}

Computation& Computation::prefetch(const Var& loop, const Input& array, std::int64_t distance,
                                   const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::prefetch(p, Author::loop(*this, loop), array.name(), distance, given);
  });
}

Computation& Computation::prefetch(const Var& loop, const Computation& array, std::int64_t distance,
                                   const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::prefetch(p, Author::loop(*this, loop), array.array_, distance, given);
  });
}

Computation Computation::copy_at(const Var& loop, const std::string& made,
                                 const Iterators& iterators, Memory memory, const Where& where) {
  return added(made, type_, iterators, memory, where,
               [&](const Program& p, const std::vector<std::string>& names, const Given& given) {
                 return strata::copy_at(p, Author::loop(*this, loop), made, names, given);
               });
}

}  // namespace strata
