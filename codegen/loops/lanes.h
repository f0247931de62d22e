// The vector loops around the current position in the loop tree that is being generated.
#pragma once

#include <string>
#include <vector>

#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"

namespace strata {

class LanesAround {
 public:
  // "masked": conditions inside the loop switch off some of its lanes.
  void enter(const Nest& nest, const std::string& variable, bool masked);
  // Leaves the loop entered last. Returns true if its lanes may be moved innermost.
  bool leave();

  // Records that "e" determines the first iteration of "nest" here, or which iterations run. A
  // vector loop around whose variable is in "e" is not in lockstep: its lanes run different
  // iterations.
  void keep_apart(const Expr& e, const Nest& nest);

  // Does "e" have different values in the lanes of a vector loop around?
  bool distinguish(const Expr& e) const;

  // The depths of the loops around that have lanes switched off.
  std::vector<int> masked() const;
  // Is there exactly one vector loop around? Of several, it is not known here which becomes the
  // vector.
  bool is_one() const { return around_.size() == 1; }

 private:
  struct Lanes {
    const Nest* nest;
    std::string variable;
    bool masked;
    bool lockstep;
  };
  std::vector<Lanes> around_;  // outermost first
};

}  // namespace strata
