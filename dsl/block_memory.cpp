// Memory of blocks and threads: methods of Computation and Buffer.
#include "dsl/author.h"
#include "schedule/commands/storage/copy_at.h"

namespace strata {

Computation& LaunchCommands::deal(const std::vector<Var>& loops, const Where& where) {
  std::vector<CommandOperand> operands;
  for (const Var& loop : loops) operands.push_back(Author::loop(self(), loop));
  return Author::command(self(), where, "deal", std::move(operands));
}

Computation& LaunchCommands::async(const Where& where) {
  return Author::command(self(), where, "async", {Author::branch(self())});
}

Computation& LaunchCommands::mma(const std::string& shape, const Where& where) {
  return Author::command(self(), where, "mma", {Author::branch(self()), shape});
}

Computation LaunchCommands::cache_shared_at(const Var& loop, const Input& array,
                                            const std::string& copy,
                                            const std::vector<Var>& iterators, const Where& where) {
  Author::require_same_function(self(), array, where);
  return Author::added(self(), where, copy, array.type(), "cache_shared_at",
                       {Author::loop(self(), loop), array.name(), copy, Author::names(iterators)});
}

Computation LaunchCommands::cache_shared_at(const Var& loop, const Computation& array,
                                            const std::string& copy,
                                            const std::vector<Var>& iterators, const Where& where) {
  Author::require_same_function(self(), array, where);
  return Author::added(
      self(), where, copy, Author::type(array), "cache_shared_at",
      {Author::loop(self(), loop), Author::array(array), copy, Author::names(iterators)});
}

Computation LaunchCommands::cache_local_at(const Var& loop, const Input& array,
                                           const std::string& copy,
                                           const std::vector<Var>& iterators, const Where& where) {
  Author::require_same_function(self(), array, where);
  return Author::added(self(), where, copy, array.type(), "cache_local_at",
                       {Author::loop(self(), loop), array.name(), copy, Author::names(iterators)});
}

Computation LaunchCommands::cache_local_at(const Var& loop, const Computation& array,
                                           const std::string& copy,
                                           const std::vector<Var>& iterators, const Where& where) {
  Author::require_same_function(self(), array, where);
  return Author::added(
      self(), where, copy, Author::type(array), "cache_local_at",
      {Author::loop(self(), loop), Author::array(array), copy, Author::names(iterators)});
}

Computation& LaunchCommands::cache_shared_at(const Computation& reader, const Var& loop,
                                             const Where& where) {
  Author::require_same_function(self(), reader, where);
  return Author::command(self(), where, "cache_shared_at",
                         {Author::branch(self()), Author::loop(reader, loop)});
}

Computation& LaunchCommands::cache_shared(const Computation& reader, const Var& loop,
                                          const Where& where) {
  return cache_shared_at(reader, loop, where);
}

Computation& LaunchCommands::cache_local_at(const Computation& reader, const Var& loop,
                                            const Where& where) {
  Author::require_same_function(self(), reader, where);
  return Author::command(self(), where, "cache_local_at",
                         {Author::branch(self()), Author::loop(reader, loop)});
}

Computation LaunchCommands::copy_at(const Computation& reader, const Var& loop, Memory memory,
                                    const Where& where) {
  Author::require_same_function(self(), reader, where);
  const std::string copy = name_of_copy(Author::program(self()), Author::array(self()), memory);
  return Author::added(self(), where, copy, Author::type(self()), "copy_at",
                       {Author::branch(self()), Author::loop(reader, loop), memory});
}

Computation& LaunchCommands::tag_gpu_global(const Where& where) {
  return self().set_memory(Memory::global, where);
}

Computation& LaunchCommands::tag_gpu_shared(const Where& where) {
  return self().set_memory(Memory::shared, where);
}

Computation& LaunchCommands::tag_gpu_local(const Where& where) {
  return self().set_memory(Memory::local, where);
}

void Buffer::tag_gpu_global(const Where& where) const { set_memory(Memory::global, where); }
void Buffer::tag_gpu_shared(const Where& where) const { set_memory(Memory::shared, where); }
void Buffer::tag_gpu_local(const Where& where) const { set_memory(Memory::local, where); }
void Buffer::tag_gpu_constant(const Where& where) const { set_memory(Memory::constant, where); }

}  // namespace strata
