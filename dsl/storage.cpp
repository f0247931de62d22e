// Computation and Buffer: commands on storage.
#include "dsl/author.h"
#include "schedule/commands/storage/store_in.h"

namespace strata {

Buffer Computation::buffer() const {
  return Author::buffer(buffer_of(Author::program(*this).layout, array_), state_);
}

Buffer Input::buffer() const { return Author::buffer(name_, state_); }

Computation& Computation::store_in(const std::vector<Expr>& places, const Where& where) {
  return store_in(Buffer(array_), places, where);
}

Computation& Computation::store_in(const Buffer& buffer, const Where& where) {
  std::vector<Expr> places;
  for (const Var& index : indices_of(*Author::program(*this).algorithm, array_))
    places.push_back(index);
  return store_in(buffer, places, where);
}

Computation& Computation::store_in(const Buffer& buffer, const std::vector<Expr>& places,
                                   const Where& where) {
  std::vector<CommandOperand> operands{
      array_, Author::name_of(buffer, Author::program(*this), {"store_in(" + array_ + ")", where})};
  operands.insert(operands.end(), places.begin(), places.end());
  return Author::command(*this, where, "store_in", std::move(operands));
}

Computation& Computation::store_in(const std::string& relation, const Where& where) {
  return Author::command(*this, where, "store_in", {array_, IslNotation{relation}});
}

Computation& Computation::set_size(const std::vector<Expr>& extents, const Where& where) {
  std::vector<CommandOperand> operands{array_};
  operands.insert(operands.end(), extents.begin(), extents.end());
  return Author::command(*this, where, "set_size", std::move(operands));
}

Computation& Computation::set_memory(Memory memory, const Where& where) {
  return Author::command(*this, where, "set_memory", {array_, memory});
}

void Buffer::set_memory(Memory memory, const Where& where) const {
  const Request request{"set_memory(" + name_ + ")", where};
  if (!state_)
    throw request.refused(Code::E0115_unknown_buffer, name_ + " is a bare name, of no function",
                          "take the buffer() of an input, a computation or a function");
  const Layout& layout = state_->program.layout;
  const std::vector<std::string> arrays = arrays_in(layout, name_);
  if (arrays.empty() && layout.find(name_))
    throw request.refused(Code::E0106_bad_argument, "nothing is stored in " + name_,
                          "give the command after store_in");
  Author::give(*state_, request, "set_memory", {arrays.empty() ? name_ : arrays.front(), memory});
}

Computation& Computation::allocate_at(const Computation& computation, const Var& loop,
                                      const Where& where) {
  Author::require_same_function(*this, computation, where);
  return Author::command(
      *this, where, "allocate_at",
      {Author::program(*this).algorithm->array_of(array_), Author::loop(computation, loop)});
}

Computation& Computation::allocate_at(Root, const Where& where) {
  return Author::command(*this, where, "allocate_at",
                         {Author::program(*this).algorithm->array_of(array_), OutsideLoops{}});
}

// Applies a command that adds the computation "name"; its memory is the last operand, unless
// automatic.
Computation Computation::added(const std::string& name, Type type, const std::string& command,
                               std::vector<CommandOperand> operands, Memory memory,
                               const Where& where) {
  if (memory != Memory::automatic) operands.push_back(memory);
  Author::command(*this, where, command, std::move(operands));
  return Computation(state_, name, name, type);
}

Computation Computation::cache_at(const Var& loop, const Input& array, const std::string& copy,
                                  const Iterators& iterators, Memory memory, const Where& where) {
  Author::require_same_function(*this, array, where);
  return added(copy, array.type(), "cache_at",
               {Author::loop(*this, loop), array.name(), copy, Author::names(iterators)}, memory,
               where);
}

Computation Computation::cache_at(const Var& loop, const Computation& array,
                                  const std::string& copy, const Iterators& iterators,
                                  Memory memory, const Where& where) {
  Author::require_same_function(*this, array, where);
  return added(copy, array.type(), "cache_at",
               {Author::loop(*this, loop), array.array_, copy, Author::names(iterators)}, memory,
               where);
}

Computation& Computation::prefetch(const Var& loop, const Input& array, std::int64_t distance,
                                   const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::command(*this, where, "prefetch",
                         {Author::loop(*this, loop), array.name(), distance});
}

Computation& Computation::prefetch(const Var& loop, const Computation& array, std::int64_t distance,
                                   const Where& where) {
  Author::require_same_function(*this, array, where);
  return Author::command(*this, where, "prefetch",
                         {Author::loop(*this, loop), array.array_, distance});
}

Computation Computation::copy_at(const Var& loop, const std::string& made,
                                 const Iterators& iterators, Memory memory, const Where& where) {
  return added(made, type_, "copy_at", {Author::loop(*this, loop), made, Author::names(iterators)},
               memory, where);
}

}  // namespace strata
