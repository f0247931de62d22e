// One run of a kernel on ranks, and what its values and its traffic must be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/ranks/part.h"

namespace strata::test::ranks {

extern strata_team* team;
extern int rank, size, bad, runs;
extern long long sent_in_all, least_in_all;

void report(const std::string& what);

// One choice of sizes and blocks.
struct Case {
  int64_t N, T, M;
  std::vector<int64_t> cuts;
  bool even;
  std::vector<std::vector<int32_t>> data;  // N x M
  std::string text;

  int64_t first() const { return cuts[std::size_t(rank)]; }
  int64_t last() const { return cuts[std::size_t(rank) + 1]; }
  const int64_t* given() const { return even ? nullptr : cuts.data(); }
  int32_t at(int64_t i, int64_t j = 0) const { return data[std::size_t(i)][std::size_t(j)]; }
};

Case draw(std::mt19937& random, int64_t N, int64_t T, bool even);
long long of_all_ranks(long long mine);

// Runs a kernel, then compares rows of the rank, and what was sent by all: values, counted in 4
// bytes, and messages.
void check(const std::string& name, const Case& c, const LeastValues& least,
           const std::function<int()>& kernel, const std::function<bool(int64_t row)>& is_right);

// The box that a function of a kernel's header gives this rank of an argument.
template <typename Function, typename... Parameters>
Range box_of(const Function& function, const Case& c, int buffer, Parameters... parameters) {
  Range box{Index(8), Index(8)};
  const int dimensions =
      function(parameters..., c.given(), size, rank, buffer, box.min.data(), box.extent.data());
  box.min.resize(std::size_t(std::max(dimensions, 0)));
  box.extent.resize(box.min.size());
  return box;
}

// The first column, or all, of the data in this rank's rows.
template <typename T = int32_t>
void fill(Part<T>& part, const Case& c, bool columns) {
  for (int64_t i = c.first(); i < c.last(); ++i)
    for (int64_t j = 0; j < (columns ? c.M : 1); ++j)
      part.at(columns ? Index{i, j} : Index{i}) = T(c.at(i, j));
}

// The boxes of headers (boxes_test.cpp).
void check_boxes(const Case& c);
// Partners, packed memory and its speed (packing_test.cpp).
void check_packing();
// Sums, tuples and conditional updates that other ranks read (results_test.cpp).
void check_results(const Case& c);
// Reads far away, and gathers (reads_test.cpp).
void check_reads(const Case& c);

}  // namespace strata::test::ranks
