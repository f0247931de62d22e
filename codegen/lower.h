// From a finished program to a kernel.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/memory/boxes.h"
#include "codegen/memory/launch_barriers.h"
#include "codegen/nests/masking.h"
#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "core/stage.h"
#include "layers/flow/coherence.h"
#include "layers/flow/communication.h"
#include "layers/flow/messages.h"
#include "layers/program.h"

namespace strata {

constexpr double default_code_limit = 25'000;

struct LowerOptions {
  std::vector<std::string> arguments;  // the buffers of the kernel's signature, in order
  Floats floats = Floats::fast;
  Request request{"codegen", {}};          // what errors refer to
  double code_limit = default_code_limit;  // above it: E0903; units of codegen/tree/code_size.h
  bool profile = false;                    // record times (codegen/sections.h)
  Masks masks = Masks::none;               // of the CPU: cut vectors, or sums, are masked
};

// The kernel of a program, and what it was made for.
struct MadeKernel {
  std::vector<std::string> arguments;
  Floats floats;
  Masks masks;
  Kernel kernel;
};

// The state that the stages pass on: each fills in some of the members.
struct Lowering {
  const Program* program;
  const LowerOptions* options;
  std::shared_ptr<const Mapping> mapping = {};  // with initial values; the rest points into it
  std::vector<Lifetime> lifetimes = {};         // layer IV
  std::vector<CoherenceCopy> copies = {};       // between host and device
  std::vector<Message> messages = {};           // between ranks
  std::shared_ptr<std::vector<Definition>> message_definitions = {};  // of their branches
  TimeSpace space = {};
  bool borders_apart = true;     // are loops split at the borders of clamps (border_cuts.h)?
  std::vector<Nest> whole = {};  // the forest of the mapping's loops
  std::vector<Nest> nests = {};  // the same, with copies for full tiles
  std::map<std::string, Box> touched = {};  // by buffer: the box that the kernel touches
  BarriersAfter barriers = {};              // of launches
  FoundBoxes own_boxes_found = {};          // that the barriers needed
  Kernel kernel = {};
};

// The stages from a Program to a loop tree; passes on the tree (codegen/passes/passes.h) follow.
const std::vector<Stage<Lowering>>& loop_stages();

// A kernel, and what its loops were generated from.
struct Generated {
  const Program* program;
  const LowerOptions* options;
  StageRun* stages;
  Lowering lowering = {};
  Kernel kernel = {};
};

// The stages after those of the loops and the passes, which need both, or run them again.
const std::vector<Stage<Generated>>& kernel_stages();

// The kernel of a program that is finished (schedule/finish.h) for these arguments.
//  E0112 for an unbounded loop or buffer, E0308 for a buffer larger than its extents or the stack,
//  E0502 if generation fails, E0901 out of budget, E0903 for more code than the limit.
Kernel lower(const Program& program, const LowerOptions& options, StageRun& stages);
Kernel lower(const Program& program, const LowerOptions& options);

}  // namespace strata
