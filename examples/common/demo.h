// Code shared by the demos of small examples.
#pragma once

#include <strata/runtime.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>

#include "examples/common/timing.h"

namespace examples {

inline void print_file(const char* path) { std::cout << std::ifstream(path).rdbuf() << std::flush; }

// Prints the commands of a file that write_loops wrote, without the loops.
inline void print_commands(const char* path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && line != "loops:";) std::cout << line << "\n";
  std::cout << std::flush;
}

// Prints the kernel's speed on 1 and 2 threads relative to "plain", plain C by gcc -O3. Returns
// the exit status of a demo: 0, or 1 if "right" says that the result is wrong.
inline int compare(const std::string& what, const std::function<void()>& plain,
                   const std::function<void()>& kernel, const std::function<bool()>& right,
                   int rounds = 9) try {
  const auto on = [&](int threads) {
    return [&kernel, threads] {
      strata_set_number_of_threads(threads);
      kernel();
    };
  };
  const auto seconds = interleaved_medians(rounds, {plain, on(1), on(2)});
  const bool is_right = right();
  std::printf(
      "%s: plain C %.2f ms, Strata %.2f ms on 1 thread (%.2f x), %.2f ms on 2 threads "
      "(%.2f x); the result is %s\n",
      what.c_str(), seconds[0] * 1e3, seconds[1] * 1e3, seconds[0] / seconds[1], seconds[2] * 1e3,
      seconds[0] / seconds[2], is_right ? "right" : "WRONG");
  return is_right ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

}  // namespace examples
