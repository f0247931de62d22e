// Building blocks of benchmark cases. NAME_case.h defines, in namespace NAME_benchmark,
//
//   struct Case {
//     static inline const benchmarks::Sizes sizes = {{"256", {256}}, ..};  // the first: --quick
//     static constexpr double tolerance = 1e-5;  // of results, see benchmarks::part_of_tolerance
//     // All arrays with their initial contents.
//     explicit Case(const std::vector<std::int64_t>& size);
//     double operations() const;  // of one run, for the table; 0: not counted
//     void start();               // restores the contents that the last run has changed
//     void plain();               // runs plain_NAME.c
//     void strata();              // runs the kernel
//     benchmarks::Results results() const;  // every array that is a result
//   };
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchmarks {

struct Size {
  std::string name;
  std::vector<std::int64_t> values;
};
using Sizes = std::vector<Size>;

// One list of numbers per array.
using Results = std::vector<std::vector<double>>;

template <typename T>
std::vector<double> numbers(const strata::Array<T>& array) {
  return {array.begin(), array.end()};
}

// Throws the kernel's message if its code is not 0.
inline void check(int code) {
  if (code != 0) throw std::runtime_error(strata_last_error());
}

// The largest error of a number x with reference r, in an array with root mean square s:
//     |x - r| / (tolerance max(|r|, s));
// infinite if x or r is not finite or if shapes differ. A result is correct if this is at most 1.
inline double part_of_tolerance(const Results& results, const Results& references,
                                double tolerance) {
  const double infinite = std::numeric_limits<double>::infinity();
  if (results.size() != references.size()) return infinite;
  double largest = 0;
  for (std::size_t a = 0; a < results.size(); ++a) {
    if (results[a].size() != references[a].size()) return infinite;
    double squares = 0;
    for (const double r : references[a]) squares += r * r;
    const double scale =
        std::sqrt(squares / double(std::max<std::size_t>(references[a].size(), 1)));
    if (!std::isfinite(scale)) return infinite;
    for (std::size_t n = 0; n < results[a].size(); ++n) {
      const double error = std::fabs(results[a][n] - references[a][n]);
      if (error == 0) continue;
      const double part = error / (tolerance * std::fmax(std::fabs(references[a][n]), scale));
      if (!(part <= largest)) largest = std::isnan(part) ? infinite : part;
    }
  }
  return largest;
}

}  // namespace benchmarks
