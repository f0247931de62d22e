// Schedules by measurement. This is a library of its own: link Strata::tuning.
//
//   const Tuning t = tune(f, {in.buffer(), out.buffer()},
//                         {.sizes = {{"N", 2000}}, .seconds = 60, .log = "blur.tuning"});
//   std::cout << t.text() << f.history_source();
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "strata/strata.h"

struct halide_buffer_t;

namespace strata {

// How tune says on standard error how far it is.
enum class TuneProgress {
  automatic,  // line if that is a terminal, else json
  line,       // one line, written over and over
  json,       // an object of JSON on a line of its own for each candidate
  never,
};

struct TuneOptions {
  std::map<std::string, std::int64_t> sizes =
      {};                               // of parameters; others as autoschedule takes them
  double seconds = 60;                  // of wall-clock time, for search and measurement
  int threads = 0;                      // of the kernel; 0: the cores of this machine
  std::string log = {};                 // a file, which is resumed and extended; empty: none
  std::size_t candidates = 20;          // to measure, at most: the first by the model
  bool replay = false;                  // measure nothing: the commands that won by the log
  std::vector<Computation> leave = {};  // these stay as they are
  Floats floats = Floats::fast;         // of the codegen or jit that follows
  // The arrays to call the kernel with, in the order of the arguments, with extents for these
  // sizes. tune does not change them. Empty: numbers made from a seed, floats in [0.5, 1.5),
  // integers small enough to be indices.
  std::vector<halide_buffer_t*> arrays = {};
  std::map<std::string, void*> functions = {};  // as CodegenOptions::functions
  TuneProgress progress = TuneProgress::automatic;
};

// What tune measured, and what it chose.
struct Tuning {
  struct Candidate {
    std::string text;  // "product of c: tiles of 6 x 32, a panel", or "as it stands"
    std::size_t commands = 0;
    std::string outcome;  // "chosen", "slower", "too slow", "crashed: ..", "wrong: ..", ..
    double seconds = 0;   // the fastest run; 0 if it was not measured
    double median = 0;
    double score = 0;     // seconds, by the ratio to what it was measured beside
    bool logged = false;  // by the log: not measured now
    std::string id = {};  // of its commands, in the log
  };

  bool changed = false;     // has the function new commands?
  std::string chosen = {};  // the text of the candidate, or how it was chosen instead
  std::vector<std::string> commands = {};  // as in Function::history(), without the group's lines
  double seconds = 0;                      // of the chosen one; 0 if nothing was measured
  double seconds_before = 0;               // of the program as it stood; 0 if that took too long
  bool interrupted = false;                // by SIGINT (Ctrl-C)
  std::string stopped = {};  // why not all candidates were measured; empty if all were
  std::string sizes = {};    // "N = 2000"
  int threads = 1;
  std::vector<Candidate> candidates = {};  // in the order in which they were measured
  std::size_t planned = 0;
  std::size_t repeated = 0;  // samples that other work on the machine had disturbed
  std::size_t torn = 0;      // lines of the log that are damaged
  std::size_t others = 0;    // lines of other programs, machines, sizes, ..
  std::vector<std::string> unreplayable = {};  // "line 3: E0102 unknown loop, .."

  // For people: the choice, and each candidate with its time or what became of it.
  std::string text() const;
};

// Gives "f" the commands that make its kernel with these arguments fast on this machine, out of the
// candidates that the rules of autoschedule write (docs/automatic.md). Each candidate is compiled
// and run in a process of its own, which gets 4 times the time of the best so far and 1 s more, and
// 3 GB of memory. Before a candidate is timed, its results are compared with those of the program
// as it stands. The commands are one group, in history() and history_source(). If nothing could be
// measured, the commands are the choice of autoschedule, which takes its own time.
//
// The log has a line of JSON for each candidate. A later call with the same program, machine,
// threads, sizes and options does not measure again what the log has. Several processes may share a
// log.
//
// After SIGINT the search or the running candidate ends, and tune chooses the best so far: none if
// nothing was measured. Then "interrupted" is true; a program that ends now should return 130. The
// process must not run other threads that compile kernels meanwhile.
//
// Errors, after which nothing is changed:
//   E0101 "leave" has a computation of another function
//   E0106 sizes, threads, seconds, arrays or a log that cannot be; a loop on a GPU or on ranks; a
//         function of which loops or a kernel were made already; inside of together
//   E0115, E0116 the arguments;  E0503 the log cannot be written
//   E0502 the program as it stands cannot be compiled, or its kernel fails
Tuning tune(Function& f, const std::vector<Buffer>& arguments, const TuneOptions& options = {},
            const Where& where = Where::here());

}  // namespace strata
