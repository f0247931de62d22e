#include "schedule/commands/order/inline_computation.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/expr/expr_sharing.h"
#include "layers/define/build.h"
#include "layers/flow/reads.h"
#include "schedule/edit/moving.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

std::string why_not(const Program& program, const Definition& d) {
  const Algorithm& algorithm = *program.algorithm;
  if (!d.value.defined()) return "it has no value yet";
  if (d.reduction) return "it is a reduction";
  if (!d.others.empty()) return "its values are tuples";
  if (algorithm.definitions_of(d.array).size() > 1) return d.array + " has several definitions";
  if (reads_array(d, d.array)) return "it reads its own values";
  if (program.layout.store.count(d.array)) return "store_in has given its values a buffer";
  if (std::none_of(algorithm.definitions.begin(), algorithm.definitions.end(),
                   [&](const Definition& reader) { return reads_array(reader, d.array); }))
    return "it is never read";
  if (std::any_of(algorithm.definitions.begin(), algorithm.definitions.end(),
                  [&](const Definition& reader) { return takes_array(reader, d.array); }))
    return "an extern call takes it as an array";
  return "";
}

// The value of "inlined" for the given indices.
Expr value_at(const Definition& inlined, const std::vector<Expr>& indices) {
  return substitute(inlined.value, [&](const std::string& iterator) {
    const auto& names = inlined.iterators;
    const auto found = std::find(names.begin(), names.end(), iterator);
    if (found == names.end()) return Expr();
    const Expr& index = indices[std::size_t(found - names.begin())];
    return index.type() == i64 ? index : cast(i64, index);
  });
}

// Equal reads share one value, and equal accesses inside these values are shared again: a chain of
// n stages, each of which reads the one below at i - 1, i and i + 1, reads 2 n + 1 elements, not
// 3^n.
Algorithm without(Algorithm algorithm, const Definition& inlined) {
  Definitions& all = algorithm.definitions;
  all.erase_if([&](const Definition& d) { return d.name == inlined.name; });
  for (std::size_t place = 0; place < all.size(); ++place) {
    if (!reads_array(all[place], inlined.array)) continue;
    Sharing sharing;
    edit_expressions(all.edit(place), [&](const Expr& whole) {
      return sharing(rewrite(sharing(whole), [&](const Expr& e) {
        return e.op() == Op::access && e.name() == inlined.array ? value_at(inlined, e.args())
                                                                 : Expr();
      }));
    });
  }
  return algorithm;
}

void remove_branches(Mapping& mapping, const std::string& definition) {
  for (auto placed = branches_of(mapping, definition); !placed.empty();
       placed = branches_of(mapping, definition))
    remove_node(mapping, placed.front().path);
}

// The first reader that does not read what it would read through the inlined computation:
//     R'_S - (R_S + R_SP . R_P)  is not empty.
std::string find_changed_reader(const Algorithm& before, const Algorithm& after,
                                const Definition& inlined) {
  const isl::union_map through = all_reads(inlined);
  for (const Definition& reader : after.definitions) {
    const isl::union_map direct = all_reads(*before.find(reader.name));
    const isl::union_map expected = direct.unite(direct.apply_range(through));
    if (!all_reads(reader).is_subset(expected)) return reader.name;
  }
  return "";
}

}  // namespace

Program inline_computation(const Program& program, const std::string& definition, Given given) {
  const Command command{
      "inline",
      {definition},
      given,
      "computing " + definition + " inside its readers would read a value before it is computed"};
  const Definition& inlined = definition_named(program, definition, command);
  if (const auto reason = why_not(program, inlined); !reason.empty())
    throw command.refused(Code::E0106_bad_argument,
                          fmt::format("{} cannot be inlined: {}", definition, reason));

  Program result = program;
  remove_branches(result.mapping, definition);
  Algorithm algorithm = without(*program.algorithm, inlined);
  remove_branches(algorithm.reference, definition);
  result = completed(std::move(result), std::move(algorithm), {command.text(), given.where});

  const auto changed = find_changed_reader(*program.algorithm, *result.algorithm, inlined);
  if (!changed.empty())
    throw command.refused(Code::E0106_bad_argument,
                          fmt::format("{} would read values that are updated after {} reads them",
                                      changed, definition));
  return verified(program, std::move(result), command);
}

}  // namespace strata
