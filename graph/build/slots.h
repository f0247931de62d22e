// The slots of a function's shape heap.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/dim/dim.h"
#include "graph/vm/builtins.h"

namespace strata::graph {

// Each dim has one slot, found by its normal form; a number has none. Which slots hold values by
// now, "known", changes from body to body.
class Slots {
 public:
  using Known = std::set<std::string>;  // texts of dims
  using Codes = std::vector<std::int64_t>;

  std::int64_t count() const { return std::int64_t(slots_.size()); }
  bool is_known(const Expr& dim) const { return known_.contains(dim_text(dim)); }
  // Have all symbols of the dim values?
  bool is_computable(const Expr& dim) const;

  // The code and the value of a dim that is a number or known.
  void add(const Expr& dim, Codes& codes) const;
  // The slot gets the dim's value: its code and its number.
  void define(const Expr& dim, Codes& codes);
  // Appends a program that computes the dim into its slot, from numbers and symbols.
  void compute(const Expr& dim, Codes& program);

  const Known& known() const { return known_; }
  void restore(Known known) { known_ = std::move(known); }

 private:
  std::int64_t slot_of(const Expr& dim);
  void push(const Expr& e, Codes& program) const;

  std::map<std::string, std::int64_t> slots_ = {};
  Known known_ = {};
};

}  // namespace strata::graph
