// The fewest copies between host and device that a sequence of accesses needs: a judge, which knows
// nothing of loops, programs or copies derived from them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace strata::test {

struct SideAccess {
  std::string buffer;
  int side;     // 0 host, 1 device
  bool needs;   // does it need what the buffer holds?
  bool writes;  // does it change the buffer?
};

struct FewestCopies {
  std::size_t to_device = 0, to_host = 0;
  bool operator==(const FewestCopies&) const = default;
};

// For each buffer. A state is what is fresh: host, device, or both; before each access a copy may
// be made from a fresh side to the other. "start": 0 host, 1 device, or 2 where nothing is there
// yet and either will do. Least in all, over all choices of when to copy.
inline std::map<std::string, FewestCopies> least_copies(const std::vector<SideAccess>& accesses,
                                                        const std::map<std::string, int>& start) {
  constexpr std::size_t never = std::size_t{1} << 40;
  enum State { host, device, both, states };
  struct Cost {
    std::size_t to_device = never, to_host = 0;
    std::size_t all() const { return to_device + to_host; }
  };
  std::map<std::string, std::array<Cost, states>> costs;
  const auto better = [](Cost& into, const Cost& other) {
    if (other.all() < into.all()) into = other;
  };
  for (const auto& [buffer, state] : start) costs[buffer][std::size_t(state)] = {0, 0};
  for (const SideAccess& a : accesses) {
    std::array<Cost, states>& now = costs.at(a.buffer);
    Cost copied = now[host];
    ++copied.to_device;
    better(now[both], copied);
    copied = now[device];
    ++copied.to_host;
    better(now[both], copied);
    std::array<Cost, states> next;
    for (const State state : {host, device, both}) {
      const bool is_fresh = state == both || int(state) == a.side;
      if (a.needs && !is_fresh) continue;
      better(next[a.writes ? std::size_t(a.side) : std::size_t(state)], now[state]);
    }
    now = next;
  }
  std::map<std::string, FewestCopies> result;
  for (const auto& [buffer, all] : costs) {
    Cost least;
    for (const Cost& cost : all) better(least, cost);
    result[buffer] = {least.to_device, least.to_host};
  }
  return result;
}

// Of March (march.h) with N > 0: launched[n] says whether computation n is a launch.
inline std::map<std::string, FewestCopies> least_copies_of_march(
    int steps, const std::array<bool, 5>& launched) {
  std::vector<SideAccess> all;
  const auto runs = [&](std::size_t n, const std::vector<std::string>& reads,
                        const std::string& writes) {
    for (const std::string& buffer : reads) all.push_back({buffer, launched[n], true, false});
    all.push_back({writes, launched[n], false, true});
  };
  runs(0, {"start"}, "first");
  for (int t = 0; t < steps; ++t) {
    runs(1, {t == 0 ? "first" : "u", "source"}, "v");
    runs(2, {"v"}, "u");
  }
  runs(3, steps > 0 ? std::vector<std::string>{"u", "first"} : std::vector<std::string>{"first"},
       "last");
  runs(4, {"last", "first"}, "out");
  all.push_back({"out", 0, true, false});
  const int anywhere = 2;
  return least_copies(all, {{"start", 0},
                            {"source", 0},
                            {"out", 0},
                            {"first", anywhere},
                            {"u", anywhere},
                            {"v", anywhere},
                            {"last", anywhere}});
}

}  // namespace strata::test
