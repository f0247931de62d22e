// The rows of the table: what is measured, against what, and how results are checked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/gpu/device.h"

namespace gpu_benchmark {

class Libraries;

// Where arrays are.
struct Place {
  const void* device;    // the runtime's interface
  Libraries* libraries;  // null where there are none: with OpenCL
};

// One way to compute the results.
struct Variant {
  std::string name;
  std::function<void()> run;  // starts it; throws Failed
  bool ours = false;          // Strata's
  bool checked = true;        // against plain loops: not so a copy of as many bytes
};

// Strata's speed, relative to a peer's.
struct Goal {
  std::string peer;
  double ratio;
};

struct Case {
  double work = 0;  // operations, or bytes
  std::vector<Variant> variants;
  std::vector<std::pair<std::string, std::string>> missing;  // variant, why
  std::function<void()> poison;                              // the results
  std::function<std::string()> find_wrong;  // against plain loops: "" or what is wrong
  std::vector<std::shared_ptr<void>> kept;  // alive
};

struct Row {
  std::string name;
  std::string unit;  // of 10^12 operations ("TFLOP/s") or 10^9 bytes a second ("GB/s")
  std::vector<Goal> goals;
  std::function<Case(const Place& place)> make;
};

// A product of n x n bfloat16 matrices on tensor cores, summed in float32.
Case tensor_case(const Place& place, Size n);

// All rows; "small" ones are for a check of the results, at sizes that a CPU runs at once.
std::vector<Row> rows(bool small);

}  // namespace gpu_benchmark
