// Compares the library with the judges on a few random programs; tools/fuzz draws more.
#include <catch2/catch.hpp>

#include "tests/fuzz/fuzz_case.h"

namespace strata::fuzz::agreement_test {

TEST_CASE("library and judges agree on programs drawn", "[fuzz]") {
  Statistics statistics;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const Finding& finding : run_case(seed, {}, statistics)) {
      INFO(to_text(finding));
      CHECK(finding.found.kind == FindingKind::false_refusal);
    }
  CHECK(statistics.compiled > 30);
}

}  // namespace strata::fuzz::agreement_test
