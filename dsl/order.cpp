// Computation's commands on the order of computations.
#include "dsl/author.h"
#include "schedule/commands/after.h"
#include "schedule/commands/before.h"
#include "schedule/commands/between.h"
#include "schedule/commands/compute_at.h"
#include "schedule/commands/distribute_loop.h"
#include "schedule/commands/fuse.h"
#include "schedule/commands/inline_computation.h"
#include "schedule/commands/set_schedule.h"
#include "schedule/commands/store_at.h"
#include "schedule/commands/then.h"

namespace strata {

namespace {

std::optional<std::string> name_of(const std::optional<Var>& loop) {
  return loop ? std::optional(loop->name()) : std::nullopt;
}

}  // namespace

Computation& Computation::after(const Computation& other, const Var& loop, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::after(p, name_, other.name_, loop.name(), given);
  });
}

Computation& Computation::after(const Computation& other, Root, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::after(p, name_, other.name_, std::nullopt, given);
  });
}

Computation& Computation::before(const Computation& other, const Var& loop, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::before(p, name_, other.name_, loop.name(), given);
  });
}

Computation& Computation::before(const Computation& other, Root, const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::before(p, name_, other.name_, std::nullopt, given);
  });
}

Computation& Computation::then(Computation& next, const Var& loop, const Where& where) {
  Author::require_same_function(*this, next, where);
  Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::then(p, name_, next.name_, loop.name(), given);
  });
  return next;
}

Computation& Computation::then(Computation& next, Root, const Where& where) {
  Author::require_same_function(*this, next, where);
  Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::then(p, name_, next.name_, std::nullopt, given);
  });
  return next;
}

Computation& Computation::between(const Computation& first, const std::optional<Var>& first_loop,
                                  const Computation& last, const std::optional<Var>& last_loop,
                                  const Where& where) {
  Author::require_same_function(*this, first, where);
  Author::require_same_function(*this, last, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::between(p, name_, first.name_, name_of(first_loop), last.name_,
                           name_of(last_loop), given);
  });
}

Computation& Computation::fuse(const Var& i, const Computation& other, const Var& j,
                               const Where& where) {
  Author::require_same_function(*this, other, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::fuse(p, Author::loop(*this, i), Author::loop(other, j), given);
  });
}

Computation& Computation::distribute_loop(const Var& i, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::distribute_loop(p, Author::loop(*this, i), given);
  });
}

Computation& Computation::compute_at(const Computation& reader, const Var& loop,
                                     const Where& where) {
  return compute_at({{reader, loop}}, where);
}

Computation& Computation::compute_at(const std::vector<std::pair<Computation, Var>>& loops,
                                     const Where& where) {
  std::vector<LoopRef> named;
  for (const auto& [reader, loop] : loops) {
    Author::require_same_function(*this, reader, where);
    named.push_back(Author::loop(reader, loop));
  }
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::compute_at(p, name_, named, given);
  });
}

Computation& Computation::compute_at(Root, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return compute_at_root(p, name_, given);
  });
}

Computation& Computation::store_at(const Computation& reader, const Var& loop,
                                   const Where& where) {
  Author::require_same_function(*this, reader, where);
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::store_at(p, name_, Author::loop(reader, loop), given);
  });
}

Computation& Computation::store_at(Root, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::store_at(p, name_, std::nullopt, given);
  });
}

Computation& Computation::set_schedule(const std::string& map, const Where& where) {
  return Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::set_schedule(p, name_, map, given);
  });
}

void Computation::set_inline(const Where& where) {
  Author::command(*this, where, [&](const Program& p, const Given& given) {
    return strata::inline_computation(p, name_, given);
  });
}

}  // namespace strata
