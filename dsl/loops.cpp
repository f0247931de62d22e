// Computation: commands on loops.
#include "dsl/author.h"

namespace strata {

Computation& Computation::split(const Var& i, TileSize size, const Var& outer, const Var& inner,
                                const Where& where) {
  return Author::command(*this, where, "split",
                         {Author::loop(*this, i), size, outer.name(), inner.name()});
}

Computation& Computation::split(const Var& i, TileSize size, const Where& where) {
  return Author::command(*this, where, "split", {Author::loop(*this, i), size});
}

Computation& Computation::tile(const Var& i, const Var& j, TileSize si, TileSize sj, const Var& i0,
                               const Var& j0, const Var& i1, const Var& j1, const Where& where) {
  return Author::command(*this, where, "tile",
                         {Author::loop(*this, i), Author::loop(*this, j), si, sj, i0.name(),
                          j0.name(), i1.name(), j1.name()});
}

Computation& Computation::tile(const Var& i, const Var& j, TileSize si, TileSize sj,
                               const Where& where) {
  return Author::command(*this, where, "tile",
                         {Author::loop(*this, i), Author::loop(*this, j), si, sj});
}

Computation& Computation::tile(const Var& i, const Var& j, const Var& k, TileSize si, TileSize sj,
                               TileSize sk, const Var& i0, const Var& j0, const Var& k0,
                               const Var& i1, const Var& j1, const Var& k1, const Where& where) {
  return Author::command(
      *this, where, "tile",
      {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k), si, sj, sk,
       i0.name(), j0.name(), k0.name(), i1.name(), j1.name(), k1.name()});
}

Computation& Computation::tile(const Var& i, const Var& j, const Var& k, TileSize si, TileSize sj,
                               TileSize sk, const Where& where) {
  return Author::command(
      *this, where, "tile",
      {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k), si, sj, sk});
}

Computation& Computation::peel(const Var& i, std::int64_t n, const Where& where) {
  return Author::command(*this, where, "peel", {Author::loop(*this, i), n});
}

Computation& Computation::peel(const Var& i, std::int64_t n, const std::string& name,
                               const Where& where) {
  return Author::command(*this, where, "peel", {Author::loop(*this, i), n, name});
}

Computation& Computation::interchange(const Var& i, const Var& j, const Where& where) {
  return Author::command(*this, where, "interchange",
                         {Author::loop(*this, i), Author::loop(*this, j)});
}

Computation& Computation::reorder(const std::vector<Var>& loops, const Where& where) {
  std::vector<CommandOperand> operands;
  for (const Var& loop : loops) operands.push_back(Author::loop(*this, loop));
  return Author::command(*this, where, "reorder", std::move(operands));
}

Computation& Computation::collapse(const Var& i, const Var& j, const Where& where) {
  return Author::command(*this, where, "collapse",
                         {Author::loop(*this, i), Author::loop(*this, j)});
}

Computation& Computation::collapse(const Var& i, const Var& j, const Var& name,
                                   const Where& where) {
  return Author::command(*this, where, "collapse",
                         {Author::loop(*this, i), Author::loop(*this, j), name.name()});
}

Computation& Computation::shift(const Var& i, const Expr& amount, const Where& where) {
  return Author::command(*this, where, "shift", {Author::loop(*this, i), amount});
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               const Var& ni, const Var& nj, const Where& where) {
  return Author::command(
      *this, where, "skew",
      {Author::loop(*this, i), Author::loop(*this, j), a, b, ni.name(), nj.name()});
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               const Where& where) {
  return skew(i, j, a, b, i, j, where);
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               std::int64_t c, std::int64_t d, const Var& ni, const Var& nj,
                               const Where& where) {
  return Author::command(
      *this, where, "skew",
      {Author::loop(*this, i), Author::loop(*this, j), a, b, c, d, ni.name(), nj.name()});
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               std::int64_t c, std::int64_t d, const Where& where) {
  return Author::command(*this, where, "skew",
                         {Author::loop(*this, i), Author::loop(*this, j), a, b, c, d});
}

Computation& Computation::reverse(const Var& i, const Where& where) {
  return Author::command(*this, where, "reverse", {Author::loop(*this, i)});
}

Computation& Computation::unroll(const Var& i, const Where& where) {
  return Author::command(*this, where, "unroll", {Author::loop(*this, i)});
}

Computation& Computation::unroll(const Var& i, std::int64_t factor, const Where& where) {
  return Author::command(*this, where, "unroll", {Author::loop(*this, i), factor});
}

Computation& Computation::unroll(const Var& i, std::int64_t factor, const Var& outer,
                                 const Var& inner, const Where& where) {
  return Author::command(*this, where, "unroll",
                         {Author::loop(*this, i), factor, outer.name(), inner.name()});
}

Computation& Computation::vectorize(const Var& i, const Where& where) {
  return Author::command(*this, where, "vectorize", {Author::loop(*this, i)});
}

Computation& Computation::vectorize(const Var& i, std::int64_t lanes, const Where& where) {
  return Author::command(*this, where, "vectorize", {Author::loop(*this, i), lanes});
}

Computation& Computation::vectorize(const Var& i, std::int64_t lanes, const Var& outer,
                                    const Var& inner, const Where& where) {
  return Author::command(*this, where, "vectorize",
                         {Author::loop(*this, i), lanes, outer.name(), inner.name()});
}

Computation Computation::rfactor(const Var& loop, const std::string& part, const Where& where) {
  Author::command(*this, where, "rfactor", {Author::loop(*this, loop), part});
  return Computation(state_, part, part, Author::program(*this).algorithm->find(part)->type);
}

Computation& Computation::atomic(const Where& where) {
  return Author::command(*this, where, "atomic", {Author::branch(*this)});
}

Computation& Computation::parallelize(const Var& i, const Where& where) {
  return Author::command(*this, where, "parallelize", {Author::loop(*this, i)});
}

Computation& Computation::separate(const Var& i, const Where& where) {
  return Author::command(*this, where, "separate", {Author::loop(*this, i)});
}

Computation& Computation::guard(const Var& i, const Where& where) {
  return Author::command(*this, where, "guard", {Author::loop(*this, i)});
}

Computation& Computation::mask(const Var& i, const Where& where) {
  return Author::command(*this, where, "mask", {Author::loop(*this, i)});
}

Computation& Computation::barrier_at(const Var& loop, const Where& where) {
  return Author::command(*this, where, "barrier_at", {Author::loop(*this, loop)});
}

}  // namespace strata
