#include "schedule/commands/storage/store_in.h"

#include <fmt/format.h>

#include <algorithm>

#include "layers/affine/affine.h"
#include "layers/define/build.h"
#include "layers/flow/reads.h"
#include "layers/verify/verify_algorithm.h"
#include "layers/verify/verify_layout.h"
#include "schedule/edit/verified.h"
#include "schedule/legality/modulus.h"

namespace strata {

namespace {

void require_fitting(const LayoutBuffer& buffer, Type type, unsigned rank, const Command& command) {
  if (buffer.type != type)
    throw command.refused(
        Code::E0110_types_do_not_mix,
        buffer.name + " holds " + to_string(buffer.type) + ", not " + to_string(type),
        "give a buffer of that type");
  if (buffer.dimensions != int(rank))
    throw command.refused(Code::E0109_wrong_arity,
                          buffer.name + " has " + std::to_string(buffer.dimensions) +
                              " dimensions, not " + std::to_string(rank),
                          "give one index for each dimension of the buffer");
}

// Requires that the buffer exists or can be created.
void require_buffer(const Program& program, const std::string& buffer, const Command& command) {
  const std::string whole = program.algorithm->array_of(buffer);
  if (whole != buffer)
    throw command.refused(Code::E0104_name_taken, buffer + " holds scalars of " + whole,
                          "choose another name");
  if (program.algorithm->is_scalar(buffer))
    throw command.refused(Code::E0106_bad_argument,
                          buffer + " is a scalar, which is passed by value: nothing can be stored",
                          "choose another buffer");
  if (!program.layout.find(buffer))
    require_buffer_name(buffer, {command.text(), command.given.where});
}

IteratorScope scope_of_values(const Program& program, const std::string& array,
                              const std::vector<Var>& indices) {
  std::vector<std::string> names;
  for (const Var& v : indices) names.push_back(v.name());
  return scope_of(program.session->isl(), array, names);
}

isl::map access_relation(const Program& program, const std::string& array,
                         const std::string& buffer, const std::vector<Var>& indices,
                         const std::vector<Expr>& places, const Command& command) {
  const IteratorScope scope = scope_of_values(program, array, indices);
  auto access = scope.space.add_unnamed_tuple(unsigned(places.size()))
                    .set_range_tuple(buffer)
                    .zero_multi_pw_aff();
  for (std::size_t d = 0; d < places.size(); ++d) {
    const std::string what = "index " + std::to_string(d) + " into " + buffer;
    require_parameters_known(*program.algorithm, places[d], what,
                             {command.text(), command.given.where});
    auto place = affine(places[d], scope);
    if (!place)
      throw command.refused(Code::E0111_not_affine,
                            what + " is not an affine function of the indices of " + array,
                            "use sums, products by constants, / and % by constants");
    access = access.set_at(int(d), *place);
  }
  // In the form in which later questions leave it, so that equal commands give equal texts.
  return access.as_map().detect_equalities().set_range_tuple(buffer);
}

// Loops that allocated the array's old buffer for it alone allocate its new one.
void rename_allocations(Program& after, const Program& before, const std::string& array) {
  const std::string old = buffer_of(before.layout, array);
  const std::string now = buffer_of(after.layout, array);
  if (old == now || !arrays_in(after.layout, old).empty() || before.layout.find(now)) return;
  for (const Path& loop : allocating_loops(before.mapping, old)) {
    auto& allocations = node_at(after.mapping, loop).loop().allocations;
    std::replace(allocations.begin(), allocations.end(), old, now);
  }
}

const Definition& first_definition(const Program& program, const std::string& array,
                                   const Command& command) {
  const std::string whole = program.algorithm->array_of(array);
  if (whole != array)
    throw command.refused(Code::E0106_bad_argument, array + " is stored together with " + whole,
                          "store " + whole);
  const auto definitions = program.algorithm->definitions_of(array);
  if (definitions.empty())
    throw command.refused(Code::E0101_unknown_computation, "there is no computation " + array,
                          "name a computation of this function");
  return *definitions.front();
}

// Stores the array at the places of "access", creating the buffer if there is none.
Program stored(const Program& before, const std::string& array, const isl::map& access,
               const Command& command) {
  const std::string buffer = access.range_tuple_id().name();
  const Type type = first_definition(before, array, command).type;
  Program after = before;
  if (const LayoutBuffer* found = after.layout.find(buffer)) {
    require_fitting(*found, type, access.range_tuple_dim(), command);
  } else {
    after.layout.buffers.push_back(
        {buffer, type, int(access.range_tuple_dim()), BufferRole::temporary});
  }
  after.layout.store.insert_or_assign(array, AccessRelation::from(access));
  rename_allocations(after, before, array);
  return after;
}

// "store it at i % 3, ..": the advice for the first index of "places" whose modulus is too small,
// or "".
std::string better_places(const Program& before, const std::string& array,
                          const std::string& buffer, const std::vector<Var>& indices,
                          const std::vector<Expr>& places, const Command& command) {
  const IteratorScope scope = scope_of_values(before, array, indices);
  for (std::size_t d = 0; d < places.size(); ++d) {
    if (places[d].op() != Op::mod) continue;
    const Expr dividend = places[d].args()[0];
    std::vector<Expr> collapsed = places;
    collapsed[d] = constant(i64, 0);
    const auto access = access_relation(before, array, buffer, indices, collapsed, command);
    const isl::map index = affine(dividend, scope)->as_map();
    const auto modulus = smallest_modulus(stored(before, array, access, command), array, index);
    if (modulus && *modulus > places[d].args()[1].node().integer)
      return fmt::format(
          "store it at {} % {}, the smallest modulus that stores all live values in different "
          "elements",
          to_text(CommandOperand(dividend)), *modulus);
  }
  return "";
}

bool is_about_storage(Code code) {
  return code == Code::E0301_value_overwritten || code == Code::E0303_race ||
         code == Code::E0305_lanes_collide;
}

isl::map parsed(const Program& program, const std::string& array, const std::string& text,
                const Command& command) {
  isl::map access;
  try {
    access = isl::map(program.session->isl(), text);
  } catch (const isl::exception& error) {
    throw command.refused(Code::E0108_unreadable_text,
                          "the text is not a relation in isl's notation: " + message_of(error),
                          fmt::format("write {{ {}[i, j] -> b[j, i] }}", array));
  }
  const unsigned rank = rank_of(*program.algorithm, array);
  const bool named = access.has_domain_tuple_id() && access.has_range_tuple_id() &&
                     !access.domain().is_wrapping() && !access.range().is_wrapping();
  if (!named || access.domain_tuple_id().name() != array || access.domain_tuple_dim() != rank)
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("the relation does not map the {} indices of {} to a buffer", rank, array),
        fmt::format("write {{ {}[i, j] -> b[j, i] }}", array));
  require_parameters(access.to_union_map(), *program.algorithm, command);
  return access;
}

}  // namespace

