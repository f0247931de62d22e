// strata_faulty_launch_fuzz FAULT KIND FIRST PROGRAMS: does the fuzzer find the fault?
//
// As strata_faulty_fuzz, with the faults of launch_faults.json, which are in code of launches only:
// it draws programs for a GPU together with their commands, and runs their kernels on the device at
// hand.
#include "tests/fuzz/faults/search.h"
#include "tests/fuzz/machine.h"

using namespace strata::fuzz;

int main(int count, char** words) {
  Options options;
  options.compiler = device_code;
  options.general = false;
  return search_fault(count, words, options,
                      [](std::uint64_t seed) { return hardware_of(seed) == Hardware::gpu; });
}
