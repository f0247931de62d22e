#include "schedule/legality/automatic_places.h"

#include "layers/reads.h"
#include "schedule/legality/scheduled.h"

namespace strata {

void add_own_buffer(Program& program, const std::string& array) {
  const Definition& first = *program.algorithm->definitions_of(array).front();
  const int rank = int(rank_of(*program.algorithm, array));
  program.layout.buffers.push_back({array, first.type, rank, BufferRole::temporary});
  const auto space = isl::map(first.defines).range().space();
  program.layout.store.emplace(
      array, AccessRelation::from(space.identity_multi_aff_on_domain().as_map()));
}

namespace {

bool is_update(const Definition& d) { return d.name != d.array && !d.is_initial; }

}  // namespace

Program with_automatic_places(const Program& program) {
  Program stored = program;
  for (const Definition& d : program.algorithm->definitions) {
    if (stored.layout.store.count(d.array) || stored.layout.find(d.array)) continue;
    if (is_update(d) || !runs_once(branches_of(program.mapping, d.name)))
      add_own_buffer(stored, d.array);
  }
  return stored;
}

}  // namespace strata
