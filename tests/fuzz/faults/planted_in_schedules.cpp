// strata_faulty_schedule_fuzz FAULT KIND FIRST PROGRAMS: does the fuzzer find the fault?
//
// As strata_faulty_fuzz, with the faults of schedule_faults.json, which are in how programs
// schedule themselves: all programs drawn do so.
#include "tests/fuzz/faults/search.h"

int main(int count, char** words) {
  strata::fuzz::Options options;
  options.percent_autoscheduled = 100;
  return strata::fuzz::search_fault(count, words, options, [](std::uint64_t) { return true; });
}
