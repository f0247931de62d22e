// What the parts of recording_host share.
#pragma once

#include <strata/buffer.h>

#include <algorithm>
#include <string>

#include "tests/gpu/recording_cuda.h"

using Size = std::int64_t;
using Ints = strata::Array<std::int32_t>;

inline Recording* driver = nullptr;

// The recorded calls that begin so.
inline std::size_t count(const std::string& call) {
  return std::size_t(
      std::count_if(driver->calls.begin(), driver->calls.end(),
                    [&](const std::string& one) { return one.rfind(call, 0) == 0; }));
}

void test_shared_memory();
