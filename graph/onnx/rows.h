// The tables of rows, by subject.
#pragma once

#include <span>

#include "graph/onnx/node.h"

namespace strata::graph::onnx {

std::span<const Row> elementwise_rows();
std::span<const Row> shape_rows();
std::span<const Row> indexing_rows();
std::span<const Row> reduction_rows();
std::span<const Row> normalization_rows();
std::span<const Row> product_rows();
std::span<const Row> window_rows();
std::span<const Row> attention_rows();
std::span<const Row> loss_rows();
std::span<const Row> recurrent_rows();
std::span<const Row> control_rows();
std::span<const Row> quantized_rows();
std::span<const Row> resize_rows();
std::span<const Row> scatter_rows();
std::span<const Row> sampling_rows();

}  // namespace strata::graph::onnx
