// Compares the running times of several versions of a computation.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace examples {

// Runs every version once per round, in turn, so that other load on the machine affects all alike;
// the first round, which touches memory and starts threads, does not count. A pause after each run
// lets threads that wait by spinning fall asleep. Returns the median of each version, in seconds.
inline std::vector<double> interleaved_medians(int rounds,
                                               const std::vector<std::function<void()>>& versions) {
  std::vector<std::vector<double>> seconds(versions.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t v = 0; v < versions.size(); ++v) {
      const auto start = std::chrono::steady_clock::now();
      versions[v]();
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      if (round > 0) seconds[v].push_back(spent.count());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& s : seconds) {
    std::nth_element(s.begin(), s.begin() + s.size() / 2, s.end());
    medians.push_back(s[s.size() / 2]);
  }
  return medians;
}

}  // namespace examples
