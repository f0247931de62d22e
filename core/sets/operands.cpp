#include "core/sets/operands.h"

#include <isl/constraint.h>

#include <algorithm>

namespace strata {

namespace {

double size(isl_size size) { return size < 0 ? 0 : size; }

Tableau tableau_of(isl_basic_map* map) {
  return {size(isl_basic_map_n_constraint(map)), size(isl_basic_map_dim(map, isl_dim_all))};
}

Tableau tableau_of(isl_basic_set* set) {
  return {size(isl_basic_set_n_constraint(set)), size(isl_basic_set_dim(set, isl_dim_all))};
}

struct Disjuncts {
  Tableau largest;
  double count = 0;

  void note(const Tableau& tableau) {
    count += 1;
    largest.rows = std::max(largest.rows, tableau.rows);
    largest.columns = std::max(largest.columns, tableau.columns);
  }
};

isl_stat note_basic(isl_basic_map* map, void* user) {
  static_cast<Disjuncts*>(user)->note(tableau_of(map));
  isl_basic_map_free(map);
  return isl_stat_ok;
}

isl_stat note_basic_set(isl_basic_set* set, void* user) {
  static_cast<Disjuncts*>(user)->note(tableau_of(set));
  isl_basic_set_free(set);
  return isl_stat_ok;
}

isl_stat note_map(isl_map* map, void* user) {
  isl_map_foreach_basic_map(map, note_basic, user);
  isl_map_free(map);
  return isl_stat_ok;
}

isl_stat note_set(isl_set* set, void* user) {
  isl_set_foreach_basic_set(set, note_basic_set, user);
  isl_set_free(set);
  return isl_stat_ok;
}

isl_stat note_piece(isl_set* domain, isl_aff* value, void* user) {
  isl_aff_free(value);
  return note_set(domain, user);
}

isl_stat note_multi_piece(isl_set* domain, isl_multi_aff* value, void* user) {
  isl_multi_aff_free(value);
  return note_set(domain, user);
}

// What isl's function "foreach" finds in the object.
template <typename Object, typename Foreach, typename Note>
Disjuncts disjuncts_of(Object* object, Foreach foreach, Note note) {
  Disjuncts all;
  if (object)
    foreach (object, note, &all);
  return all;
}

}  // namespace

void IslOperands::add(const Tableau& largest, double count) {
  tableau.rows += largest.rows;
  tableau.columns += largest.columns;
  pairs *= std::max(1.0, count);
}

void IslOperands::add(isl_basic_map* map) {
  if (map) add(tableau_of(map), 1);
}

void IslOperands::add(isl_basic_set* set) {
  if (set) add(tableau_of(set), 1);
}

void IslOperands::add(isl_map* map) {
  const Disjuncts all = disjuncts_of(map, isl_map_foreach_basic_map, note_basic);
  add(all.largest, all.count);
}

void IslOperands::add(isl_set* set) {
  const Disjuncts all = disjuncts_of(set, isl_set_foreach_basic_set, note_basic_set);
  add(all.largest, all.count);
}

void IslOperands::add(isl_union_map* map) {
  const Disjuncts all = disjuncts_of(map, isl_union_map_foreach_map, note_map);
  add(all.largest, all.count);
}

void IslOperands::add(isl_union_set* set) {
  const Disjuncts all = disjuncts_of(set, isl_union_set_foreach_set, note_set);
  add(all.largest, all.count);
}

void IslOperands::add(isl_pw_aff* function) {
  const Disjuncts all = disjuncts_of(function, isl_pw_aff_foreach_piece, note_piece);
  add(all.largest, all.count);
}

void IslOperands::add(isl_pw_multi_aff* function) {
  const Disjuncts all = disjuncts_of(function, isl_pw_multi_aff_foreach_piece, note_multi_piece);
  add(all.largest, all.count);
}

void IslOperands::add(isl_aff* function) {
  if (function)
    add({1, size(isl_aff_dim(function, isl_dim_in)) + size(isl_aff_dim(function, isl_dim_div)) +
                size(isl_aff_dim(function, isl_dim_param))},
        1);
}

void IslOperands::add(isl_multi_aff* function) {
  if (!function) return;
  const double out = size(isl_multi_aff_dim(function, isl_dim_out));
  add({out, out + size(isl_multi_aff_dim(function, isl_dim_in)) +
                size(isl_multi_aff_dim(function, isl_dim_param))},
      1);
}

void IslOperands::add(isl_multi_pw_aff* function) {
  const int count = function ? int(size(isl_multi_pw_aff_dim(function, isl_dim_out))) : 0;
  for (int n = 0; n < count; ++n) {
    isl_pw_aff* one = isl_multi_pw_aff_get_at(function, n);
    add(one);
    isl_pw_aff_free(one);
  }
}

void IslOperands::add(isl_schedule* schedule) {
  if (!schedule) return;
  isl_union_set* domain = isl_schedule_get_domain(schedule);
  add(domain);
  isl_union_set_free(domain);
}

}  // namespace strata
