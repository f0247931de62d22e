// From a finished program to a kernel.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/memory/boxes.h"
#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "core/stage.h"
#include "layers/flow/communication.h"
#include "layers/program.h"

namespace strata {

constexpr double default_code_limit = 25'000;

struct LowerOptions {
  std::vector<std::string> arguments;  // the buffers of the kernel's signature, in order
  Floats floats = Floats::fast;
  Request request{"codegen", {}};          // what errors refer to
  double code_limit = default_code_limit;  // E0903 above, in the units of codegen/tree/code_size.h
};

// What is known of a kernel while its loop tree is made.
struct Lowering {
  const Program* program;
  const LowerOptions* options;
  std::shared_ptr<const Mapping> mapping = {};  // complete; the rest points into it
  std::vector<Lifetime> lifetimes = {};         // layer IV
  TimeSpace space;
  std::vector<Nest> whole = {};             // the forest of the mapping
  std::vector<Nest> nests = {};             // the same with full tiles apart
  std::map<std::string, Box> touched = {};  // of each buffer
  Kernel kernel = {};
};

// The stages to the loop tree; the passes on it (codegen/passes/passes.h) come after.
const std::vector<Stage<Lowering>>& loop_stages();

// The kernel of a program that is finished (schedule/finish.h) for these arguments.
//  E0112 what is unbounded, E0502 where generation fails, E0901 out of budget, E0903 more code than
//  the limit.
Kernel lower(const Program& program, const LowerOptions& options, StageRun& stages);
Kernel lower(const Program& program, const LowerOptions& options);

}  // namespace strata
