// Hooks that tests replace.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

struct halide_buffer_t;

namespace strata::tuning {

struct Hooks {
  // Called in the child that tries a candidate, after each call of its kernel for a comparison.
  // Candidates count from 0, in the order in which they are tried.
  std::function<void(std::size_t candidate, const std::vector<halide_buffer_t*>& arrays)> called =
      {};
  std::function<void()> searching = {};         // when the search asks whether it is over
  pid_t (*fork)() = nullptr;                    // instead of the system's
  std::int64_t memory = std::int64_t(3) << 30;  // bytes that a child may add to its parent's
};

Hooks& hooks();

}  // namespace strata::tuning
