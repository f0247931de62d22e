#include "schedule/commands/store_in.h"

#include <algorithm>

#include "core/expr_text.h"
#include "core/expr_typing.h"
#include "layers/affine.h"
#include "layers/reads.h"
#include "layers/verify_algorithm.h"

namespace strata {

namespace {

void require_fitting(const LayoutBuffer& buffer, Type type, std::size_t rank,
                     const Command& command) {
  if (buffer.type != type)
    throw command.refused(Code::E0110_types_do_not_mix,
                          buffer.name + " holds " + to_string(buffer.type) + ", not " +
                              to_string(type),
                          "give a buffer of that type");
  if (buffer.dimensions != int(rank))
    throw command.refused(Code::E0109_wrong_arity,
                          buffer.name + " has " + std::to_string(buffer.dimensions) +
                              " dimensions, not " + std::to_string(rank),
                          "give one index for each dimension of the buffer");
}

// A C++ number is an index like any other: 0, not 0i32.
std::string index_text(const Expr& place) {
  return to_text(place.defined() ? fitted(place, i64).value_or(place) : place);
}

isl::map access_relation(const Program& program, const std::string& array,
                         const std::string& buffer, const std::vector<Var>& indices,
                         const std::vector<Expr>& places, const Command& command) {
  std::vector<std::string> names;
  for (const Var& v : indices) names.push_back(v.name());
  const Scope scope = scope_of(program.session->isl(), array, names);
  auto access = scope.space.add_unnamed_tuple(unsigned(places.size()))
                    .set_range_tuple(buffer)
                    .zero_multi_pw_aff();
  for (std::size_t d = 0; d < places.size(); ++d) {
    if (!places[d].defined())
      throw command.refused(Code::E0106_bad_argument,
                            "index " + std::to_string(d) + " into " + buffer +
                                " is an Expr that nothing was assigned to",
                            "give it an expression");
    if (const ExprNode* mistake = find_invalid(places[d]))
      throw command.refused(mistake->code, mistake->name);
    auto place = affine(places[d], scope);
    if (!place)
      throw command.refused(Code::E0111_not_affine,
                            "index " + std::to_string(d) + " into " + buffer +
                                " is not an affine function of the indices of " + array,
                            "use sums, products by constants, / and % by constants");
    access = access.set_at(int(d), *place);
  }
  return access.as_map().set_range_tuple(buffer);
}

// Loops that allocated the array's buffer for its values alone allocate its new one.
void rename_allocations(Program& after, const Program& before, const std::string& array) {
  const std::string old = buffer_of(before.layout, array);
  const std::string now = buffer_of(after.layout, array);
  const bool in_use = std::any_of(
      after.layout.store.begin(), after.layout.store.end(),
      [&](const auto& other) { return buffer_of(after.layout, other.first) == old; });
  if (old == now || in_use || before.layout.find(now)) return;
  for (const Path& loop : allocating_loops(before.mapping, old)) {
    auto& allocations = node_at(after.mapping, loop).loop().allocations;
    std::replace(allocations.begin(), allocations.end(), old, now);
  }
}

}  // namespace

Program store_in(const Program& before, const std::string& array, const std::string& buffer,
                 const std::vector<Var>& indices, const std::vector<Expr>& places,
                 const Given& given) {
  Command command{"store_in", {array, buffer}, given, ""};
  for (const Expr& place : places) command.operands.push_back(index_text(place));
  const auto definitions = before.algorithm->definitions_of(array);
  if (definitions.empty())
    throw command.refused(Code::E0101_unknown_computation, "there is no computation " + array,
                          "name a computation of this function");
  if (indices.size() != rank_of(*before.algorithm, array))
    throw command.refused(Code::E0109_wrong_arity,
                          array + " has " +
                              std::to_string(rank_of(*before.algorithm, array)) +
                              " indices, not " + std::to_string(indices.size()));

  Program after = before;
  const Type type = definitions.front()->type;
  if (const LayoutBuffer* found = after.layout.find(buffer)) {
    require_fitting(*found, type, places.size(), command);
  } else {
    if (!is_identifier(buffer))
      throw command.refused(Code::E0105_bad_name, "\"" + buffer + "\" cannot name a buffer",
                            "use letters, digits and _, not starting with a digit, and no keyword "
                            "of C or isl");
    after.layout.buffers.push_back({buffer, type, int(places.size()), BufferRole::temporary});
  }
  const isl::map access = access_relation(before, array, buffer, indices, places, command);
  after.layout.store.insert_or_assign(array, AccessRelation::from(access));
  rename_allocations(after, before, array);
  return judged(before, std::move(after), command);
}

}  // namespace strata
