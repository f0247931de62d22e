// The work of a child on a candidate: compiles it, compares its results, and times it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"
#include "strata/codegen_options.h"
#include "tuning/arrays.h"
#include "tuning/process.h"

namespace strata::tuning {

// The arguments of a call, and the expected contents of the arrays that it writes.
struct Comparison {
  CallArguments arguments;
  std::vector<std::string> expected = {};  // bytes of each array; empty if only read
  std::vector<double> rounding = {};       // effect_of_rounding
};

// What all candidates have in common.
struct Subject {
  std::vector<std::string> names;  // of the arguments
  CodegenOptions codegen;
  double code_limit = 0;
  int threads = 1;
  Where where;
  Arguments arguments;
  std::vector<Comparison> comparisons;
  std::optional<CallArguments> timed;  // the arguments of calls that are timed
};

// A candidate. "saved" is its machine code, if that can be kept.
struct Competitor {
  Program program;
  std::string id;
  std::string saved = {};
};

// The messages of both functions below, in this order:
//   compiled   the machine code of the candidate
//   ready      the machine code of the other candidate, if it had none
//   compared   after each comparison; of find_expected with the arrays, and what they are after a
//              nudge of the inputs, as core/record.h has them
//   called     after each sample
//   measured   the times
// or, at the end, what went wrong.
enum Message : char {
  compiled = 'c',
  ready = 'b',
  compared = 'k',
  called = 's',
  measured = 'm',
  refused = 'r',
  failed = 'f',
  wrong = 'w',
  no_memory = 'o',
  not_compared = 'n',
};

// Compiles the program in the mode exact or, if that is refused, in the candidates' mode. Sends the
// expected results of the comparisons. If one fails, sends not_compared with the reason.
void find_expected(const Subject& subject, const Program& program, const Sender& sender);

void try_candidate(const Subject& subject, const Program& program, std::size_t number,
                   const Competitor* beside, const Sender& sender);

}  // namespace strata::tuning
