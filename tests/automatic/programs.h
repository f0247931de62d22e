// Algorithms without schedules.
#pragma once

#include <strata/strata.h>

#include <string>
#include <vector>

namespace strata::test {

struct Unscheduled {
  Function f;
  std::vector<Buffer> arguments;
};

Unscheduled elementwise();
Unscheduled row_sums();
Unscheduled column_sums();
Unscheduled product_of_matrices();
Unscheduled product_with_bias();
Unscheduled product_of_transposed();
Unscheduled two_products();
Unscheduled convolution();
Unscheduled blur();
Unscheduled blur_of_borders();
Unscheduled softmax();
Unscheduled layer_norm();
Unscheduled attention();
// Attention whose last computation is a product.
Unscheduled attention_of_products();
// Two layers with a normalization between them: products that several computations read.
Unscheduled layers();
// A filter of each plane, and the largest of each 2 x 2 of its results.
Unscheduled windows();
// One row times a matrix that is stored in panels.
Unscheduled product_of_row();
Unscheduled heat();
Unscheduled histogram();
Unscheduled running_sum();
Unscheduled chain();
Unscheduled softmax_of_rows_kept();
Unscheduled product_of_copies();
Unscheduled softmax_of_batches();
Unscheduled product_and_mean();
Unscheduled filter_of_rows();
Unscheduled sweeps_in_place();
Unscheduled filters_in_steps();
Unscheduled factorization();
Unscheduled elimination();
Unscheduled shortest_paths();
Unscheduled recurrent_layer();
// The best of all ways to divide an interval in two, for all intervals.
Unscheduled best_divisions();
// The lower triangle of 2 (a b^T + b a^T).
Unscheduled symmetric_update();

struct Named {
  std::string name;
  Unscheduled (*make)();
  std::vector<std::vector<std::int64_t>> sizes;  // of the parameters, in order: odd ones
};
const std::vector<Named>& algorithms();

}  // namespace strata::test
