// Arrays from the tensors of a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/type.h"
#include "graph/onnx/proto.h"
#include "graph/vm/ndarray.h"

namespace strata::graph::onnx {

// Nothing for types that no Expr has, such as strings and complex numbers.
std::optional<Type> element_of(DataType type);
// "float32", or "type 17 of onnx.proto".
std::string name_of(DataType type);

// What a tensor of a file has, a copy. std::runtime_error says what is wrong: a type without
// Exprs, another number of elements than its dims, a file beside that cannot be read. A file beside
// is one in the folder, or in folders inside of it; without a folder there is none.
NDArray array_of(const TensorProto& tensor, const std::optional<std::filesystem::path>& folder);

}  // namespace strata::graph::onnx
