// What the GPU benchmark compares: calls on data that is on the device.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpu_benchmark {

// One way to compute a result.
struct Variant {
  std::string name;
  std::function<void()> start;           // starts one computation on the device
  std::function<void()> wait;            // until all that was started is done
  std::function<double()> worst_error;   // of the result, after wait; empty: nothing to compare
};

}  // namespace gpu_benchmark
