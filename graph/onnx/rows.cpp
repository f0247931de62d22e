#include "graph/onnx/rows.h"

#include <map>

namespace strata::graph::onnx {

namespace {

const std::map<std::string_view, const Row*>& rows() {
  static const auto all = [] {
    std::map<std::string_view, const Row*> rows;
    for (const auto table :
         {elementwise_rows(), shape_rows(), indexing_rows(), reduction_rows(), normalization_rows(),
          product_rows(), window_rows(), attention_rows(), loss_rows(), recurrent_rows(),
          control_rows(), quantized_rows(), resize_rows(), scatter_rows(), sampling_rows()})
      for (const Row& row : table) rows[row.op] = &row;
    return rows;
  }();
  return all;
}

}  // namespace

const Row* find_row(std::string_view op) {
  const auto found = rows().find(op);
  return found == rows().end() ? nullptr : found->second;
}

std::vector<std::string> row_names() {
  std::vector<std::string> names;
  for (const auto& [name, row] : rows()) names.emplace_back(name);
  return names;
}

}  // namespace strata::graph::onnx
