#include "schedule/edit/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "layers/verify/verify_algorithm.h"

namespace strata {

std::string Command::text() const {
  std::vector<std::string> texts;
  for (const CommandOperand& operand : operands) texts.push_back(to_text(operand));
  return fmt::format("{}({})", name, fmt::join(texts, ", "));
}

Error Command::refused(Code code, std::string explanation, std::string mend,
                       std::optional<Witness> witness) const {
  return Error(Refusal{code, text(), std::move(explanation), std::move(witness), std::move(mend),
                       given.where});
}

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> names_of(const std::vector<const Loop*>& loops) {
  std::vector<std::string> names;
  for (const Loop* loop : loops) names.push_back(loop->name);
  return names;
}

std::string existing_loops(const std::vector<Placed>& placed) {
  std::vector<std::string> names;
  for (const Placed& one : placed)
    for (const std::string& name : names_of(one.loops))
      if (!contains(names, name)) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string names_of(const std::vector<Placed>& placed) {
  std::vector<std::string> names;
  for (const Placed& one : placed) names.push_back(name_of(*one.branch));
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_prefix(const Path& outer, const Path& inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

// Names of all loops around and inside the branches under "path".
std::set<std::string> names_around(const Mapping& mapping, const Path& path) {
  std::set<std::string> names;
  for (const Placed& placed : branches(mapping))
    if (is_prefix(path, placed.path))
      for (const Loop* loop : placed.loops) names.insert(loop->name);
  return names;
}

// The first branch that is inside the outer of two nested loops but not inside the inner one.
std::string owner_in_the_way(const Mapping& mapping, const Path& outer, const Path& inner) {
  for (const Placed& placed : branches(mapping))
    if (is_prefix(outer, placed.path) && !is_prefix(inner, placed.path))
      return name_of(*placed.branch);
  return "";
}

}  // namespace

const Definition& definition_named(const Program& program, const std::string& name,
                                   const Command& command) {
  const Definition* found = program.algorithm->find(name);
  if (found && !found->is_initial) return *found;
  if (found)
    throw command.refused(Code::E0101_unknown_computation,
                          name + " is the initial value of a reduction, which moves with it",
                          "name the reduction instead");
  std::vector<std::string> names;
  for (const Definition& definition : program.algorithm->definitions)
    if (!definition.is_initial) names.push_back(definition.name);
  throw command.refused(
      Code::E0101_unknown_computation,
      fmt::format("the program has no computation {}; it has {}", name,
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

namespace {

// "mend" says what to do if there are several.
Placed one_of(const std::vector<Placed>& placed, const std::string& definition,
              const std::string& mend, const Command& command) {
  if (placed.size() == 1) return placed.front();
  if (placed.empty())
    throw command.refused(Code::E0204_not_scheduled, definition + " is not scheduled",
                          "give it a schedule with set_schedule");
  throw command.refused(
      Code::E0103_ambiguous_loop,
      fmt::format("{} is scheduled in {} places: {}", definition, placed.size(), names_of(placed)),
      mend);
}

}  // namespace

std::vector<Placed> branches_named(const Program& program, const BranchRef& branch,
                                   const Command& command) {
  definition_named(program, branch.definition, command);
  const auto all = branches_of(program.mapping, branch.definition);
  if (branch.piece.empty()) return all;
  for (const Placed& placed : all)
    if (placed.branch->piece == branch.piece) return {placed};
  throw command.refused(
      Code::E0101_unknown_computation,
      fmt::format("{} has no piece {}; it {}", branch.definition, branch.piece,
                  all.size() > 1 ? "has " + names_of(all) : "is scheduled in one place"));
}

Placed branch_named(const Program& program, const BranchRef& branch, const Command& command) {
  return one_of(branches_named(program, branch, command), branch.definition,
                "name one of these pieces", command);
}

Placed whole_named(const Program& program, const std::string& definition, const Command& command) {
  return one_of(branches_named(program, definition, command), definition,
                "give it one place with set_schedule", command);
}

Path loop_named(const Program& program, const LoopRef& loop, const Command& command) {
  const auto placed = branches_named(program, loop.branch(), command);
  std::map<Path, std::string> found;  // with a name that is not ambiguous
  for (const Placed& one : placed)
    for (std::size_t level = 0; level < one.loops.size(); ++level)
      if (one.loops[level]->name == loop.loop)
        found.emplace(prefix(one.path, level + 1), name_of(*one.branch) + "." + loop.loop);
  if (found.size() == 1) return found.begin()->first;
  if (found.empty())
    throw command.refused(Code::E0102_unknown_loop,
                          fmt::format("{} has no loop {}; it has {}", to_string(loop.branch()),
                                      loop.loop, existing_loops(placed)));
  std::vector<std::string> names;
  for (const auto& [path, name] : found) names.push_back(name);
  throw command.refused(Code::E0103_ambiguous_loop,
                        fmt::format("{} names {} different loops: {}", to_string(loop),
                                    found.size(), fmt::join(names, ", ")),
                        "name one of them");
}

std::vector<Path> chain_named(const Program& program, const std::vector<LoopRef>& loops,
                              const Command& command) {
  std::vector<Path> paths;
  for (const LoopRef& loop : loops) paths.push_back(loop_named(program, loop, command));
  std::vector<std::size_t> order(loops.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return paths[a].size() < paths[b].size(); });
  for (std::size_t n = 0; n + 1 < order.size(); ++n) {
    const auto outer = order[n], inner = order[n + 1];
    if (paths[outer] == paths[inner])
      throw command.refused(Code::E0106_bad_argument, to_string(loops[inner]) + " is named twice",
                            "name different loops");
    if (!is_prefix(paths[outer], paths[inner]))
      throw command.refused(Code::E0107_wrong_owners,
                            fmt::format("{} and {} are not nested in each other",
                                        to_string(loops[outer]), to_string(loops[inner])),
                            "name loops around one computation");
    const auto owner = owner_in_the_way(program.mapping, paths[outer], paths[inner]);
    if (!owner.empty())
      throw command.refused(Code::E0107_wrong_owners,
                            fmt::format("loop {} also contains {}, which is outside loop {}",
                                        loops[outer].loop, owner, loops[inner].loop),
                            fmt::format("distribute_loop({}.{}), or fuse {} into loop {}", owner,
                                        loops[outer].loop, owner, loops[inner].loop));
  }
  return paths;
}

Path band_named(const Program& program, const std::vector<LoopRef>& loops, const Command& command) {
  const auto paths = chain_named(program, loops, command);
  for (std::size_t n = 0; n + 1 < paths.size(); ++n)
    if (paths[n + 1].size() != paths[n].size() + 1)
      throw command.refused(
          Code::E0106_bad_argument,
          fmt::format("{} is not the loop directly inside {}", to_string(loops[n + 1]),
                      to_string(loops[n])),
          "name adjacent loops, outermost first; interchange makes loops adjacent");
  return paths.front();
}

void require_identifier(const std::string& name, const std::string& what, const Command& command) {
  if (!is_identifier(name))
    throw command.refused(
        Code::E0105_bad_name, fmt::format("\"{}\" cannot name {}", name, what),
        "use letters, digits and _, not starting with a digit, and no keyword of C or isl");
}

namespace {

void require_loop_name(const std::string& name, const std::vector<std::string>& taken,
                       const Command& command) {
  require_identifier(name, "a loop", command);
  if (contains(taken, name))
    throw command.refused(Code::E0104_name_taken,
                          fmt::format("another loop around the same computation is named {}", name),
                          "choose another name");
}

}  // namespace

void require_free_name(const Program& program, const Path& path, const std::string& name,
                       const std::vector<std::string>& except, const Command& command) {
  std::set<std::string> taken = names_around(program.mapping, path);
  for (const std::string& gone : except) taken.erase(gone);
  require_loop_name(name, {taken.begin(), taken.end()}, command);
}

void require_name_free_along(const Program& program, const Path& path, const std::string& name,
                             const Command& command) {
  require_loop_name(name, names_of(loops_along(program.mapping, path)), command);
}

std::string free_name(const std::string& name, const std::set<std::string>& taken) {
  std::string result = name;
  for (int number = 2; taken.count(result); ++number) result = name + std::to_string(number);
  return result;
}

std::vector<std::string> new_names(const Program& program, const Path& path,
                                   const std::vector<NewLoop>& loops,
                                   const std::vector<std::string>& except, const Command& command) {
  auto taken = names_around(program.mapping, path);
  for (const std::string& name : except) taken.erase(name);
  for (const NewLoop& loop : loops) {
    if (loop.given.empty()) continue;
    require_free_name(program, path, loop.given, except, command);
    if (!taken.insert(loop.given).second)
      throw command.refused(Code::E0104_name_taken,
                            fmt::format("two of the new loops are named {}", loop.given),
                            "give each loop a different name");
  }
  std::vector<std::string> names;
  for (const NewLoop& loop : loops) {
    names.push_back(loop.given.empty() ? free_name(loop.otherwise, taken) : loop.given);
    taken.insert(names.back());
  }
  return names;
}

void require_positive(std::int64_t size, const std::string& what, const Command& command) {
  if (size < 1)
    throw command.refused(Code::E0106_bad_argument, fmt::format("{} is {}", what, size),
                          what + " must be 1 or more");
}

void require_parameters(const isl::union_map& map, const Algorithm& algorithm,
                        const Command& command) {
  const isl::space space = map.space();
  const int count = int(isl_space_dim(space.get(), isl_dim_param));
  for (int n = 0; n < count; ++n) {
    const std::string name = isl_space_get_dim_name(space.get(), isl_dim_param, unsigned(n));
    const auto& known = algorithm.parameters;
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw command.refused(Code::E0106_bad_argument, "the program has no parameter " + name,
                            "declare it with param(\"" + name + "\") on this function");
  }
}

}  // namespace strata
