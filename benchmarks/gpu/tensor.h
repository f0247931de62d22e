// A product on tensor cores.
#pragma once

#include "examples/gpu/tensor_product.h"

namespace gpu_benchmark {

// That of the examples, with its arguments resident on the device.
inline examples::Scheduled tensor_product() {
  examples::Scheduled made = gpu_examples::tensor_product(gpu_examples::On::gpu);
  for (const char* argument : {"a", "b", "c"})
    made.function.replay(std::string("resident(") + argument + ")");
  return made;
}

}  // namespace gpu_benchmark
