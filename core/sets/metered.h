// isl, with its functions that take time metered. Include this in place of isl's own C++ headers;
// their methods call the functions below.
#pragma once

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/flow.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include "core/sets/operands.h"

namespace strata {

// Around each call: the meter of the thread, if there is one, charges what isl does in between.
void begin_metered(const IslOperands& operands);
void end_metered();

// One of isl's functions.
template <auto function>
struct Metered;

template <typename Result, typename... Parameters, Result (*function)(Parameters...)>
struct Metered<function> {
  static Result call(Parameters... arguments) {
    IslOperands operands;
    (operands.add(arguments), ...);
    begin_metered(operands);
    const Result result = function(arguments...);
    end_metered();
    return result;
  }
};

}  // namespace strata

// All that Strata calls whose time grows with more than the size of one operand.
#define STRATA_METERED(function) ::strata::Metered<::function>::call
#define isl_ast_build_expr_from_pw_aff STRATA_METERED(isl_ast_build_expr_from_pw_aff)
#define isl_ast_build_expr_from_set STRATA_METERED(isl_ast_build_expr_from_set)
#define isl_ast_build_from_context STRATA_METERED(isl_ast_build_from_context)
#define isl_ast_build_node_from_schedule STRATA_METERED(isl_ast_build_node_from_schedule)
#define isl_basic_map_is_empty STRATA_METERED(isl_basic_map_is_empty)
#define isl_basic_set_remove_unknown_divs STRATA_METERED(isl_basic_set_remove_unknown_divs)
#define isl_map_add_constraint STRATA_METERED(isl_map_add_constraint)
#define isl_map_affine_hull STRATA_METERED(isl_map_affine_hull)
#define isl_map_align_params STRATA_METERED(isl_map_align_params)
#define isl_map_apply_range STRATA_METERED(isl_map_apply_range)
#define isl_map_as_pw_multi_aff STRATA_METERED(isl_map_as_pw_multi_aff)
#define isl_map_coalesce STRATA_METERED(isl_map_coalesce)
#define isl_map_compute_divs STRATA_METERED(isl_map_compute_divs)
#define isl_map_deltas STRATA_METERED(isl_map_deltas)
#define isl_map_domain STRATA_METERED(isl_map_domain)
#define isl_map_eliminate STRATA_METERED(isl_map_eliminate)
#define isl_map_equate STRATA_METERED(isl_map_equate)
#define isl_map_fix_si STRATA_METERED(isl_map_fix_si)
#define isl_map_flat_product STRATA_METERED(isl_map_flat_product)
#define isl_map_flat_range_product STRATA_METERED(isl_map_flat_range_product)
#define isl_map_from_domain_and_range STRATA_METERED(isl_map_from_domain_and_range)
#define isl_map_get_range_simple_fixed_box_hull \
  STRATA_METERED(isl_map_get_range_simple_fixed_box_hull)
