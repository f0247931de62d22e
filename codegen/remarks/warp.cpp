#include "codegen/remarks/warp.h"

#include <algorithm>

namespace strata {

namespace {

// The numbers of a thread on the axes x, y, z, counted from 0.
std::vector<std::int64_t> on_axes(const Launch& launch, std::int64_t thread) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t threads : launch.threads) {
    numbers.push_back(thread % threads);
    thread /= threads;
  }
  return numbers;
}

bool is_thread(const SiteLoop& around) { return around.loop->processor == Processor::thread; }

// The iterations of a loop that one thread runs together, or the middle one.
std::vector<std::int64_t> iterations(const SiteLoop& around, std::int64_t lower, std::int64_t upper,
                                     std::vector<std::int64_t>& axes) {
  if (is_thread(around)) {
    // The innermost thread loop is axis x: the loops come from the outside in.
    const std::int64_t at = lower + axes.back();
    axes.pop_back();
    if (at >= upper) return {};
    return {at};
  }
  if (!is_vector(*around.loop)) return {middle(lower, upper)};
  std::vector<std::int64_t> lanes;
  for (std::int64_t lane = lower; lane < upper; ++lane) lanes.push_back(lane);
  return lanes;
}

bool runs(const RemarkSite& site, const Values& values) {
  return std::all_of(site.conditions.begin(), site.conditions.end(), [&](const auto& around) {
    return estimated(around.condition->condition, values) != 0;
  });
}

std::vector<Values> of_thread(const Tree& tree, const RemarkSite& site, std::int64_t thread) {
  std::vector<std::int64_t> axes = on_axes(*site.launch, thread);
  const auto own = std::size_t(std::count_if(site.loops.begin(), site.loops.end(), is_thread));
  // Threads that the axes without a loop tell apart do not run the statement.
  if (std::any_of(axes.begin() + std::ptrdiff_t(own), axes.end(), [](auto n) { return n != 0; }))
    return {};
  axes.resize(own);
  std::vector<Values> all{tree.sizes};
  for (const SiteLoop& around : site.loops) {
    const auto lower = estimated(around.loop->lower, all.front());
    const auto upper = estimated(around.loop->upper, all.front());
    if (!lower || !upper) return {};
    std::vector<Values> longer;
    for (const std::int64_t at : iterations(around, *lower, *upper, axes))
      for (Values values : all) {
        values[around.loop->variable] = at;
        longer.push_back(std::move(values));
      }
    all = std::move(longer);
    if (all.empty()) return {};
  }
  std::erase_if(all, [&](const Values& values) { return !runs(site, values); });
  return all;
}

}  // namespace

std::vector<Values> warp_of(const Tree& tree, const RemarkSite& site) {
  std::vector<Values> warp;
  for (std::int64_t thread = 0; thread < tree.machine.device.warp; ++thread)
    for (Values& values : of_thread(tree, site, thread)) warp.push_back(std::move(values));
  return warp;
}

std::vector<std::vector<std::int64_t>> in_warp(const std::vector<Values>& warp,
                                               const std::vector<Expr>& expressions) {
  std::vector<std::vector<std::int64_t>> all;
  for (const Values& values : warp) {
    std::vector<std::int64_t> numbers;
    for (const Expr& e : expressions) {
      const auto number = estimated(e, values);
      if (!number) return {};
      numbers.push_back(*number);
    }
    all.push_back(std::move(numbers));
  }
  return all;
}

}  // namespace strata
