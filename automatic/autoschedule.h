// Schedules programs automatically: rules write candidates, the model orders them, and legality
// judges the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
  Floats floats = Floats::fast;  // exact: no rule changes the order of sums
  double code_limit = default_code_limit;
  bool only_plain = false;  // the rule "plain" alone
  Request request = {};
  // Called before each candidate. True ends the search with what it has found. Empty: never.
  std::function<bool()> is_over = {};
};

struct Automatic {
  Program program;  // the given one, if nothing is faster
  Report report;
  std::optional<MadeKernel> kernel = {};  // of the program, if the search has made it
};

struct LegalCandidate {
  Program program;    // with the group of its commands
  std::string text;   // "product of c: tiles of 6 x 32, a panel"
  double cycles = 0;  // by the model
  std::vector<std::string> commands;
  std::optional<MadeKernel> kernel = {};  // if its loops were generated
};

struct LegalCandidates {
  std::vector<LegalCandidate> legal;  // the fastest first, by the model
  Report report;                      // of the search; it says "changed" of the first one
};

// The program with one more group of commands. Rules write candidates (automatic/rules/rules.h),
// and this takes the legal candidate that is fastest by the model (automatic/model/estimate.h).
// Only the arguments decide, no clock and no address. So the commands are the same wherever this
// runs, for the same "machine" (unless "is_over" ends the search).
// Errors: E0101 "leave" names no computation; E0106 "sizes" names no parameter, or contradicts an
// assumption, or a loop runs on a GPU or on ranks.
Automatic autoscheduled(const Program& program, const Machine& machine,
                        const AutomaticOptions& options);

// Changes whenever the rules, the model or the search find other candidates for some program.
inline constexpr int rules_version = 8;

// The sizes of all parameters: those in the options, and typical ones for the others. E0106 as
// above.
std::map<std::string, std::int64_t> sizes_checked(const Program& program,
                                                  const AutomaticOptions& options);
// "N = 1000, M = 1000"
std::string sizes_text(const std::map<std::string, std::int64_t>& sizes);

// At most "most" legal candidates for a program, also those that are slower than it by the model.
// Does not ask whether their loops can be generated, and are not too much code. As deterministic as
// autoscheduled, with the same errors.
LegalCandidates legal_candidates(const Program& program, const Machine& machine,
                                 const AutomaticOptions& options, std::size_t most);

}  // namespace strata