Program store_in(const Program& before, const std::string& array, const std::string& buffer,
                 const std::vector<Var>& indices, const std::vector<Expr>& places,
                 const Given& given) {
  Command command{"store_in", {array, buffer}, given, ""};
  for (const Expr& place : places) command.operands.push_back(place);
  first_definition(before, array, command);
  const unsigned rank = rank_of(*before.algorithm, array);
  if (indices.size() != rank)
    throw command.refused(
        Code::E0109_wrong_arity,
        array + " has " + std::to_string(rank) + " indices, not " + std::to_string(indices.size()));
  require_buffer(before, buffer, command);
  const isl::map access = access_relation(before, array, buffer, indices, places, command);
  try {
    return verified(before, stored(before, array, access, command), command);
  } catch (const Error& e) {
    if (!is_about_storage(e.code())) throw;
    Refusal refusal = e.refusal();
    const auto better = better_places(before, array, buffer, indices, places, command);
    if (!better.empty()) refusal.mend = better;
    throw Error(refusal);
  }
}

Program store_in(const Program& before, const std::string& array, const std::string& relation,
                 const Given& given) {
  const Command command{"store_in", {array, IslNotation{relation}}, given, ""};
  first_definition(before, array, command);
  const isl::map access = parsed(before, array, relation, command);
  require_buffer(before, access.range_tuple_id().name(), command);
  Program after = stored(before, array, access, command);
  verify_one_place(after, {command.text(), given.where});
  return verified(before, std::move(after), command);
}

std::vector<Var> indices_of(const Algorithm& algorithm, const std::string& array) {
  const auto definitions = algorithm.definitions_of(array);
  std::vector<Var> indices;
  if (definitions.empty()) return indices;
  const unsigned rank = rank_of(algorithm, array);
  const auto& iterators = definitions.front()->iterators;
  for (unsigned d = 0; d < rank && d < iterators.size(); ++d) indices.emplace_back(iterators[d]);
  return indices;
}

}  // namespace strata
