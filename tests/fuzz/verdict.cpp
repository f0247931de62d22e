#include "tests/fuzz/verdict.h"

#include <algorithm>
#include <set>

#include "reference/executions.h"
#include "reference/storage.h"

namespace strata::fuzz {

namespace {

bool has_loop(const Program& program, bool (*is_such)(const Loop&)) {
  for (const reference::Leaf& leaf : reference::leaves(program.mapping))
    for (const Loop* loop : leaf.around)
      if (is_such(*loop)) return true;
  return false;
}

bool recomputes_at(const Program& program, const Parameters& size) {
  std::set<std::pair<std::size_t, reference::Point>> all;
  for (const reference::Scheduled& s :
       reference::executions(program.mapping, *program.algorithm, size))
    if (!all.emplace(s.definition, s.instance).second) return true;
  return false;
}

// Does some instance run more than once?
bool recomputes(const Program& program) {
  const auto sizes = sizes_of(program, Effort::refused);
  return std::any_of(sizes.begin(), sizes.end(),
                     [&](const Parameters& size) { return recomputes_at(program, size); });
}

std::optional<OracleViolation> broken_at(const Program& program, const Parameters& size,
                                         Effort effort) {
  const Program placed = reference::with_automatic_places(program);
  reference::OracleOptions options;
  options.surely_threads = effort != Effort::refused;
  for (const reference::Violation& v : reference::judge_schedule(placed, size, options))
    if (v.fault != reference::Fault::output_lost && v.fault != reference::Fault::not_scheduled)
      return OracleViolation{v, size};
  return std::nullopt;
}

}  // namespace

std::string to_string(const OracleViolation& broken) {
  return reference::to_string(broken.violation) + ", with " + reference::to_string(broken.size);
}

std::optional<OracleViolation> broken(const Program& program, Effort effort) {
  for (const Parameters& size : sizes_of(program, effort))
    if (auto found = broken_at(program, size, effort)) return found;
  return std::nullopt;
}

std::optional<OracleViolation> broken(const Program& program,
                                      const std::optional<Witness>& witness) {
  if (auto found = broken(program, Effort::refused)) return found;
  const auto size = witness ? size_of(*witness, program) : std::nullopt;
  return size ? broken_at(program, *size, Effort::refused) : std::nullopt;
}

std::optional<std::string> refused_by_design(Code code, const Program& program,
                                             const std::optional<Witness>& witness) {
  const bool vectors =
      has_loop(program, [](const Loop& l) { return l.processor == Processor::vector; });
  const bool tiles = has_loop(program, [](const Loop& l) { return l.tile_size.has_value(); });
  if (code == Code::E0901_out_of_budget) return "out of budget";
  const bool places = code == Code::E0301_value_overwritten || code == Code::E0303_race ||
                      code == Code::E0305_lanes_collide;
  if (places && recomputes(program)) return "recomputed values";
  if (vectors && code == Code::E0207_reduction_concurrent) return "contributions in lanes";
  if (vectors && code == Code::E0301_value_overwritten) return "lanes in either order";
  if (tiles) return "tiles of every size";
  if (witness && !size_of(*witness, program)) return "witness not executed";
  return std::nullopt;
}

}  // namespace strata::fuzz
