// What autoschedule did, and why.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strata {

struct Report {
  // One candidate: "product of c: tiles of 6 x 32, a panel".
  struct Tried {
    std::string text;
    double cycles = 0;    // by the model; 0 if a command was refused before there was a program
    std::string largest;  // the term that takes most of them: core, L1, L2, memory, threads
    std::string outcome;  // "chosen", "slower", "refused: E0202 ..", "too much code"
  };
  // One computation: where it is computed and by which rule, or why it stays.
  struct Member {
    std::string computation, where;
  };

  bool changed = false;
  std::vector<std::string> commands = {};  // given, as in Function::history()
  double cycles_before = 0, cycles = 0;    // by the model
  std::string why_unchanged = {};          // empty if changed
  std::string sizes = {};                  // "N = 1000, M = 1000": what the model took
  std::vector<Tried> tried = {};           // the fastest first, by the model
  std::size_t refused = 0;  // illegal candidates, by rules that take them to be legal
  std::vector<Member> members = {};

  // For people: the choice, the computations, and the first candidates with the reasons why they
  // lost.
  std::string text() const;
};

}  // namespace strata
