#include "reference/executions.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace strata::reference {

namespace {

void collect(const std::vector<Node>& nodes, Leaf& prefix, std::vector<Leaf>& found) {
  for (std::size_t b = 0; b < nodes.size(); ++b) {
    prefix.path.push_back(int(b));
    if (nodes[b].is_loop()) {
      prefix.around.push_back(&nodes[b].loop());
      collect(nodes[b].loop().body, prefix, found);
      prefix.around.pop_back();
    } else {
      found.push_back({&nodes[b].branch(), prefix.path, prefix.around});
    }
    prefix.path.pop_back();
  }
}

// The number of the tile that holds x.
std::int64_t tile_of(std::int64_t x, std::int64_t size) {
  if (size < 1) throw std::runtime_error("a tile has the size " + std::to_string(size));
  std::int64_t tile = x / size;
  while (tile * size > x) --tile;
  return tile;
}

// For loops over tiles of parametric sizes, replaces the tiled value by the tile number.
Point counted(Point iterators, const std::vector<const Loop*>& around,
              const Parameters& parameters) {
  for (std::size_t level = 0; level < around.size(); ++level)
    if (around[level]->tile_size)
      iterators[level] = tile_of(iterators[level], parameters.at(*around[level]->tile_size));
  return iterators;
}

}  // namespace

std::size_t definition_number(const Algorithm& algorithm, const std::string& definition) {
  const auto& all = algorithm.definitions;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Definition& d) { return d.name == definition; });
  if (found == all.end()) throw std::runtime_error("there is no definition " + definition);
  return std::size_t(std::distance(all.begin(), found));
}

std::vector<Leaf> leaves(const Mapping& mapping) {
  std::vector<Leaf> found;
  Leaf prefix{nullptr, {}, {}};
  collect(mapping.roots, prefix, found);
  return found;
}

Point Scheduled::time() const {
  Point result;
  for (std::size_t level = 0; level < path.size(); ++level) {
    result.push_back(path[level]);
    if (level < iterators.size()) result.push_back(iterators[level]);
  }
  return result;
}

std::set<std::string> allocated_buffers(const Mapping& mapping) {
  std::set<std::string> found;
  for (const Leaf& leaf : leaves(mapping))
    for (const Loop* loop : leaf.around)
      found.insert(loop->allocations.begin(), loop->allocations.end());
  return found;
}

std::size_t allocation_depth(const Scheduled& execution, const std::string& buffer) {
  for (std::size_t level = 0; level < execution.around.size(); ++level) {
    const auto& own = execution.around[level]->allocations;
    if (std::find(own.begin(), own.end(), buffer) != own.end()) return level + 1;
  }
  return 0;
}

std::vector<Scheduled> executions(const Mapping& mapping, const Algorithm& algorithm,
                                  const Parameters& parameters) {
  std::vector<Scheduled> found;
  for (const Leaf& leaf : leaves(mapping)) {
    const std::size_t number = definition_number(algorithm, leaf.branch->definition);
    const isl::map time = leaf.branch->time;
    if (std::size_t(isl_map_dim(time.get(), isl_dim_out)) != leaf.around.size())
      throw std::runtime_error("the time of a branch of " + leaf.branch->definition +
                               " does not fit the loops around it");
    std::set<std::pair<Point, Point>> distinct;
    for (auto& [instance, iterators] : pairs(time, leaf.branch->instances, parameters))
      distinct.emplace(instance, counted(iterators, leaf.around, parameters));
    for (const auto& [instance, iterators] : distinct)
      found.push_back({number, instance, leaf.path, iterators, leaf.around});
  }
  return found;
}

std::string name_of(const Algorithm& algorithm, const Scheduled& execution) {
  return to_string(algorithm.definitions[execution.definition].name, execution.instance);
}

std::string to_string(const Algorithm& algorithm, const Scheduled& execution) {
  return name_of(algorithm, execution) + " at " + to_string(execution.time());
}

std::vector<Scheduled> reference_executions(const Algorithm& algorithm,
                                            const Parameters& parameters) {
  std::vector<Scheduled> found = executions(algorithm.reference, algorithm, parameters);
  std::vector<std::pair<Point, std::size_t>> order;
  for (std::size_t n = 0; n < found.size(); ++n) order.emplace_back(found[n].time(), n);
  std::sort(order.begin(), order.end());
  std::vector<Scheduled> sorted;
  for (std::size_t n = 0; n < order.size(); ++n) {
    sorted.push_back(std::move(found[order[n].second]));
    if (n > 0 && order[n - 1].first == order[n].first)
      throw std::runtime_error(fmt::format("{} and {} are at one time of the reference order",
                                           name_of(algorithm, sorted[n - 1]),
                                           name_of(algorithm, sorted[n])));
  }
  return sorted;
}

}  // namespace strata::reference
