// Counts and prints what is wrong.
#pragma once

#include <strata/runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>

inline int wrong = 0;

// "kernel 3 x 5", for messages.
inline std::string named(const char* kernel, std::int64_t n, std::int64_t m) {
  return kernel + (" " + std::to_string(n)) + " x " + std::to_string(m);
}

inline void require(bool right, const std::string& what) {
  if (right) return;
  std::printf("wrong: %s (%s)\n", what.c_str(), strata_last_error());
  ++wrong;
}

// The kernel fails with this code, and a message that contains "text".
inline void require_failure(int code, int expected, const std::string& text,
                            const std::string& what) {
  require(code == expected, what + ": the code is " + std::to_string(code));
  require(std::string(strata_last_error()).find(text) != std::string::npos, what + ": the message");
}
