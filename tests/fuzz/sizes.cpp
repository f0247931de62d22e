#include "tests/fuzz/sizes.h"

#include <algorithm>
#include <sstream>

namespace strata::fuzz {

namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

const Pairs& extents(Effort effort) {
  static const Pairs accepted{{0, 1}, {1, 1}, {2, 3}, {3, 2}, {4, 4}};
  static const Pairs refused{{1, 1}, {2, 2}, {2, 3}, {3, 2}, {4, 4}, {2, -6}, {-6, 2}, {5, 5},
                             {3, 7}, {7, 3}, {7, 7}, {9, 9}, {8, 0}, {0, 8},  {2, 0}};
  static const Pairs compiled{{0, 3}, {1, 1}, {3, 2}, {5, 4}};
  return effort == Effort::accepted ? accepted : effort == Effort::refused ? refused : compiled;
}

const Pairs& tiles(Effort effort) {
  static const Pairs few{{1, 40}, {2, 3}}, many{{1, 1}, {1, 40}, {40, 1}, {2, 3}, {40, 40}};
  return effort == Effort::refused ? many : few;
}

// Larger programs take the oracle too long.
constexpr std::size_t most_instances = 400, most_instances_of_witness = 10'000;

bool has_parameter(const Program& program, const std::string& name) {
  const auto& names = program.algorithm->parameters;
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::size_t count_instances(const Algorithm& algorithm, const Parameters& size) {
  std::size_t count = 0;
  for (const Definition& d : algorithm.definitions)
    count += reference::points(d.domain, size).size();
  return count;
}

std::vector<Parameters> sizes_of(const Program& program, Effort effort) {
  const auto& names = program.algorithm->parameters;
  const auto has = [&](const std::string& name) { return has_parameter(program, name); };
  std::vector<Parameters> all;
  for (const auto& [n, m] : extents(effort)) {
    Parameters size;
    for (const std::string& name : names) size[name] = 1;
    if (has("N")) size["N"] = n;
    if (has("M")) size["M"] = m;
    if (!reference::holds(program.algorithm->context, size)) continue;
    if (count_instances(*program.algorithm, size) > most_instances) continue;
    if (!has("T")) all.push_back(size);
    if (has("T"))
      for (const auto& [t, u] : tiles(effort)) {
        size["T"] = t, size["U"] = u;
        all.push_back(size);
      }
  }
  return all;
}

std::vector<Parameters> sizes_beyond(const Program& program) {
  if (!has_parameter(program, "S")) return {};
  std::vector<Parameters> all;
  const auto sizes = sizes_of(program, Effort::compiled);
  if (!sizes.empty())
    for (const std::int64_t s : {std::int64_t{1} << 33, -(std::int64_t{1} << 33)}) {
      all.push_back(sizes.back());
      all.back()["S"] = s;
    }
  std::erase_if(all, [&](const Parameters& size) {
    return !reference::holds(program.algorithm->context, size);
  });
  return all;
}

std::optional<Parameters> size_of(const Witness& witness, const Program& program) {
  Parameters size;
  for (const std::string& name : program.algorithm->parameters) size[name] = 1;
  std::istringstream text(witness.parameters);
  std::string name, equals;
  std::int64_t value = 0;
  for (char comma = ','; comma == ',' && text >> name >> equals >> value; comma = char(text.get()))
    if (size.count(name)) size[name] = value;
  const bool fits = reference::holds(program.algorithm->context, size) &&
                    count_instances(*program.algorithm, size) <= most_instances_of_witness;
  return fits ? std::optional(size) : std::nullopt;
}

}  // namespace strata::fuzz
