// Tests of a program on several ranks: what each of them is told, together.
#pragma once

#include <strata/mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tests/mpi/kernels.h"

namespace strata::test::mpi {

inline int failures = 0;

inline int rank_of(MPI_Comm communicator = MPI_COMM_WORLD) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

inline int size_of(MPI_Comm communicator = MPI_COMM_WORLD) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

inline void report(const char* file, int line, const std::string& what) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
  ++failures;
}

#define CHECK(condition) \
  ((condition) ? void() : ::strata::test::mpi::report(__FILE__, __LINE__, #condition))

inline void check_equal(const char* file, int line, const std::string& found,
                        const std::string& expected) {
  if (found != expected) report(file, line, "found " + found + "\n  expected " + expected);
}
#define CHECK_TEXT(found, expected) \
  ::strata::test::mpi::check_equal(__FILE__, __LINE__, (found), (expected))

// A team of all ranks.
struct World {
  strata_team* team = strata_team_of(MPI_COMM_WORLD);
  ~World() { CHECK(strata_team_free(team) == 0); }
};

// Dense elements of a box, by the order of the program's indices.
template <typename T>
struct Box {
  std::vector<T> values;
  std::vector<strata_dimension> dimensions;
  strata_buffer buffer = {};

  Box(const std::vector<int64_t>& min, const std::vector<int64_t>& extent, strata_type type)
      : dimensions(min.size()) {
    int64_t count = 1;
    for (const int64_t n : extent) count *= n;
    values.resize(static_cast<std::size_t>(count) + 1);  // a vector of 0 has no memory
    strata_buffer_init(&buffer, type, values.data(), static_cast<int>(min.size()),
                       dimensions.data(), extent.data());
    for (std::size_t i = 0; i < min.size(); ++i)
      dimensions[min.size() - 1 - i].min = static_cast<int32_t>(min[i]);
  }
  Box(const Box&) = delete;
  halide_buffer_t* argument() { return strata_argument(&buffer); }
};

// What a rank was told by a call, which takes less than a second.
struct Told {
  int code;
  std::string message;
};
inline Told told_by(const std::function<int()>& call) {
  using clock = std::chrono::steady_clock;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = clock::now();
  const int code = call();
  CHECK(clock::now() - start < std::chrono::seconds(1));
  if (code) CHECK(strata_last_code() == code);
  return {code, code ? strata_last_error() : ""};
}

void test_values();
void test_arrays();
void test_wrong_arrays();
void test_failures();
void test_entries();
void test_teams();
void test_pieces();
void test_delay();

}  // namespace strata::test::mpi
