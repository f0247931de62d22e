// Memory of blocks and threads: methods of Computation and Buffer.
#include "dsl/author.h"
#include "schedule/commands/storage/copy_at.h"

namespace strata {

Computation& Computation::deal(const std::vector<Var>& loops, const Where& where) {
  std::vector<CommandOperand> operands;
  for (const Var& loop : loops) operands.push_back(Author::loop(*this, loop));
  return Author::command(*this, where, "deal", std::move(operands));
}

Computation& Computation::async(const Where& where) {
  return Author::command(*this, where, "async", {Author::branch(*this)});
}

Computation& Computation::mma(const std::string& shape, const Where& where) {
  return Author::command(*this, where, "mma", {Author::branch(*this), shape});
}

Computation Computation::cache_shared_at(const Var& loop, const Input& array,
                                         const std::string& copy, const std::vector<Var>& iterators,
                                         const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::added(*this, where, copy, array.type(), "cache_shared_at",
                       {Author::loop(*this, loop), array.name(), copy, Author::names(iterators)});
}

Computation Computation::cache_shared_at(const Var& loop, const Computation& array,
                                         const std::string& copy, const std::vector<Var>& iterators,
                                         const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::added(
      *this, where, copy, Author::type(array), "cache_shared_at",
      {Author::loop(*this, loop), Author::array(array), copy, Author::names(iterators)});
}

Computation Computation::cache_local_at(const Var& loop, const Input& array,
                                        const std::string& copy, const std::vector<Var>& iterators,
                                        const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::added(*this, where, copy, array.type(), "cache_local_at",
                       {Author::loop(*this, loop), array.name(), copy, Author::names(iterators)});
}

Computation Computation::cache_local_at(const Var& loop, const Computation& array,
                                        const std::string& copy, const std::vector<Var>& iterators,
                                        const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::added(
      *this, where, copy, Author::type(array), "cache_local_at",
      {Author::loop(*this, loop), Author::array(array), copy, Author::names(iterators)});
}

Computation& Computation::cache_shared_at(const Computation& reader, const Var& loop,
                                          const Where& where) {
  Author::require_same_function(*this, reader, where);
  return Author::command(*this, where, "cache_shared_at",
                         {Author::branch(*this), Author::loop(reader, loop)});
}

Computation& Computation::cache_shared(const Computation& reader, const Var& loop,
                                       const Where& where) {
  return cache_shared_at(reader, loop, where);
}

Computation& Computation::cache_local_at(const Computation& reader, const Var& loop,
                                         const Where& where) {
  Author::require_same_function(*this, reader, where);
  return Author::command(*this, where, "cache_local_at",
                         {Author::branch(*this), Author::loop(reader, loop)});
}

Computation Computation::copy_at(const Computation& reader, const Var& loop, Memory memory,
                                 const Where& where) {
  Author::require_same_function(*this, reader, where);
  const std::string copy = name_of_copy(Author::program(*this), Author::array(*this), memory);
  return Author::added(*this, where, copy, Author::type(*this), "copy_at",
                       {Author::branch(*this), Author::loop(reader, loop), memory});
}

Computation& Computation::tag_gpu_global(const Where& where) {
  return set_memory(Memory::global, where);
}

Computation& Computation::tag_gpu_shared(const Where& where) {
  return set_memory(Memory::shared, where);
}

Computation& Computation::tag_gpu_local(const Where& where) {
  return set_memory(Memory::local, where);
}

void Buffer::tag_gpu_global(const Where& where) const { set_memory(Memory::global, where); }
void Buffer::tag_gpu_shared(const Where& where) const { set_memory(Memory::shared, where); }
void Buffer::tag_gpu_local(const Where& where) const { set_memory(Memory::local, where); }
void Buffer::tag_gpu_constant(const Where& where) const { set_memory(Memory::constant, where); }

}  // namespace strata
