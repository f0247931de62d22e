#include "core/sets/operands.h"

#include <isl/constraint.h>

#include <algorithm>

namespace strata {

namespace {

double size(isl_size size) { return size < 0 ? 0 : size; }

struct Disjuncts {
  Tableau largest;
  double count = 0;
};

isl_stat note_basic(isl_basic_map* map, void* user) {
  auto& disjuncts = *static_cast<Disjuncts*>(user);
  disjuncts.count += 1;
  disjuncts.largest.rows = std::max(disjuncts.largest.rows, size(isl_basic_map_n_constraint(map)));
  disjuncts.largest.columns =
      std::max(disjuncts.largest.columns, size(isl_basic_map_dim(map, isl_dim_all)));
  isl_basic_map_free(map);
  return isl_stat_ok;
}

isl_stat note_basic_set(isl_basic_set* set, void* user) {
  auto& disjuncts = *static_cast<Disjuncts*>(user);
  disjuncts.count += 1;
  disjuncts.largest.rows = std::max(disjuncts.largest.rows, size(isl_basic_set_n_constraint(set)));
  disjuncts.largest.columns =
      std::max(disjuncts.largest.columns, size(isl_basic_set_dim(set, isl_dim_all)));
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

}  // namespace

void IslOperands::add(const Tableau& largest, double count) {
  tableau.rows += largest.rows;
  tableau.columns += largest.columns;
  pairs *= std::max(1.0, count);
}

void IslOperands::add(isl_basic_map* map) {
  if (!map) return;
  add({size(isl_basic_map_n_constraint(map)), size(isl_basic_map_dim(map, isl_dim_all))}, 1);
}

void IslOperands::add(isl_basic_set* set) {
  if (!set) return;
  add({size(isl_basic_set_n_constraint(set)), size(isl_basic_set_dim(set, isl_dim_all))}, 1);
}

void IslOperands::add(isl_map* map) {
  Disjuncts disjuncts;
  if (map) isl_map_foreach_basic_map(map, note_basic, &disjuncts);
  add(disjuncts.largest, disjuncts.count);
}

void IslOperands::add(isl_set* set) {
  Disjuncts disjuncts;
  if (set) isl_set_foreach_basic_set(set, note_basic_set, &disjuncts);
  add(disjuncts.largest, disjuncts.count);
}

void IslOperands::add(isl_union_map* map) {
  Disjuncts disjuncts;
  if (map) isl_union_map_foreach_map(map, note_map, &disjuncts);
  add(disjuncts.largest, disjuncts.count);
}

void IslOperands::add(isl_union_set* set) {
  Disjuncts disjuncts;
  if (set) isl_union_set_foreach_set(set, note_set, &disjuncts);
  add(disjuncts.largest, disjuncts.count);
}

void IslOperands::add(isl_pw_aff* function) {
  Disjuncts disjuncts;
  if (function) isl_pw_aff_foreach_piece(function, note_piece, &disjuncts);
  add(disjuncts.largest, disjuncts.count);
}

void IslOperands::add(isl_pw_multi_aff* function) {
  Disjuncts disjuncts;
  if (function) isl_pw_multi_aff_foreach_piece(function, note_multi_piece, &disjuncts);
  add(disjuncts.largest, disjuncts.count);
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
