#include "tests/fuzz/faults/search.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

namespace strata::fuzz {

std::string fault_switched_on;

bool planted(const char* fault);
bool planted(const char* fault) { return fault_switched_on == fault; }

namespace {

bool is_wanted(const Finding& finding, const std::string& kind) {
  return (finding.found.kind == FindingKind::false_refusal) == (kind == "refused");
}

}  // namespace

int search_fault(int count, char** words, const Options& options, bool (*is_drawn)(std::uint64_t)) {
  if (count != 5) return 2;
  fault_switched_on = words[1];
  const std::uint64_t first = std::stoull(words[3]), end = first + std::stoull(words[4]);
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Statistics statistics;
  int programs = 0;
  for (std::uint64_t seed = first; seed != end; ++seed) {
    if (!is_drawn(seed)) continue;
    ++programs;
    for (const Finding& finding : run_case(seed, options, statistics))
      if (is_wanted(finding, words[2])) {
        fmt::print("program {}, after {:.1f} s: {}, {}\n", seed, spent(),
                   to_string(finding.found.kind), finding.found.what);
        return 0;
      }
  }
  fmt::print("not found in {} programs, {:.0f} s\n", programs, spent());
  return 1;
}

}  // namespace strata::fuzz
