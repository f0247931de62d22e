// An ONNX file as data: the messages of onnx.proto, with the fields that the reader of models
// needs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::graph::onnx {

struct GraphProto;

// onnx.proto's numbers of element types.
enum class DataType {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
};

struct TensorProto {
  std::string name;
  std::vector<std::int64_t> dims;
  DataType type = DataType::undefined;
  // The elements are in one of these, or in an external file.
  std::string_view raw = {};
  std::vector<std::int64_t> integers = {};  // int32_data, int64_data, uint64_data
  std::vector<double> reals = {};           // float_data, double_data
  bool is_external = false;
  std::map<std::string, std::string> external = {};  // "location", "offset", "length"
};

struct AttributeProto {
  std::string name;
  std::string reference = {};  // in a function: the attribute of its call that gives this one
  int type = 0;
  std::int64_t integer = 0;
  double real = 0;
  std::string text = {};
  std::vector<std::int64_t> integers = {};
  std::vector<double> reals = {};
  std::vector<std::string> texts = {};
  std::shared_ptr<const TensorProto> tensor = {};
  std::shared_ptr<const GraphProto> graph = {};
};

struct NodeProto {
  std::string name, op, domain;
  std::vector<std::string> inputs = {}, outputs = {};
  std::vector<AttributeProto> attributes = {};

  const AttributeProto* find(const std::string& name) const;
};

// An extent: a number, or a name, or neither.
struct DimProto {
  std::optional<std::int64_t> value = {};
  std::string name = {};
};

struct ValueProto {
  std::string name;
  DataType type = DataType::undefined;
  bool is_tensor = false;                      // else a sequence, an optional, ..
  std::optional<std::vector<DimProto>> shape;  // nothing: of any rank
};

struct GraphProto {
  std::string name;
  std::vector<NodeProto> nodes = {};
  std::vector<TensorProto> initializers = {};
  std::vector<ValueProto> inputs = {}, outputs = {};
  bool has_sparse_initializers = false;
};

using Versions = std::map<std::string, std::int64_t>;  // of operator sets, by domain

struct FunctionProto {
  std::string name, domain;
  std::vector<std::string> inputs = {}, outputs = {};
  std::vector<AttributeProto> defaults = {};
  std::vector<NodeProto> nodes = {};
  Versions versions = {};
};

struct ModelProto {
  std::int64_t ir_version = 0;
  Versions versions = {};
  GraphProto graph = {};
  std::vector<FunctionProto> functions = {};
};

// "" for the domain of ONNX itself, which is also called "ai.onnx".
std::string domain_of(const std::string& name);

// Throws a WireError if the bytes are damaged, hold more than a million messages, or nest a hundred
// messages.
// Elements of tensors stay in the bytes, which live as long as the model.
ModelProto model_of(std::string_view bytes);
TensorProto tensor_proto_of(std::string_view bytes);

}  // namespace strata::graph::onnx
