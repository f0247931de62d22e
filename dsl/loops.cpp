// Computation's commands on loops.
#include "dsl/author.h"
#include "schedule/commands/atomic.h"
#include "schedule/commands/barrier_at.h"
#include "schedule/commands/guard.h"
#include "schedule/commands/interchange.h"
#include "schedule/commands/mask.h"
#include "schedule/commands/parallelize.h"
#include "schedule/commands/reverse.h"
#include "schedule/commands/rfactor.h"
#include "schedule/commands/separate.h"
#include "schedule/commands/shift.h"
#include "schedule/commands/skew.h"
#include "schedule/commands/split.h"
#include "schedule/commands/tile.h"
#include "schedule/commands/unroll.h"
#include "schedule/commands/vectorize.h"

namespace strata {

namespace {

std::vector<std::string> names(std::initializer_list<Var> loops) {
  std::vector<std::string> result;
  for (const Var& v : loops) result.push_back(v.name());
  return result;
}

}  // namespace

Computation& Computation::split(const Var& i, TileSize size, const Var& outer,
                                const Var& inner, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::split(p, Author::loop(*this, i), size, outer.name(), inner.name(), given);
  });
}

Computation& Computation::split(const Var& i, TileSize size, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::split(p, Author::loop(*this, i), size, "", "", given);
  });
}

Computation& Computation::tile(const Var& i, const Var& j, TileSize si, TileSize sj,
                               const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                               const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::tile(p, {Author::loop(*this, i), Author::loop(*this, j)}, {si, sj},
                        names({i0, j0}), names({i1, j1}), given);
  });
}

Computation& Computation::tile(const Var& i, const Var& j, TileSize si, TileSize sj,
                               const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::tile(p, {Author::loop(*this, i), Author::loop(*this, j)}, {si, sj}, {}, {},
                        given);
  });
}

Computation& Computation::tile(const Var& i, const Var& j, const Var& k, TileSize si,
                               TileSize sj, TileSize sk, const Var& i0, const Var& j0,
                               const Var& k0, const Var& i1, const Var& j1, const Var& k1,
                               const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::tile(
        p, {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k)}, {si, sj, sk},
        names({i0, j0, k0}), names({i1, j1, k1}), given);
  });
}

Computation& Computation::tile(const Var& i, const Var& j, const Var& k, TileSize si,
                               TileSize sj, TileSize sk, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::tile(
        p, {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k)}, {si, sj, sk},
        {}, {}, given);
  });
}

Computation& Computation::interchange(const Var& i, const Var& j, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::interchange(p, Author::loop(*this, i), Author::loop(*this, j), given);
  });
}

Computation& Computation::shift(const Var& i, const Expr& amount, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::shift(p, Author::loop(*this, i), amount, given);
  });
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               const Var& ni, const Var& nj, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::skew(p, Author::loop(*this, i), Author::loop(*this, j), a, b, names({ni, nj}),
                        given);
  });
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               const Where& where) {
  return skew(i, j, a, b, i, j, where);
}

Computation& Computation::skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                               std::int64_t c, std::int64_t d, const Var& ni, const Var& nj,
                               const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::skew(p, Author::loop(*this, i), Author::loop(*this, j),
                        SkewFactors{a, b, c, d}, names({ni, nj}), given);
  });
}

Computation& Computation::reverse(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::reverse(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::unroll(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::unroll(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::unroll(const Var& i, std::int64_t factor, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::unroll(p, Author::loop(*this, i), factor, "", "", given);
  });
}

Computation& Computation::unroll(const Var& i, std::int64_t factor, const Var& outer,
                                 const Var& inner, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::unroll(p, Author::loop(*this, i), factor, outer.name(), inner.name(), given);
  });
}

Computation& Computation::vectorize(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::vectorize(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::vectorize(const Var& i, std::int64_t lanes, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::vectorize(p, Author::loop(*this, i), lanes, "", "", given);
  });
}

Computation& Computation::vectorize(const Var& i, std::int64_t lanes, const Var& outer,
                                    const Var& inner, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::vectorize(p, Author::loop(*this, i), lanes, outer.name(), inner.name(), given);
  });
}

Computation Computation::rfactor(const Var& loop, const std::string& part, const Where& where) {
  Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::rfactor(p, Author::loop(*this, loop), part, given);
  });
  return Computation(state_, part, part, Author::program(*this).algorithm->find(part)->type);
}

Computation& Computation::atomic(const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::atomic(p, name_, given);
  });
}

Computation& Computation::parallelize(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::parallelize(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::separate(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::separate(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::guard(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::guard(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::mask(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::mask(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::barrier_at(const Var& loop, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) -> Program {
    return strata::barrier_at(p, Author::loop(*this, loop), given);
  });
}

}  // namespace strata
