// The size of the largest relations of the examples and benchmarks after scheduling: the cost of
// legality questions grows with it. Schedules ask machine() for their tiles, so CTest names the
// machine in STRATA_MACHINE.
#include STRATA_ALL_PROGRAMS

#include "layers/verify/relation_sizes.h"

namespace {

// Nussinov's tiles of 2 x 2 vectors of x86-64 reach these limits. No relation has an existential
// that is not a quotient.
constexpr int most_disjuncts = 10, most_existentials = 6;

int failures = 0;

void test(const char* name, const strata::SizedRelation& relation) {
  const strata::RelationSize& size = relation.size;
  if (size.disjuncts <= most_disjuncts && size.existentials <= most_existentials &&
      size.unknown == 0)
    return;
  std::printf("%s of %s: %d disjuncts, %d existentials, %d of them unknown\n",
              relation.what.c_str(), name, size.disjuncts, size.existentials, size.unknown);
  ++failures;
}

}  // namespace

int main() try {
  std::size_t count = 0;
  for (const auto& [name, scheduled] : all_programs)
    for (const strata::SizedRelation& relation :
         strata::relation_sizes(scheduled().function.program())) {
      test(name, relation);
      ++count;
    }
  return failures == 0 && count > 500 ? 0 : 1;
} catch (const strata::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
