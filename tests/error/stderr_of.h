// What code writes on stderr.
#pragma once

#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <functional>
#include <string>

namespace strata::test {

// Without what a sanitizer writes about itself, once in a process: "==PID==WARNING: ASan doesn't
// fully support makecontext/swapcontext ..", which Halide uses.
inline std::string stderr_of(const std::function<void()>& act) {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  act();
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::rewind(file);
  std::string text, line;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    line += static_cast<char>(c);
    if (c != '\n') continue;
    if (line.find("==WARNING: ASan doesn't fully support") == std::string::npos) text += line;
    line.clear();
  }
  std::fclose(file);
  return text + line;
}

}  // namespace strata::test
