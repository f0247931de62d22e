// Programs made up by chance, to hold the library against the judges.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "layers/program.h"

namespace strata::judge {

using Random = std::mt19937_64;
std::int64_t between(Random& random, std::int64_t lowest, std::int64_t highest);
template <typename T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[std::size_t(between(random, 0, std::int64_t(choices.size()) - 1))];
}

// One parameter N; an input "in" and one to three computations over squares, triangles and lines
// of size N, among them recurrences, updates in place, reductions, pairs in a common loop, and
// reads under a condition on data.  All values are int32, but for any, all and the indices of
// argmin and argmax, which nobody reads.  Every read is guarded by a select, so that it lands in
// its producer's domain.  Definitions that the library refuses are left out; there may be none
// left.
Program random_program(Random& random);

}  // namespace strata::judge
