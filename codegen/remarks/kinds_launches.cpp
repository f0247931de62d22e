// Remarks on launches: threads that idle, and what the threads of a warp touch together.
#include <algorithm>
#include <set>

#include "codegen/remarks/kinds.h"
#include "codegen/remarks/warp.h"
#include "codegen/tree/realization.h"

namespace strata {

namespace {

constexpr std::int64_t sector_bytes = 32;  // what a GPU moves between memory and a warp at once
constexpr std::int64_t bank_bytes = 4;
constexpr std::int64_t banks = 32;
// From so many times the sectors that the elements fill, and so many threads one after the other, a
// remark is worth its line.
constexpr std::int64_t excess_of_sectors = 4;
constexpr std::int64_t least_conflicts = 4;

std::int64_t threads_of(const Launch& launch) {
  std::int64_t count = 1;
  for (const std::int64_t threads : launch.threads) count *= threads;
  return count;
}

bool has_threads(const RemarkSite& site) {
  return std::any_of(site.loops.begin(), site.loops.end(), [](const SiteLoop& around) {
    return around.loop->processor == Processor::thread;
  });
}

// The innermost loop whose iterations are threads or blocks.
const std::string& launch_loop(const RemarkSite& site) {
  const For* last = nullptr;
  for (const SiteLoop& around : site.loops)
    if (around.loop->processor == Processor::thread || around.loop->processor == Processor::block)
      last = around.loop;
  return last->name;
}

// A load or store of a statement.
struct Touch {
  std::string buffer;
  std::vector<Expr> indices;
  Type type;
};

std::vector<Touch> touches_of(const Execute& execute) {
  std::vector<Touch> all;
  for (const Expr& load : loads_of(execute)) all.push_back({load.name(), load.args(), load.type()});
  all.push_back({execute.buffer, execute.indices, execute.value.type()});
  return all;
}

// The temporary that a buffer is; null for an argument.
const Allocate* allocation_of(const RemarkSite& site, const std::string& buffer) {
  for (const SiteAllocation& around : site.allocations)
    if (around.allocate->buffer == buffer) return around.allocate;
  return nullptr;
}

bool is_global(const RemarkSite& site, const std::string& buffer) {
  const Allocate* what = allocation_of(site, buffer);
  return !what || (what->memory != Memory::shared && what->memory != Memory::local);
}

std::int64_t sectors_filled(std::int64_t bytes) {
  return (bytes + sector_bytes - 1) / sector_bytes;
}

struct Sectors {
  std::int64_t touched = 0, filled = 0;
};

// The sectors that a warp touches, and how many its elements would fill.
Sectors sectors_of(const std::vector<Values>& warp, const Touch& touch) {
  if (touch.indices.empty()) return {};
  std::set<std::vector<std::int64_t>> elements, sectors;
  for (std::vector<std::int64_t> at : in_warp(warp, touch.indices)) {
    elements.insert(at);
    at.back() = at.back() * bytes(touch.type) / sector_bytes;
    sectors.insert(std::move(at));
  }
  return {std::int64_t(sectors.size()),
          sectors_filled(std::int64_t(elements.size()) * bytes(touch.type))};
}

// Is it one of several neighbouring elements that a thread touches, which become one access?
bool is_part_of_vector(const RemarkSite& site, const Touch& touch) {
  return std::any_of(site.loops.begin(), site.loops.end(), [&](const SiteLoop& around) {
    return !is_loop(*around.loop) && around.loop->processor != Processor::thread &&
           around.loop->processor != Processor::block && !touch.indices.empty() &&
           depends_on(touch.indices.back(), around.loop->variable);
  });
}

// The element as a distance from the first one, row by row.
Expr position(const Touch& touch, const Allocate& what) {
  Expr at = constant(i64, 0);
  for (std::size_t d = 0; d < touch.indices.size(); ++d)
    at = at * what.extents[d] + touch.indices[d] - what.lowers[d];
  return at;
}

// The most different words of one bank that a warp touches.
std::int64_t conflicts_of(const std::vector<Values>& warp, const Touch& touch,
                          const Allocate& what) {
  std::vector<std::set<std::int64_t>> words(banks);
  for (const std::vector<std::int64_t>& at : in_warp(warp, {position(touch, what)})) {
    const std::int64_t word = at[0] * bytes(touch.type) / bank_bytes;
    words[std::size_t(word % banks + banks) % banks].insert(word);
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return std::int64_t(most);
}

}  // namespace

std::optional<Finding> find_few_threads(const Look& at) {
  const std::int64_t threads = threads_of(*at.site.launch), warp = at.tree.machine.device.warp;
  if (threads >= warp) return std::nullopt;
  return Finding{launch_loop(at.site),
                 "a block has " + std::to_string(threads) +
                     (threads == 1 ? " thread" : " threads") + "; a GPU runs " +
                     std::to_string(warp) + " together, and the others idle",
                 "give a block more threads: a multiple of " + std::to_string(warp)};
}

std::optional<Finding> find_one_thread(const Look& at) {
  const std::int64_t threads = threads_of(*at.site.launch);
  if (has_threads(at.site) || threads == 1) return std::nullopt;
  return Finding{launch_loop(at.site),
                 "only the first of the " + std::to_string(threads) + " threads of a block runs " +
                     at.author + ", and the others wait",
                 "hand its loops to the threads: gpu_threads, or deal for loops of any size"};
}

std::optional<Finding> find_scattered_threads(const Look& at) {
  if (!has_threads(at.site)) return std::nullopt;
  const std::vector<Values> warp = warp_of(at.tree, at.site);
  for (const Touch& touch : touches_of(*at.site.execute)) {
    if (!is_global(at.site, touch.buffer)) continue;
    const Sectors found = sectors_of(warp, touch);
    if (found.touched < excess_of_sectors * std::max<std::int64_t>(found.filled, 1)) continue;
    return Finding{launch_loop(at.site),
                   "the elements of " + touch.buffer + " that a warp touches together lie in " +
                       std::to_string(found.touched) + " sectors of " +
                       std::to_string(sector_bytes) + " bytes, and would fill " +
                       std::to_string(found.filled),
                   "let the innermost thread loop run along the last index, store the array in "
                   "that order (store_in), or copy it to shared memory (cache_shared_at)"};
  }
  return std::nullopt;
}

std::optional<Finding> find_bank_conflicts(const Look& at) {
  if (!has_threads(at.site)) return std::nullopt;
  const std::vector<Values> warp = warp_of(at.tree, at.site);
  for (const Touch& touch : touches_of(*at.site.execute)) {
    const Allocate* what = allocation_of(at.site, touch.buffer);
    if (!what || what->memory != Memory::shared || bytes(touch.type) > bank_bytes ||
        is_part_of_vector(at.site, touch))
      continue;
    const std::int64_t conflicts = conflicts_of(warp, touch, *what);
    if (conflicts < least_conflicts) continue;
    return Finding{launch_loop(at.site),
                   std::to_string(conflicts) + " threads of a warp touch different words of " +
                       touch.buffer + " in one bank of shared memory, one after the other",
                   "rotate its rows, store_in({x, (x + y) % 32}), or pad them (set_size)"};
  }
  return std::nullopt;
}

}  // namespace strata
