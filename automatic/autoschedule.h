// Schedules by itself: rules write candidates, the model orders them, legality judges the first.
#pragma once

#include <set>
#include <string>

#include "automatic/report.h"
#include "codegen/lower.h"
#include "core/machine/machine.h"
#include "layers/program.h"

namespace strata {

struct AutomaticOptions {
  std::set<std::string> leave = {};                // computations that stay as they are
  std::set<std::string> arguments = {};            // buffers, besides usual_arguments
  std::map<std::string, std::int64_t> sizes = {};  // of parameters; others are typical
  int threads = 1;
  Floats floats = Floats::fast;  // exact: no rule adds in another order
  double code_limit = default_code_limit;
  bool only_plain = false;  // the rule "plain" alone
  Request request = {};
};

struct Automatic {
  Program program;  // the one given, if nothing is faster
  Report report;
};

// The program with one more group of commands, chosen among those that the rules write
// (automatic/rules/rules.h): the legal one that the model (automatic/model/estimate.h) holds to be
// fastest. Nothing but the arguments decides, no clock and no address, so the commands are the same
// on every machine, for the same "machine".
// Errors: E0101 "leave" names no computation; E0106 "sizes" names no parameter, or contradicts what
// is assumed, or a loop runs on a GPU or on ranks.
Automatic autoscheduled(const Program& program, const Machine& machine,
                        const AutomaticOptions& options);

}  // namespace strata
