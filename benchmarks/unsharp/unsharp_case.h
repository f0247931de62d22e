// A 5 x 5 unsharp mask of a picture in planes, whose border pixels repeat.
#pragma once

#include "benchmarks/common/filter.h"
#include "examples/unsharp/plain_unsharp.h"
#include "unsharp.h"

namespace unsharp_benchmark {

struct Case : benchmarks::FilterCase<plain_unsharp> {
  explicit Case(const std::vector<std::int64_t>& size) : Case(size[0], size[1]) {}
  Case(std::int64_t rows, std::int64_t numbers)
      : FilterCase(rows, numbers, {3, rows, numbers}, {3, rows, numbers}, {3, rows, numbers}) {}
  void strata() { benchmarks::check(unsharp(n, w, in, out)); }
};

}  // namespace unsharp_benchmark
