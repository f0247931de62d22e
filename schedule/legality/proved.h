// What one command proves for the next.
#pragma once

#include "layers/program.h"

namespace strata {

// A state of a program in which every question of legality was asked and found no violation.
struct Proved {
  std::shared_ptr<const Algorithm> algorithm;
  Mapping complete;  // with initial values
  Layout layout;
};

}  // namespace strata
