// A node of a model, as the rows of operators see it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/onnx/emitter.h"
#include "graph/onnx/proto.h"
#include "graph/ops/ops.h"

namespace strata::graph::onnx {

// The attributes that a function was called with.
using Given = std::map<std::string, const AttributeProto*>;

// Imports the nodes of a graph inside a node, with values for the graph's inputs. Returns its
// outputs.
using ImportGraph = std::function<Values(const GraphProto&, const Values& inputs)>;

class Node {
 public:
  struct Context {
    const NodeProto& proto;
    std::int64_t version;  // of the operator set of its domain
    Values inputs;         // undefined: left out
    const Given* given;    // null outside of functions
    ImportGraph import_graph;
  };
  Node(Context context, Emitter& emitter) : context_(std::move(context)), emitter_(emitter) {}

  // The same node with other operands, in another function.
  Node inside(Emitter& emitter, const Values& inputs) const {
    return {{context_.proto, context_.version, inputs, context_.given, {}}, emitter};
  }

  Emitter& emitter() { return emitter_; }
  std::int64_t version() const { return context_.version; }
  const std::string& name() const { return context_.proto.op; }

  // ---- inputs and outputs ----
  int count() const { return int(context_.inputs.size()); }
  bool has(int k) const { return k < count() && context_.inputs[k].defined(); }
  const Values& inputs() const { return context_.inputs; }
  Value in(int k) const;  // E0602 if it is left out
  bool wants(int output) const;
  int outputs() const { return int(context_.proto.outputs.size()); }

  Type type(const Value& v) const;
  int rank(const Value& v) const;
  const Shape& dims(const Value& v) const;
  // An axis counted from 0.
  std::int64_t axis(std::int64_t given, int rank) const;
  // The same, but "rank" itself is allowed, for the end.
  int border(std::int64_t given, int rank) const {
    return given == rank ? rank : int(axis(given, rank));
  }

  // The numbers of an operand, which must be known. Messages name the operand by its number.
  Shape sizes(int k) const;       // dims
  Integers numbers(int k) const;  // constants
  double number(int k) const;
  std::vector<double> reals(int k) const;
  bool is_known(int k) const { return emitter_.find_known(in(k)) != nullptr; }

  // ---- attributes ----
  bool has(const std::string& attribute) const { return find(attribute) != nullptr; }
  std::int64_t integer(const std::string& name, std::int64_t absent) const;
  std::int64_t integer(const std::string& name) const;  // E0602 if it is absent
  bool flag(const std::string& name, bool absent) const { return integer(name, absent) != 0; }
  double real(const std::string& name, double absent) const;
  std::string text(const std::string& name, const std::string& absent) const;
  Integers integers(const std::string& name, const Integers& absent = {}) const;
  std::vector<double> reals(const std::string& name, const std::vector<double>& absent = {}) const;
  std::vector<std::string> texts(const std::string& name) const;
  const AttributeProto* find(const std::string& name) const;
  const GraphProto& graph(const std::string& name) const;
  Values import_graph(const GraphProto& graph, const Values& inputs) const {
    return context_.import_graph(graph, inputs);
  }

  // Numbers that are an attribute up to some version, and an operand since: axes, pads, a split.
  // Nothing if there is neither.
  std::optional<Integers> numbers(const std::string& attribute, int operand) const;

  // ---- results ----
  Value operator()(const std::string& op, const Values& arguments,
                   const Attributes& attributes = {}) {
    return emitter_.emit(op, arguments, attributes);
  }
  template <AttributeStruct Struct>
  Value operator()(const std::string& op, const Values& arguments, const Struct& attributes) {
    return emitter_.emit(op, arguments, attributes_of(attributes));
  }
  template <AttributeStruct Struct>
  Values all(const std::string& op, const Values& arguments, const Struct& attributes) {
    return emitter_.emit_all(op, arguments, attributes_of(attributes));
  }
  Value scalar(Type type, double value);
  Value cast(const Value& v, Type type);
  // Sums of 16-bit floats are computed in 32 bits.
  Value matmul(const Value& a, const Value& b, const MatmulAttributes& attributes = {});
  Value reshape(const Value& v, const Shape& shape);
  Value transpose(const Value& v, const Integers& axes);

  // An E0603: this reader of models does not support it.
  Error unsupported(const std::string& what) const;
  // An E0602: no node of this kind may have it.
  Error refused(const std::string& what, const std::string& mend = "") const;

 private:
  Context context_;
  Emitter& emitter_;
};

// How to import nodes of one kind, from some version of the operator set on.
struct Row {
  std::string_view op;
  Values (*convert)(Node& n);
  std::int64_t since = 1;
};
// Null if there is no row of this name.
const Row* find_row(std::string_view op);
std::vector<std::string> row_names();

// The newest version of ONNX's operator set that the rows follow.
constexpr std::int64_t newest_version = 28;

}  // namespace strata::graph::onnx
