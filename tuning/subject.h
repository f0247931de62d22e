// Makes the Subject of a function from the author's arguments and options.
#pragma once

#include "core/machine/machine.h"
#include "dsl/state.h"
#include "strata/tune.h"
#include "tuning/trial.h"

namespace strata::tuning {

struct Setup {
  const FunctionState& state;
  const std::vector<std::string>& names;  // of the arguments
  const TuneOptions& options;
  const Machine& machine;
  const Values& sizes;  // of all parameters
  int threads = 1;
  const Request& request;
};

// The comparisons have no expected results yet. Errors: E0106 for arrays that do not fit the
// arguments, and for sizes whose arrays exceed half of the memory; E0115, E0116, .. of finished().
Subject make_subject(const Setup& setup);

}  // namespace strata::tuning
