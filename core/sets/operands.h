// The sizes of what isl's functions are given.
#pragma once

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

namespace strata {

// The size of a tableau: the constraints of basic sets, and their dimensions with existentials.
struct Tableau {
  double rows = 0, columns = 0;
};

// What one of isl's functions is given.
struct IslOperands {
  Tableau tableau;   // the largest basic sets of all operands together
  double pairs = 1;  // the product of the numbers of basic sets

  void add(const Tableau& largest, double count);
  void add(isl_basic_map* map);
  void add(isl_basic_set* set);
  void add(isl_map* map);
  void add(isl_set* set);
  void add(isl_union_map* map);
  void add(isl_union_set* set);
  void add(isl_aff* function);
  void add(isl_pw_aff* function);
  void add(isl_multi_aff* function);
  void add(isl_pw_multi_aff* function);
  void add(isl_multi_pw_aff* function);
  void add(isl_schedule* schedule);
  template <typename Other>
  void add(const Other&) {}  // takes no time
};

}  // namespace strata
