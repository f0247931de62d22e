#include "schedule/own_buffer.h"

#include <algorithm>

#include "layers/reads.h"
#include "schedule/legality/scheduled.h"

namespace strata {

namespace {

// Gives an array without one its buffer, whose name is free.
void add_own_buffer(Program& program, const std::string& array) {
  const Definition& first = *program.algorithm->definitions_of(array).front();
  const int rank = int(rank_of(*program.algorithm, array));
  program.layout.buffers.push_back({array, first.type, rank, BufferRole::temporary});
  const auto space = isl::map(first.defines).range().space();
  program.layout.store.emplace(
      array, AccessRelation::from(space.identity_multi_aff_on_domain().as_map()));
}

bool is_update(const Definition& d) { return d.name != d.array && !d.is_initial; }

}  // namespace

void give_own_buffer(Program& program, const std::string& array, const Command& command) {
  if (program.layout.store.count(array)) return;
  if (program.layout.find(array))
    throw command.refused(Code::E0104_name_taken,
                          "there is a buffer called " + array +
                              ", so the computation of that name has no place",
                          "give the computation a store_in");
  add_own_buffer(program, array);
}

Program with_automatic_places(const Program& program) {
  Program stored = program;
  for (const Definition& d : program.algorithm->definitions) {
    if (stored.layout.store.count(d.array) || stored.layout.find(d.array)) continue;
    if (is_update(d) || !runs_once(branches_of(program.mapping, d.name)))
      add_own_buffer(stored, d.array);
  }
  return stored;
}

LayoutBuffer& buffer_given(Program& program, const std::string& array, const Command& command) {
  definition_named(program, array, command);
  give_own_buffer(program, array, command);
  const std::string name = buffer_of(program.layout, array);
  auto& all = program.layout.buffers;
  return *std::find_if(all.begin(), all.end(),
                       [&](const LayoutBuffer& buffer) { return buffer.name == name; });
}

}  // namespace strata
