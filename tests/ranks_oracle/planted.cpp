// strata_faulty_ranks FAULT KIND FIRST PROGRAMS: does the oracle of ranks find the fault, one of
// faults.json, which are planted in copies of the library's sources?
#include <cstdio>
#include <exception>

#include "tests/ranks_oracle/judged.h"

namespace strata::fuzz {

static std::string fault_switched_on;

bool planted(const char* fault);
bool planted(const char* fault) { return fault_switched_on == fault; }

}  // namespace strata::fuzz

int main(int count, char** words) {
  if (count != 5) return 2;
  strata::fuzz::fault_switched_on = words[1];
  const std::uint64_t first = std::stoull(words[3]), end = first + std::stoull(words[4]);
  for (std::uint64_t seed = first; seed != end; ++seed) {
    const auto fault = strata::test::ranks_oracle::fault_in(seed);
    if (!fault || fault->empty()) continue;
    std::printf("program %llu, %s\n", static_cast<unsigned long long>(seed), fault->c_str());
    return 0;
  }
  std::printf("not found in %s programs\n", words[4]);
  return 1;
}
