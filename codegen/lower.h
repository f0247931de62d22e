// From a verified program to a kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/program.h"

namespace strata {

constexpr double default_code_limit = 25'000;

struct LowerOptions {
  std::vector<std::string> arguments;  // the buffers of the kernel's signature, in order
  FloatMode float_mode = FloatMode::fast;
  Request request{"codegen", {}};          // what errors are about
  double code_limit = default_code_limit;  // E0903 beyond, in the units of codegen/tree/code_size.h
};

// Seconds, stage by stage.
using StageTimes = std::vector<std::pair<std::string, double>>;

// The kernel of a program whose layers are verified and whose values all have a place.
//  E0115 an argument that is no buffer, E0116 a list of arguments that leaves out an input or
//  output, or names a buffer twice; E0112 what is unbounded, E0502 where generation fails,
//  E0901 out of budget, E0903 more code than the limit.
Kernel lower(const Program& program, const LowerOptions& options, StageTimes* times = nullptr);

}  // namespace strata
