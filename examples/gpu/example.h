// The GPU examples: each is a function On -> Scheduled, one algorithm with a schedule for the CPU
// and one for a GPU.
#pragma once

#include <string>

#include "examples/common/scheduled.h"

namespace gpu_examples {

using examples::Scheduled;

enum class On { cpu, gpu };

// The kernel NAME_cpu or NAME_gpu.
inline std::string kernel(const std::string& name, On on) {
  return name + (on == On::cpu ? "_cpu" : "_gpu");
}

}  // namespace gpu_examples
