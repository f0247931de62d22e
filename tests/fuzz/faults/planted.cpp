// strata_faulty_fuzz FAULT KIND FIRST PROGRAMS: does the fuzzer find the fault?
//
// Built with copies of the library's sources in which the faults of faults.json are planted, each
// enabled by its name (search.h).
#include "tests/fuzz/faults/search.h"

int main(int count, char** words) {
  return strata::fuzz::search_fault(count, words, {}, [](std::uint64_t) { return true; });
}
