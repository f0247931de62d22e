// The name of a launch, from which Halide makes the names of its loops and of its kernel.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace strata::halide {

// "launch.i", or "launch.2.i" if the author wants 2 blocks on a multiprocessor. No loop's name
// begins with a digit.
inline std::string launch_name(const std::string& loop, std::int64_t min_blocks) {
  return "launch." + (min_blocks ? std::to_string(min_blocks) + "." : "") + loop;
}

// The number of blocks wanted on a multiprocessor, from the name of the kernel, which has "_" for
// each "."; 0: no wish.
inline std::int64_t min_blocks_of(const std::string& kernel) {
  const std::string before = "launch_";
  const std::size_t at = kernel.find(before);
  return at == std::string::npos ? 0 : std::strtoll(&kernel[at + before.size()], nullptr, 10);
}

}  // namespace strata::halide
