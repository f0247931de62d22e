// ONNX models as modules.
//
//   const Module module = load_onnx("model.onnx", {.dims = {{"batch", 1}}});
//   const VmValue y = run(module, "main", {x});
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "graph/ir/module.h"

namespace strata::graph {

struct OnnxOptions {
  // Named dims of the model that become constants.
  std::map<std::string, std::int64_t> dims = {};
  // Inputs that become constants instead of parameters.
  std::map<std::string, NDArray> values = {};
  // The name of the graph function.
  std::string function = "main";
};

// The model of a file. External files with initializers must be in its folder. The parameters of
// the function are the model's inputs without an initializer, in order. Its result is the output,
// or the tuple of the outputs. Named dims become symbols of these names; other unknown dims become
// symbols too.
//
// Errors: E0604 the file is not a model, or is damaged. One E0603 or E0602 for all nodes that
// cannot be imported: unknown operators, types and versions, or tensors that do not fit. E0106 an
// option that names nothing in the model.
Module load_onnx(const std::filesystem::path& file, const OnnxOptions& options = {},
                 const Where& where = Where::here());
// The same from the bytes of a file.
Module read_onnx(std::string_view bytes, const std::optional<std::filesystem::path>& folder,
                 const OnnxOptions& options = {}, const Where& where = Where::here());

}  // namespace strata::graph
