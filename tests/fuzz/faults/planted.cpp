// strata_faulty_fuzz FAULT KIND FIRST PROGRAMS: does the fuzzer find the fault?
//
// Built with copies of the library's sources in which the faults of faults.json are planted, each
// enabled by its name. Exit status 0 if a finding of the kind occurs in PROGRAMS programs from
// FIRST on: "found" if something illegal is accepted or computed wrongly, "refused" if something
// legal is refused.
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "tests/fuzz/fuzz_case.h"

namespace strata::fuzz {

std::string fault_switched_on;

bool planted(const char* fault);
bool planted(const char* fault) { return fault_switched_on == fault; }

}  // namespace strata::fuzz

using namespace strata::fuzz;

namespace {

bool is_wanted(const Finding& finding, const std::string& kind) {
  return (finding.found.kind == FindingKind::false_refusal) == (kind == "refused");
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) return 2;
  fault_switched_on = words[1];
  const std::uint64_t first = std::stoull(words[3]), end = first + std::stoull(words[4]);
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Options options;
  Statistics statistics;
  for (std::uint64_t seed = first; seed != end; ++seed)
    for (const Finding& finding : run_case(seed, options, statistics))
      if (is_wanted(finding, words[2])) {
        fmt::print("program {}, after {:.1f} s: {}, {}\n", seed, spent(),
                   to_string(finding.found.kind), finding.found.what);
        return 0;
      }
  fmt::print("not found in {} programs, {:.0f} s\n", statistics.programs, spent());
  return 1;
}
