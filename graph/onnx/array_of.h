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

// The elements of a tensor of a file, as a copy. Throws std::runtime_error with what is wrong: a
// type that no Expr has, a number of elements that does not fit the dims, an external file that
// cannot be read. External files must be in the folder, or in folders inside of it; without a
// folder there are none.
NDArray array_of(const TensorProto& tensor, const std::optional<std::filesystem::path>& folder);

}  // namespace strata::graph::onnx
