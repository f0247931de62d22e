// The size of the largest relations of the examples and benchmarks after scheduling: the cost of
// legality questions grows with it.
#include STRATA_ALL_PROGRAMS

#include "layers/verify/relation_sizes.h"

namespace {

// Floyd-Warshall reaches these limits.  No relation has an existential that is not a quotient.
constexpr int most_disjuncts = 8, most_existentials = 6;

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
