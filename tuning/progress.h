// Reports the progress of tune on standard error.
#pragma once

#include <cstddef>
#include <string>

#include "strata/tune.h"

namespace strata::tuning {

class Progress {
 public:
  enum class Phase { search, measurement };

  struct State {
    Phase phase;
    std::size_t done, planned;  // candidates
    double best, plain;         // seconds of a call; 0: not known
    double seconds_left;
  };

  Progress(std::string name, TuneProgress wish);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const State& state);

 private:
  const std::string name_;
  const TuneProgress way_;
  bool is_line_open_ = false;
};

// Seconds as a text: "3.21 ms".
std::string duration_text(double seconds);

}  // namespace strata::tuning
