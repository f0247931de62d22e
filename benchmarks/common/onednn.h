// Code shared by the oneDNN variants.
#pragma once

#include <dnnl.hpp>

#include "benchmarks/common/process.h"

namespace benchmarks {

// The numbers at "data" as oneDNN memory, without a copy.
inline dnnl::memory memory_on(const dnnl::engine& engine, const dnnl::memory::desc& what,
                              float* data) {
  return dnnl::memory(what, engine, data);
}

}  // namespace benchmarks
