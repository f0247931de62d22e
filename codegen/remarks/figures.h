// What remarks need to know about the machine.
#pragma once

#include <cstdint>

#include "core/type.h"

namespace strata {

// The defaults are those of a core with AVX2: two multiply-adds and two loads of 32 bytes a cycle.
struct MachineFigures {
  std::int64_t vector_bytes = 32;
  std::int64_t vector_registers = 16;
  double multiply_adds = 2;  // vectors a cycle
  double loads = 2;          // vectors a cycle, from the first cache
  // Vector operations that take as long as waking the threads and waiting for them: below that, a
  // parallel loop is slower than a sequential one. 2 us at 3 GHz and 2 operations a cycle.
  double parallel_start = 12'000;

  std::int64_t lanes(Type type) const { return vector_bytes / bytes(type); }
  // The operations that the machine computes while it loads a byte from its first cache:
  //     2 * multiply_adds / (loads * bytes(type)).
  double flops_per_byte(Type type) const {
    return 2 * multiply_adds / (loads * double(bytes(type)));
  }
};

}  // namespace strata
