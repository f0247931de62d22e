// Counters of a fuzzer run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace strata::fuzz {

struct CommandCount {
  std::int64_t programs = 0;            // programs in which one of the kind was judged
  std::int64_t accepting_programs = 0;  // programs in which one was accepted
  std::int64_t accepted = 0, refused = 0;
  std::int64_t inapplicable = 0;  // refused for a reason other than legality
};

// The relation with the largest count, and the program whose schedule made it.
struct LargestRelation {
  int count = 0;
  std::string what;  // "the times of S0"
  std::uint64_t seed = 0;
};

// The call of the library that took most CPU, and its program.
struct SlowestCall {
  double seconds = 0;
  std::string what;
  std::uint64_t seed = 0;
};

// Programs that scheduled themselves.
struct AutoscheduleCount {
  std::int64_t programs = 0, changed = 0, compiled = 0, by_machine = 0;
  double slowest = 0;  // seconds of CPU
  std::uint64_t slowest_seed = 0;
  std::map<std::string, std::int64_t> chosen;   // by rule, also of parts of a program
  std::map<std::string, std::int64_t> refused;  // candidates, by rule and code
};

struct Statistics {
  std::int64_t programs = 0;
  std::int64_t accepted = 0, refused = 0;  // commands whose legality was judged
  std::int64_t executions = 0;             // runs of the schedule oracle
  std::int64_t compiled = 0;               // pairs of program and schedule run as a loop tree
  std::int64_t by_machine = 0;             // of these, compiled by a back end
  std::int64_t on_ranks = 0;               // runs of programs on several ranks
  std::int64_t interrupted = 0;            // cases ended for taking too long
  std::int64_t mismatches = 0, illegal_accepted = 0;
  std::map<std::string, std::int64_t> false_refusals;  // by kind
  std::map<std::string, std::int64_t> by_design;       // refused by design, by kind
  std::map<std::string, std::int64_t> codes;           // refusals by code
  std::map<std::string, std::int64_t> not_compiled;    // by code
  std::map<std::string, std::int64_t> copies_refused;  // by code; compiled without them
  std::map<std::string, CommandCount> commands;
  std::map<std::string, std::int64_t> kinds;  // programs by kind
  std::map<std::int64_t, std::int64_t> accepted_in_a_program;
  LargestRelation most_disjuncts, most_existentials;  // over all relations of legal programs
  double slowest = 0;                                 // seconds of the slowest case
  std::uint64_t slowest_seed = 0;
  SlowestCall slowest_call;
  AutoscheduleCount autoscheduled;

  std::int64_t schedules() const { return accepted + refused; }
  std::int64_t all_false_refusals() const;
  double acceptance() const;  // fraction of the judged commands
  std::int64_t median_accepted() const;
  // Percentage of all programs.
  double share(std::int64_t programs) const;
};

// A readable table of many lines.
std::string table(const Statistics& statistics);
// The totals in one line, which tools/fuzz adds up over its jobs.
std::string last_line(const Statistics& statistics, std::uint64_t seed);

}  // namespace strata::fuzz
