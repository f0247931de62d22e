// Imports nodes one after another, in scopes of names.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/onnx/load.h"
#include "graph/onnx/node.h"

namespace strata::graph::onnx {

// The values of names; a graph inside of a node sees those outside.
struct NameScope {
  const NameScope* outer = nullptr;
  const Given* given = nullptr;        // of a function: the attributes of its call
  const Versions* versions = nullptr;  // of the operator sets
  std::map<std::string, Value> values = {};

  // Null if there is no such name. An undefined value could not be imported.
  const Value* find(const std::string& name) const;
};

class Importer {
 public:
  Importer(const ModelProto& model, Emitter& emitter,
           const std::optional<std::filesystem::path>& folder);

  void add_initializers(const GraphProto& graph, NameScope& scope);
  // Binds the values that the nodes compute. "results" are the names that are read after the last
  // node.
  void import_nodes(const std::vector<NodeProto>& nodes, const std::vector<std::string>& results,
                    NameScope& scope);
  // Throws if a node could not be imported: one error that has them all.
  void require_all(const Request& request) const;

 private:
  void import_node(const NodeProto& node, NameScope& scope);
  Values converted(const NodeProto& node, NameScope& scope);
  Values called(const FunctionProto& function, const NodeProto& node, const Values& inputs,
                NameScope& scope);
  Values imported_graph(const GraphProto& graph, const Values& inputs, NameScope& outer);
  Values results_of(const std::vector<std::string>& names, const NameScope& scope) const;
  const FunctionProto* find_function(const NodeProto& node) const;
  bool has_control(const NodeProto& node, int depth = 0);
  std::set<std::string> read_later(const std::vector<NodeProto>& nodes,
                                   const std::vector<std::string>& results);

  std::map<std::pair<std::string, std::string>, const FunctionProto*> functions_;
  Emitter& emitter_;
  std::optional<std::filesystem::path> folder_;
  std::vector<std::pair<std::string, Refusal>> failures_;
  std::map<const FunctionProto*, bool> has_control_;
  int nodes_ = 0, depth_ = 0;
};

}  // namespace strata::graph::onnx
