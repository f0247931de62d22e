// Computation: commands on the order of computations.
#include "dsl/author.h"

namespace strata {

namespace {

CommandOperand loop_or_root(const std::optional<Var>& loop) {
  return loop ? CommandOperand(loop->name()) : CommandOperand(OutsideLoops{});
}

}  // namespace

Computation& Computation::after(const Computation& other, const Var& loop, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, "after",
                         {Author::branch(*this), Author::branch(other), loop.name()});
}

Computation& Computation::after(const Computation& other, Root, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, "after", {Author::branch(*this), Author::branch(other)});
}

Computation& Computation::before(const Computation& other, const Var& loop, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, "before",
                         {Author::branch(*this), Author::branch(other), loop.name()});
}

Computation& Computation::before(const Computation& other, Root, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, "before", {Author::branch(*this), Author::branch(other)});
}

Computation& Computation::then(Computation& next, const Var& loop, const Where& where) {
  Author::require_same_function(*this, next, where);
  Author::command(*this, where, "then", {Author::branch(*this), Author::branch(next), loop.name()});
  return next;
}

Computation& Computation::then(Computation& next, Root, const Where& where) {
  Author::require_same_function(*this, next, where);
  Author::command(*this, where, "then", {Author::branch(*this), Author::branch(next)});
  return next;
}

Computation Computation::then(Computation&& next, const Var& loop, const Where& where) {
  return then(next, loop, where);
}

Computation Computation::then(Computation&& next, Root, const Where& where) {
  return then(next, root, where);
}

Computation& Computation::between(const Computation& first, const std::optional<Var>& first_loop,
                                  const Computation& last, const std::optional<Var>& last_loop,
                                  const Where& where) {
  Author::require_same_function(*this, first, where);
  Author::require_same_function(*this, last, where);
  return Author::command(*this, where, "between",
                         {Author::branch(*this), Author::branch(first), loop_or_root(first_loop),
                          Author::branch(last), loop_or_root(last_loop)});
}

Computation& Computation::fuse(const Var& i, const Computation& other, const Var& j,
                               const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, "fuse", {Author::loop(*this, i), Author::loop(other, j)});
}

Computation& Computation::distribute_loop(const Var& i, const Where& where) {
  return Author::command(*this, where, "distribute_loop", {Author::loop(*this, i)});
}

Computation& Computation::compute_at(const Computation& reader, const Var& loop,
                                     const Where& where) {
  return compute_at({{reader, loop}}, where);
}

Computation& Computation::compute_at(const std::vector<std::pair<Computation, Var>>& loops,
                                     const Where& where) {
  std::vector<CommandOperand> operands{Author::branch(*this)};
  for (const auto& [reader, loop] : loops) {
    Author::require_same_function(*this, reader, where);
    operands.push_back(Author::loop(reader, loop));
  }
  return Author::command(*this, where, "compute_at", std::move(operands));
}

Computation& Computation::compute_at(Root, const Where& where) {
  return Author::command(*this, where, "compute_at", {Author::branch(*this), OutsideLoops{}});
}

Computation& Computation::store_at(const Computation& reader, const Var& loop, const Where& where) {
  Author::require_same_function(*this, reader, where);
  return Author::command(*this, where, "store_at",
                         {Author::branch(*this), Author::loop(reader, loop)});
}

Computation& Computation::store_at(Root, const Where& where) {
  return Author::command(*this, where, "store_at", {Author::branch(*this), OutsideLoops{}});
}

Computation& Computation::set_schedule(const std::string& map, const Where& where) {
  return Author::command(*this, where, "set_schedule", {Author::branch(*this), IslNotation{map}});
}

void Computation::set_inline(const Where& where) {
  Author::command(*this, where, "inline", {Author::branch(*this)});
}

}  // namespace strata
