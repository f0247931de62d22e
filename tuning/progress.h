// One line of standard error that says how far tune is.
#pragma once

#include <string>

#include "strata/tune.h"

namespace strata::tuning {

class Progress {
 public:
  Progress(std::string name, TuneProgress wish);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // "best" and "plain" in seconds, 0 if they are not known.
  void show(std::size_t done, std::size_t planned, double best, double plain, double seconds_left);

 private:
  std::string name_;
  bool shows_ = false, shown_ = false;
};

// "3.21 ms", of seconds.
std::string duration_text(double seconds);

}  // namespace strata::tuning
