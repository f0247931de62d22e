// Instruments that come with the library.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "graph/pass/context.h"

namespace strata::graph {

// The times of passes, as a tree: a Sequential and the passes that ran in it.
class PassTimes {
 public:
  PassTimes();
  const std::shared_ptr<Instrument>& instrument() const { return instrument_; }
  // One line for each pass, "FoldConstant: 0.012 s", indented below the pass that ran it. Forgets
  // these times.
  std::string render();

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::shared_ptr<Instrument> instrument_;
};

// Give texts to "print": the name of each pass before it runs; or the module with a header that
// names the pass, before or after it runs.
using Print = std::function<void(const std::string&)>;
std::shared_ptr<Instrument> print_names(const Print& print);
std::shared_ptr<Instrument> print_before(const Print& print);
std::shared_ptr<Instrument> print_after(const Print& print);
// E0601 if the result of a pass breaks a rule.
std::shared_ptr<Instrument> verify_after();

}  // namespace strata::graph
