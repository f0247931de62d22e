// Do accesses stay inside temporary buffers even in lanes that are switched off?
//
// A vector with lanes switched off may load and store in all lanes, if its temporary buffer has
// room for them. The lanes that are off store the old value, or anything in idle places.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

class Padding {
 public:
  void enter(const For& loop);
  void leave();
  void enter(const Allocate& allocate);
  void leave(const Allocate& allocate);

  // Does "buffer" have the element in all iterations of the loops of constant extent around,
  // whether they run or not? And is the buffer allocated inside the parallel loops around?
  bool has(const std::string& buffer, const std::vector<Expr>& indices) const;
  // Does each iteration of the loop over "variable" access another element? Only valid if has()
  // holds.
  bool differs(const std::vector<Expr>& indices, const std::string& variable) const;
  // May lanes that are off store anything (codegen/entry/idle_places.h)?
  bool is_idle_elsewhere(const std::string& buffer) const;

 private:
  struct Interval {
    std::int64_t lowest, highest;
  };
  std::optional<Interval> interval(const Expr& e) const;

  std::vector<const For*> loops_;  // outermost first
  struct Own {
    const Allocate* allocate;
    bool idle_elsewhere;
  };
  std::map<std::string, Own> allocations_;
  std::vector<std::map<std::string, Own>> outside_;  // of each loop
};

}  // namespace strata
