// Counts and prints what is wrong.
#pragma once

#include <strata/runtime.h>

#include <cstdio>
#include <string>

inline int wrong = 0;

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
