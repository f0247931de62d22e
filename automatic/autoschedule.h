// Schedules by itself: rules write candidates, the model orders them, legality judges the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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
  Floats floats = Floats::fast;  // exact: no rule adds in another order
  double code_limit = default_code_limit;
  bool only_plain = false;  // the rule "plain" alone
  Request request = {};
  // Asked before each candidate: true ends the search with what it has found. Empty: it goes on.
  std::function<bool()> is_over = {};
};

struct Automatic {
  Program program;  // the one given, if nothing is faster
  Report report;
};

struct LegalCandidate {
  Program program;    // with the group of its commands
  std::string text;   // "product of c: tiles of 6 x 32, a panel"
  double cycles = 0;  // by the model
  std::vector<std::string> commands;
};

struct LegalCandidates {
  std::vector<LegalCandidate> legal;  // the fastest first, by the model
  Report report;                      // of the search; it says "changed" of the first one
};

// The program with one more group of commands, chosen among those that the rules write
// (automatic/rules/rules.h): the legal one that the model (automatic/model/estimate.h) holds to be
// fastest. Nothing but the arguments decides, no clock and no address, so the commands are the same
// on every machine, for the same "machine" (unless "is_over" ends the search).
// Errors: E0101 "leave" names no computation; E0106 "sizes" names no parameter, or contradicts what
// is assumed, or a loop runs on a GPU or on ranks.
Automatic autoscheduled(const Program& program, const Machine& machine,
                        const AutomaticOptions& options);

// Changes whenever the rules, the model or the search give other candidates for some program.
inline constexpr int rules_version = 3;

// Sizes of all parameters: those of the options, and for the others typical ones. E0106 as above.
std::map<std::string, std::int64_t> sizes_checked(const Program& program,
                                                  const AutomaticOptions& options);
// "N = 1000, M = 1000"
std::string sizes_text(const std::map<std::string, std::int64_t>& sizes);

// At most "most" candidates for a program, also those that the model holds to be slower than it.
// Whether their loops can be generated, and are not too much code, is not asked. As deterministic
// as the above, with the same errors.
LegalCandidates legal_candidates(const Program& program, const Machine& machine,
                                 const AutomaticOptions& options, std::size_t most);

}  // namespace strata
