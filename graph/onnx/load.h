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
  // Dims by their names in the model that become constants.
  std::map<std::string, std::int64_t> dims = {};
  // Inputs that become constants, and are no parameters.
  std::map<std::string, NDArray> values = {};
  // What the graph function is called.
  std::string function = "main";
};

// The model of a file; initializers in files beside are found in its folder. The parameters of the
// function are the model's inputs without an initializer, in order; its result is the output, or
// the tuple of the outputs. Named dims are symbols of these names; others are symbols, too.
//
// Errors: E0604 the file is no model, or is damaged. E0603 and E0602, one for all nodes that cannot
// be imported: unknown operators, types, versions, and what does not fit. E0106 an option that the
// model has no use for.
Module load_onnx(const std::filesystem::path& file, const OnnxOptions& options = {},
                 const Where& where = Where::here());
// The same from the bytes of a file.
Module read_onnx(std::string_view bytes, const std::optional<std::filesystem::path>& folder,
                 const OnnxOptions& options = {}, const Where& where = Where::here());

}  // namespace strata::graph