#define isl_map_gist_domain STRATA_METERED(isl_map_gist_domain)
#define isl_map_intersect STRATA_METERED(isl_map_intersect)
#define isl_map_intersect_domain STRATA_METERED(isl_map_intersect_domain)
#define isl_map_intersect_params STRATA_METERED(isl_map_intersect_params)
#define isl_map_intersect_range STRATA_METERED(isl_map_intersect_range)
#define isl_map_is_disjoint STRATA_METERED(isl_map_is_disjoint)
#define isl_map_is_empty STRATA_METERED(isl_map_is_empty)
#define isl_map_is_equal STRATA_METERED(isl_map_is_equal)
#define isl_map_is_injective STRATA_METERED(isl_map_is_injective)
#define isl_map_is_single_valued STRATA_METERED(isl_map_is_single_valued)
#define isl_map_is_subset STRATA_METERED(isl_map_is_subset)
#define isl_map_lexmax STRATA_METERED(isl_map_lexmax)
#define isl_map_lexmax_pw_multi_aff STRATA_METERED(isl_map_lexmax_pw_multi_aff)
#define isl_map_lexmin STRATA_METERED(isl_map_lexmin)
#define isl_map_lexmin_pw_multi_aff STRATA_METERED(isl_map_lexmin_pw_multi_aff)
#define isl_map_preimage_domain_multi_aff STRATA_METERED(isl_map_preimage_domain_multi_aff)
#define isl_map_project_out STRATA_METERED(isl_map_project_out)
#define isl_map_range STRATA_METERED(isl_map_range)
#define isl_map_range_product STRATA_METERED(isl_map_range_product)
#define isl_map_remove_divs STRATA_METERED(isl_map_remove_divs)
#define isl_map_remove_redundancies STRATA_METERED(isl_map_remove_redundancies)
#define isl_map_simple_hull STRATA_METERED(isl_map_simple_hull)
#define isl_map_subtract STRATA_METERED(isl_map_subtract)
#define isl_map_subtract_domain STRATA_METERED(isl_map_subtract_domain)
#define isl_map_subtract_range STRATA_METERED(isl_map_subtract_range)
#define isl_map_sum STRATA_METERED(isl_map_sum)
#define isl_map_transitive_closure STRATA_METERED(isl_map_transitive_closure)
#define isl_map_union STRATA_METERED(isl_map_union)
#define isl_multi_pw_aff_as_map STRATA_METERED(isl_multi_pw_aff_as_map)
#define isl_pw_aff_add STRATA_METERED(isl_pw_aff_add)
#define isl_pw_aff_alloc STRATA_METERED(isl_pw_aff_alloc)
#define isl_pw_aff_as_map STRATA_METERED(isl_pw_aff_as_map)
#define isl_pw_aff_coalesce STRATA_METERED(isl_pw_aff_coalesce)
#define isl_pw_aff_domain STRATA_METERED(isl_pw_aff_domain)
#define isl_pw_aff_eq_set STRATA_METERED(isl_pw_aff_eq_set)
#define isl_pw_aff_floor STRATA_METERED(isl_pw_aff_floor)
#define isl_pw_aff_ge_map STRATA_METERED(isl_pw_aff_ge_map)
#define isl_pw_aff_ge_set STRATA_METERED(isl_pw_aff_ge_set)
#define isl_pw_aff_gist STRATA_METERED(isl_pw_aff_gist)
#define isl_pw_aff_gt_set STRATA_METERED(isl_pw_aff_gt_set)
#define isl_pw_aff_intersect_domain STRATA_METERED(isl_pw_aff_intersect_domain)
#define isl_pw_aff_intersect_params STRATA_METERED(isl_pw_aff_intersect_params)
#define isl_pw_aff_le_set STRATA_METERED(isl_pw_aff_le_set)
#define isl_pw_aff_lt_set STRATA_METERED(isl_pw_aff_lt_set)
#define isl_pw_aff_max STRATA_METERED(isl_pw_aff_max)
#define isl_pw_aff_max_val STRATA_METERED(isl_pw_aff_max_val)
#define isl_pw_aff_min STRATA_METERED(isl_pw_aff_min)
#define isl_pw_aff_min_val STRATA_METERED(isl_pw_aff_min_val)
#define isl_pw_aff_mul STRATA_METERED(isl_pw_aff_mul)
#define isl_pw_aff_ne_set STRATA_METERED(isl_pw_aff_ne_set)
#define isl_pw_aff_pullback_pw_multi_aff STRATA_METERED(isl_pw_aff_pullback_pw_multi_aff)
#define isl_pw_aff_sub STRATA_METERED(isl_pw_aff_sub)
#define isl_pw_aff_subtract_domain STRATA_METERED(isl_pw_aff_subtract_domain)
#define isl_pw_aff_union_add STRATA_METERED(isl_pw_aff_union_add)
#define isl_pw_multi_aff_as_map STRATA_METERED(isl_pw_multi_aff_as_map)
#define isl_pw_multi_aff_gist STRATA_METERED(isl_pw_multi_aff_gist)
#define isl_pw_multi_aff_pullback_multi_aff STRATA_METERED(isl_pw_multi_aff_pullback_multi_aff)
#define isl_set_affine_hull STRATA_METERED(isl_set_affine_hull)
#define isl_set_align_params STRATA_METERED(isl_set_align_params)
#define isl_set_apply STRATA_METERED(isl_set_apply)
#define isl_set_coalesce STRATA_METERED(isl_set_coalesce)
#define isl_set_compute_divs STRATA_METERED(isl_set_compute_divs)
#define isl_set_detect_equalities STRATA_METERED(isl_set_detect_equalities)
#define isl_set_dim_has_any_lower_bound STRATA_METERED(isl_set_dim_has_any_lower_bound)
#define isl_set_dim_has_any_upper_bound STRATA_METERED(isl_set_dim_has_any_upper_bound)
#define isl_set_dim_is_bounded STRATA_METERED(isl_set_dim_is_bounded)
#define isl_set_dim_max STRATA_METERED(isl_set_dim_max)
#define isl_set_dim_max_val STRATA_METERED(isl_set_dim_max_val)
#define isl_set_dim_min STRATA_METERED(isl_set_dim_min)
#define isl_set_dim_min_val STRATA_METERED(isl_set_dim_min_val)
#define isl_set_drop_unused_params STRATA_METERED(isl_set_drop_unused_params)
#define isl_set_eliminate STRATA_METERED(isl_set_eliminate)
#define isl_set_fix_si STRATA_METERED(isl_set_fix_si)
#define isl_set_fix_val STRATA_METERED(isl_set_fix_val)
#define isl_set_foreach_point STRATA_METERED(isl_set_foreach_point)
#define isl_set_from_pw_aff STRATA_METERED(isl_set_from_pw_aff)
#define isl_set_from_pw_multi_aff STRATA_METERED(isl_set_from_pw_multi_aff)
#define isl_set_get_simple_fixed_box_hull STRATA_METERED(isl_set_get_simple_fixed_box_hull)
#define isl_set_gist STRATA_METERED(isl_set_gist)
#define isl_set_intersect STRATA_METERED(isl_set_intersect)
#define isl_set_intersect_params STRATA_METERED(isl_set_intersect_params)
#define isl_set_is_bounded STRATA_METERED(isl_set_is_bounded)
#define isl_set_is_disjoint STRATA_METERED(isl_set_is_disjoint)
#define isl_set_is_empty STRATA_METERED(isl_set_is_empty)
#define isl_set_is_equal STRATA_METERED(isl_set_is_equal)
#define isl_set_is_subset STRATA_METERED(isl_set_is_subset)
#define isl_set_lower_bound_si STRATA_METERED(isl_set_lower_bound_si)
#define isl_set_lower_bound_val STRATA_METERED(isl_set_lower_bound_val)
#define isl_set_max_val STRATA_METERED(isl_set_max_val)
#define isl_set_params STRATA_METERED(isl_set_params)
#define isl_set_plain_get_val_if_fixed STRATA_METERED(isl_set_plain_get_val_if_fixed)
#define isl_set_preimage_multi_aff STRATA_METERED(isl_set_preimage_multi_aff)
#define isl_set_preimage_pw_multi_aff STRATA_METERED(isl_set_preimage_pw_multi_aff)
#define isl_set_project_out STRATA_METERED(isl_set_project_out)
#define isl_set_project_out_all_params STRATA_METERED(isl_set_project_out_all_params)
#define isl_set_project_out_param_id STRATA_METERED(isl_set_project_out_param_id)
#define isl_set_remove_divs STRATA_METERED(isl_set_remove_divs)
#define isl_set_remove_redundancies STRATA_METERED(isl_set_remove_redundancies)
#define isl_set_remove_unknown_divs STRATA_METERED(isl_set_remove_unknown_divs)
#define isl_set_sample STRATA_METERED(isl_set_sample)
#define isl_set_sample_point STRATA_METERED(isl_set_sample_point)
#define isl_set_simple_hull STRATA_METERED(isl_set_simple_hull)
#define isl_set_subtract STRATA_METERED(isl_set_subtract)
#define isl_set_union STRATA_METERED(isl_set_union)
#define isl_set_upper_bound_si STRATA_METERED(isl_set_upper_bound_si)
#define isl_set_upper_bound_val STRATA_METERED(isl_set_upper_bound_val)
#define isl_union_access_info_compute_flow STRATA_METERED(isl_union_access_info_compute_flow)
#define isl_union_map_apply_domain STRATA_METERED(isl_union_map_apply_domain)
#define isl_union_map_apply_range STRATA_METERED(isl_union_map_apply_range)
#define isl_union_map_domain STRATA_METERED(isl_union_map_domain)
#define isl_union_map_intersect_range_union_set \
  STRATA_METERED(isl_union_map_intersect_range_union_set)
#define isl_union_map_is_empty STRATA_METERED(isl_union_map_is_empty)
#define isl_union_map_is_equal STRATA_METERED(isl_union_map_is_equal)
#define isl_union_map_is_injective STRATA_METERED(isl_union_map_is_injective)
#define isl_union_map_is_subset STRATA_METERED(isl_union_map_is_subset)
#define isl_union_map_remove_redundancies STRATA_METERED(isl_union_map_remove_redundancies)
#define isl_union_map_subtract STRATA_METERED(isl_union_map_subtract)
#define isl_union_map_subtract_range STRATA_METERED(isl_union_map_subtract_range)
#define isl_union_map_union STRATA_METERED(isl_union_map_union)
#define isl_union_set_apply STRATA_METERED(isl_union_set_apply)
#define isl_union_set_union STRATA_METERED(isl_union_set_union)

#include <isl/typed_cpp.h>
