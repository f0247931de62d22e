#include "layers/define/copy.h"

#include <isl/set.h>

#include <algorithm>

#include "core/sets/quotients.h"
#include "core/sets/relation_text.h"
#include "layers/define/build.h"
#include "layers/define/step_copy.h"
#include "layers/flow/order.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

std::ptrdiff_t count_definitions(const Algorithm& algorithm, const std::string& array) {
  const auto all = algorithm.definitions_of(array);
  return std::count_if(all.begin(), all.end(), [](const Definition* d) { return !d->is_initial; });
}

// Is the reader an update of the array?
bool is_own_of_update(const Algorithm& algorithm, const std::string& array,
                      const std::string& reader) {
  const Definition* found = algorithm.find(reader);
  return found && found->array == array && !found->reduction && reads_array(*found, array) &&
         count_definitions(algorithm, array) > 1 && found->name != array;
}

void require_copied(const Algorithm& algorithm, const std::string& array, const std::string& reader,
                    const Request& request) {
  const Definition* found = algorithm.find(reader);
  if (!found || !reads_array(*found, array))
    throw request.refused(
        Code::E0101_unknown_computation,
        found ? reader + " does not read " + array : "there is no computation " + reader,
        "name a computation and an array that it reads");
  if (algorithm.is_scalar(array))
    throw request.refused(Code::E0106_bad_argument,
                          array + " is a scalar, which is passed by value",
                          "leave the command out: there is no memory to copy");
  if (found->array == algorithm.array_of(array))
    throw request.refused(Code::E0106_bad_argument, reader + " reads its own values",
                          "copy the values of another computation or of an input");
  if (count_definitions(algorithm, algorithm.array_of(array)) > 1)
    throw request.refused(Code::E0106_bad_argument,
                          array + " is updated, so one copy cannot hold its values",
                          "copy an array that has a single definition");
}

// Does the reader read it at an index that is checked when the kernel runs?
bool is_checked(const Algorithm& algorithm, const std::string& reader, const std::string& array,
                const Request& request) {
  const Definition& definition = *algorithm.find(reader);
  for (const AccessUse& use : accesses(definition)) {
    if (use.access.name() != array || use.access.op() != Op::access) continue;
    const std::vector<bool> checked = elements_of(algorithm, definition, use, request).checked;
    if (std::find(checked.begin(), checked.end(), true) != checked.end()) return true;
  }
  return false;
}

// Moves the last root of the forest before the root that contains "reader".
void move_before(Mapping& forest, const std::string& reader) {
  const auto holds = [&](const Node& node) {
    const auto names = owners(node);
    return std::find(names.begin(), names.end(), reader) != names.end();
  };
  auto& roots = forest.roots;
  const auto place = std::find_if(roots.begin(), roots.end(), holds);
  std::rotate(place, roots.end() - 1, roots.end());
}

// { copy[e] -> the time of the first "levels" loops around "made" when the element e gets its
// value }. Elements that are initial values have the time that a contribution would have.
isl::map last_prefix(const Definition& made, const Placed& placed, unsigned levels,
                     const std::string& copy) {
  const isl::map outer = leading_levels(placed.branch->time, levels);
  isl::map prefix = outer.apply_domain(made.defines);
  if (!prefix.is_single_valued())
    prefix = outer.intersect_domain(made.domain).apply_domain(made.defines).lexmax();
  return explicit_quotients(prefix.set_domain_tuple(copy));
}

// The values of a definition that runs in the loops around the reader, in the order of reference:
// the copy, which is the last root, runs in the loops that both share, just after that definition.
void place_in_shared_loops(Mapping& reference, const Definition& made, const Placed& placed,
                           const Path& reader) {
  const auto differ = std::mismatch(placed.path.begin(), placed.path.end(), reader.begin()).first;
  const auto levels = unsigned(differ - placed.path.begin());
  Node copy = std::move(reference.roots.back());
  const Path after = prefix(placed.path, levels + 1);
  for_each_branch(copy, [&](Branch& branch) {
    const isl::map outer = last_prefix(made, placed, levels, branch.definition);
    branch.time = TimeMap::from(outer.range_product(branch.time).flatten_range());
  });
  reference.roots.pop_back();
  auto& siblings = siblings_at(reference, after);
  siblings.insert(siblings.begin() + after.back() + 1, std::move(copy));
}

// The copy of "array" for "reader" is the last root of the order of reference. Moves it to where
// the values of the array are there, and the reader has not run.
void order_copy(Algorithm& algorithm, const std::string& array, const std::string& reader) {
  const Path path = branches_of(algorithm.reference, reader).front().path;
  for (const Definition* made : algorithm.definitions_of(array)) {
    if (made->is_initial) continue;
    const Placed placed = branches_of(algorithm.reference, made->name).front();
    if (placed.path.front() == path.front())
      return place_in_shared_loops(algorithm.reference, *made, placed, path);
  }
  move_before(algorithm.reference, reader);
}

// Moves the last definition before the first one of "array", which may be of initial values.
void move_before(Definitions& definitions, const std::string& array) {
  const auto place = std::find_if(definitions.begin(), definitions.end(),
                                  [&](const Definition& d) { return d.array == array; });
  definitions.move_last_to(std::size_t(std::distance(definitions.begin(), place)));
}

// { name[iterators] }, the same tuples as in "elements".
isl::set named(const isl::set& elements, const std::string& name,
               const std::vector<std::string>& iterators) {
  isl_set* set = isl_set_set_tuple_name(elements.copy(), name.c_str());
  for (std::size_t n = 0; n < iterators.size(); ++n)
    set = isl_set_set_dim_name(set, isl_dim_set, unsigned(n), iterators[n].c_str());
  return isl::manage(set);
}

}  // namespace

Expr with_renamed(const Expr& whole, const std::string& array, const std::string& name) {
  return rewrite(whole, [&](const Expr& e) -> Expr {
    if (e.name() != array) return {};
    if (e.op() == Op::array) return array_argument(name, e.type());
    return e.op() == Op::access ? access(name, e.type(), e.args()) : Expr();
  });
}

Program with_copy(const Program& program, const std::string& array, const std::string& reader,
                  const std::string& name, const std::vector<std::string>& iterators,
                  const Request& request, CopyOf part) {
  if (is_own_of_update(*program.algorithm, array, reader))
    return with_step_copy(program, reader, name, iterators, request);
  require_copied(*program.algorithm, array, reader, request);
  NewDefinition copy;
  copy.array = name;
  copy.iterators = {iterators.begin(), iterators.end()};
  std::vector<Expr> element;
  for (const Var& v : copy.iterators) element.push_back(v);
  copy.value = access(array, type_of(*program.algorithm, array), element);

  const bool is_input = program.algorithm->find_input(array) != nullptr;
  const bool whole = (is_input && part == CopyOf::all_of_input) ||
                     is_checked(*program.algorithm, reader, array, request);
  const isl::set elements = all_elements(*program.algorithm, array);
  if (whole && elements.tuple_dim() == iterators.size()) {
    copy.domain = isl_text(named(elements, name, iterators));
    copy.iterators.clear();
  }

  Program result = with_definition(program, copy, request);
  Algorithm algorithm = *result.algorithm;
  const std::string made = algorithm.find(reader)->array;
  move_before(algorithm.definitions, made);
  order_copy(algorithm, array, reader);
  algorithm.edit(name);  // so that R106 is asked of it again
  move_before(result.mapping, reader);
  edit_expressions(algorithm.edit(reader),
                   [&](const Expr& whole) { return with_renamed(whole, array, name); });
  return completed(std::move(result), std::move(algorithm), request);
}

}  // namespace strata
