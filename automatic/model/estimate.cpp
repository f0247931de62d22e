#include "automatic/model/estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "automatic/model/traffic.h"

namespace strata::automatic {

namespace {

// The fraction of a term that does not overlap the largest term.
constexpr double not_overlapped = 0.4;
// The part of a cache that a loop fills with its own data; the rest holds what streams through.
constexpr double filled = 0.75;
// The part of the last cache on which one program can count: other cores use it, too.
constexpr double share_of_last = 0.5;
// Bytes a cycle that one core takes from the next level: half a line from the second-level cache
// (Intel's and AMD's optimization manuals give one line at best), and what a streaming read takes
// from the third level and from memory.
constexpr std::array<double, 3> bytes_per_cycle = {32, 20, 8};
// On current cores the first table of translated addresses has 64 entries or more. A page that is
// not in it costs a look into the second table (Fog, Microarchitecture; wikichip.org).
constexpr double page = 4096, known_pages = 64, cycles_per_page = 7;
// Streams above this number are not prefetched. Each adds this fraction to the time of memory.
constexpr double followed = 16, lost_per_stream = 0.02;

double terms(const NodeEstimate& n, double& largest) {
  const double late = 1 + lost_per_stream * std::max(0.0, n.streams - followed);
  const std::array<double, 5> all = {n.core, n.memory[0], n.memory[1], n.memory[2] * late, n.pages};
  largest = *std::max_element(all.begin(), all.end());
  return std::accumulate(all.begin(), all.end(), 0.0);
}

std::size_t level_of(const Machine& machine, std::size_t n) {
  return n < 2 ? std::min(n, machine.caches.size() - 1) : machine.caches.size() - 1;
}

Depths allocated_along(const Placed& placed) {
  Depths depths;
  for (std::size_t l = 0; l < placed.loops.size(); ++l)
    for (const std::string& buffer : placed.loops[l]->allocations) depths[buffer] = l + 1;
  return depths;
}

// A parallel loop of c iterations on n threads takes ceil(c / n) of them.
struct Sharing {
  double threads = 1, starts = 0;
};
Sharing sharing_of(const std::vector<const PlacedStatement*>& statements, int threads) {
  Sharing found;
  for (const PlacedStatement* p : statements) {
    const Statement& s = p->statement;
    for (std::size_t l = 0; l < s.loops.size(); ++l) {
      if (s.loops[l]->processor != Processor::parallel) continue;
      const double count = double(s.counts[l]);
      const double speed = count / std::ceil(count / threads);
      if (speed > found.threads) found = {speed, s.iterations(0, l)};
      break;
    }
  }
  return found;
}

NodeEstimate node_estimate(const std::vector<const PlacedStatement*>& statements,
                           const Pitches& pitches, const Machine& machine) {
  NodeEstimate node;
  for (const PlacedStatement* p : statements) {
    node.core += core_cycles(p->statement, p->allocated, machine);
    node.streams = std::max(node.streams, streams(*p));
  }
  if (statements.front()->statement.loops.empty()) return node;
  for (std::size_t n = 0; n < node.memory.size() && !machine.caches.empty(); ++n) {
    const std::size_t level = level_of(machine, n);
    const double share = level > 1 ? share_of_last : 1;
    const double capacity = double(machine.caches[level].bytes) * filled * share;
    node.memory[n] =
        traffic(statements, 0, {capacity, double(machine.line), pitches}) / bytes_per_cycle[n];
  }
  node.pages =
      traffic(statements, 0, {known_pages * page * filled, page, pitches}) / page * cycles_per_page;
  return node;
}

}  // namespace

double NodeEstimate::cycles() const {
  double largest = 0;
  const double all = terms(*this, largest);
  return (largest + not_overlapped * (all - largest)) / threads;
}

double Estimate::cycles() const {
  double sum = starts;
  for (const NodeEstimate& n : nodes) sum += n.cycles();
  return sum;
}

std::string Estimate::largest() const {
  std::array<double, 6> sums = {};
  sums[5] = starts;
  for (const NodeEstimate& n : nodes) {
    sums[0] += n.core / n.threads;
    for (std::size_t l = 0; l < 3; ++l) sums[l + 1] += n.memory[l] / n.threads;
    sums[4] += n.pages / n.threads;
  }
  const char* const names[] = {"core", "L1", "L2", "memory", "pages", "threads"};
  return names[std::max_element(sums.begin(), sums.end()) - sums.begin()];
}

std::string Estimate::text() const {
  NodeEstimate all;
  for (const NodeEstimate& n : nodes) {
    all.core += n.core;
    for (std::size_t l = 0; l < 3; ++l) all.memory[l] += n.memory[l];
    all.pages += n.pages;
  }
  char line[200];
  std::snprintf(line, sizeof line,
                "%.3g cycles: core %.3g, L1 %.3g, L2 %.3g, memory %.3g, pages %.3g", cycles(),
                all.core, all.memory[0], all.memory[1], all.memory[2], all.pages);
  return line;
}

std::optional<Estimate> estimate(const Program& program, const Machine& machine,
                                 const Values& sizes, int threads) {
  std::map<int, std::vector<PlacedStatement>> roots;
  for (const Placed& placed : branches(program.mapping)) {
    auto statement = statement_of(program, placed, sizes, Touching::places);
    if (!statement) return std::nullopt;
    roots[placed.path.front()].push_back({std::move(*statement), allocated_along(placed)});
  }
  const auto pointers_to = [](const std::vector<PlacedStatement>& statements) {
    std::vector<const PlacedStatement*> pointers;
    for (const PlacedStatement& p : statements) pointers.push_back(&p);
    return pointers;
  };
  std::vector<const PlacedStatement*> everything;
  for (const auto& [position, statements] : roots)
    for (const PlacedStatement* p : pointers_to(statements)) everything.push_back(p);
  const Pitches pitches = pitches_of(everything);
  Estimate all;
  for (const auto& [position, statements] : roots) {
    const auto pointers = pointers_to(statements);
    NodeEstimate node = node_estimate(pointers, pitches, machine);
    const Sharing sharing = sharing_of(pointers, threads);
    node.threads = sharing.threads;
    all.starts += sharing.starts * machine.parallel_start;
    all.nodes.push_back(node);
  }
  return all;
}

}  // namespace strata::automatic
