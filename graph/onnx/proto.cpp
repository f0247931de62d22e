#include "graph/onnx/proto.h"

#include <fmt/format.h>

#include <bit>

#include "graph/onnx/wire.h"

namespace strata::graph::onnx {

namespace {

constexpr int most_messages = 1000000, deepest_message = 100;

// Reads messages by the numbers that their fields have in onnx.proto. Skips fields with other
// numbers, as the format demands.
class ModelReader {
 public:
  ModelProto model(const WireField& field) {
    ModelProto model;
    read(field, [&](const WireField& f) {
      if (f.number == 1) model.ir_version = integer(f);
      if (f.number == 7) model.graph = graph(f);
      if (f.number == 8) add_version(f, model.versions);
      if (f.number == 25) model.functions.push_back(function(f));
    });
    return model;
  }

  TensorProto tensor(const WireField& field) {
    TensorProto tensor;
    read(field, [&](const WireField& f) {
      if (f.number == 1) append_integers(f, tensor.dims);
      if (f.number == 2) tensor.type = DataType(integer(f));
      if (f.number == 5 || f.number == 7 || f.number == 11) append_integers(f, tensor.integers);
      if (f.number == 4) append_floats(f, tensor.reals);
      if (f.number == 10) append_doubles(f, tensor.reals);
      if (f.number == 8) tensor.name = text(f);
      if (f.number == 9) tensor.raw = bytes(f);
      if (f.number == 13) add_entry(f, tensor.external);
      if (f.number == 14) tensor.is_external = integer(f) == 1;
    });
    return tensor;
  }

 private:
  // Calls f for each field of a message.
  template <typename F>
  void read(const WireField& message, const F& f) {
    if (++messages_ > most_messages)
      throw WireError(fmt::format("there are more than {} messages", most_messages), 0);
    if (depth_ == deepest_message)
      throw WireError(fmt::format("messages are more than {} deep", deepest_message), 0);
    ++depth_;
    WireReader reader(bytes(message));
    while (const auto field = reader.next()) f(*field);
    --depth_;
  }

  [[noreturn]] static void refuse(const WireField& f, const char* wanted) {
    throw WireError(fmt::format("field {} is no {}", f.number, wanted), 0);
  }
  static std::int64_t integer(const WireField& f) {
    if (f.wire != Wire::varint) refuse(f, "integer");
    return std::int64_t(f.integer);
  }
  static std::string_view bytes(const WireField& f) {
    if (f.wire != Wire::bytes) refuse(f, "message or text");
    return f.bytes;
  }
  static std::string text(const WireField& f) { return std::string(bytes(f)); }

  // A message of a key and a value, both texts.
  void add_entry(const WireField& field, std::map<std::string, std::string>& entries) {
    std::string key, value;
    read(field, [&](const WireField& f) {
      if (f.number == 1) key = text(f);
      if (f.number == 2) value = text(f);
    });
    entries[key] = value;
  }

  void add_version(const WireField& field, Versions& versions) {
    std::string domain;
    std::int64_t version = 0;
    read(field, [&](const WireField& f) {
      if (f.number == 1) domain = text(f);
      if (f.number == 2) version = integer(f);
    });
    versions[domain_of(domain)] = version;
  }

  AttributeProto attribute(const WireField& field) {
    AttributeProto a;
    read(field, [&](const WireField& f) {
      if (f.number == 1) a.name = text(f);
      if (f.number == 2) a.real = real(f);
      if (f.number == 3) a.integer = integer(f);
      if (f.number == 4) a.text = text(f);
      if (f.number == 5) a.tensor = std::make_shared<const TensorProto>(tensor(f));
      if (f.number == 6) a.graph = std::make_shared<const GraphProto>(graph(f));
      if (f.number == 7) append_floats(f, a.reals);
      if (f.number == 8) append_integers(f, a.integers);
      if (f.number == 9) a.texts.push_back(text(f));
      if (f.number == 20) a.type = int(integer(f));
      if (f.number == 21) a.reference = text(f);
    });
    return a;
  }
  static double real(const WireField& f) {
    if (f.wire != Wire::fixed32) refuse(f, "float");
    return double(std::bit_cast<float>(std::uint32_t(f.integer)));
  }

  NodeProto node(const WireField& field) {
    NodeProto node;
    read(field, [&](const WireField& f) {
      if (f.number == 1) node.inputs.push_back(text(f));
      if (f.number == 2) node.outputs.push_back(text(f));
      if (f.number == 3) node.name = text(f);
      if (f.number == 4) node.op = text(f);
      if (f.number == 5) node.attributes.push_back(attribute(f));
      if (f.number == 7) node.domain = domain_of(text(f));
    });
    return node;
  }

  DimProto dim(const WireField& field) {
    DimProto dim;
    read(field, [&](const WireField& f) {
      if (f.number == 1) dim.value = integer(f);
      if (f.number == 2) dim.name = text(f);
    });
    return dim;
  }

  void read_tensor_type(const WireField& field, ValueProto& value) {
    value.is_tensor = true;
    read(field, [&](const WireField& f) {
      if (f.number == 1) value.type = DataType(integer(f));
      if (f.number != 2) return;
      value.shape.emplace();
      read(f, [&](const WireField& d) {
        if (d.number == 1) value.shape->push_back(dim(d));
      });
    });
  }

  ValueProto value(const WireField& field) {
    ValueProto value;
    read(field, [&](const WireField& f) {
      if (f.number == 1) value.name = text(f);
      if (f.number == 2)
        read(f, [&](const WireField& type) {
          if (type.number == 1) read_tensor_type(type, value);
        });
    });
    return value;
  }

  GraphProto graph(const WireField& field) {
    GraphProto graph;
    read(field, [&](const WireField& f) {
      if (f.number == 1) graph.nodes.push_back(node(f));
      if (f.number == 2) graph.name = text(f);
      if (f.number == 5) graph.initializers.push_back(tensor(f));
      if (f.number == 11) graph.inputs.push_back(value(f));
      if (f.number == 12) graph.outputs.push_back(value(f));
      if (f.number == 15) graph.has_sparse_initializers = true;
    });
    return graph;
  }

  FunctionProto function(const WireField& field) {
    FunctionProto function;
    read(field, [&](const WireField& f) {
      if (f.number == 1) function.name = text(f);
      if (f.number == 4) function.inputs.push_back(text(f));
      if (f.number == 5) function.outputs.push_back(text(f));
      if (f.number == 7) function.nodes.push_back(node(f));
      if (f.number == 9) add_version(f, function.versions);
      if (f.number == 10) function.domain = domain_of(text(f));
      if (f.number == 11) function.defaults.push_back(attribute(f));
    });
    return function;
  }

  int messages_ = 0, depth_ = 0;
};

WireField whole(std::string_view bytes) {
  WireField field;
  field.wire = Wire::bytes;
  field.bytes = bytes;
  return field;
}

}  // namespace

const AttributeProto* NodeProto::find(const std::string& wanted) const {
  for (const AttributeProto& attribute : attributes)
    if (attribute.name == wanted) return &attribute;
  return nullptr;
}

std::string domain_of(const std::string& name) { return name == "ai.onnx" ? "" : name; }

ModelProto model_of(std::string_view bytes) { return ModelReader().model(whole(bytes)); }

TensorProto tensor_proto_of(std::string_view bytes) { return ModelReader().tensor(whole(bytes)); }

}  // namespace strata::graph::onnx
