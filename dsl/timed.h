// STRATA_TIME=1 writes the CPU milliseconds of each definition, command and stage of code
// generation to the standard error stream.
#pragma once

#include <string>

namespace strata {

class CpuTimer {
 public:
  CpuTimer();
  // Writes what the function has spent since on "what", if that is asked for.
  void report(const std::string& function, const std::string& what) const;

 private:
  double start_;
};

}  // namespace strata
