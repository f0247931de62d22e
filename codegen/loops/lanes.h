// The vector loops around a place of the loop tree that is being generated.
#pragma once

#include <string>
#include <vector>

#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"

namespace strata {

class LanesAround {
 public:
  // "masked": conditions inside switch some of its lanes off.
  void enter(const Nest& nest, const std::string& variable, bool masked);
  // Of the loop entered last: may its lanes be moved innermost?
  bool leave();

  // "e" says which iterations of "nest" run here, or from where on: lanes for which it differs do
  // not run the same iterations at the same time.
  void keep_apart(const Expr& e, const Nest& nest);

  // The depths of the loops around of which lanes are switched off.
  std::vector<int> masked() const;
  // Is there one loop around?  Of several, nobody knows here which becomes the vector.
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
