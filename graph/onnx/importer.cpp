#include "graph/onnx/importer.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/onnx/array_of.h"

namespace strata::graph::onnx {

namespace {

constexpr int most_nodes = 200000, deepest_graph = 60;
constexpr std::size_t most_listed = 1000;

// Thrown after a failure is noted: a node inside could not be imported.
struct Incomplete {};

std::string described(const NodeProto& node) {
  const std::string domain = node.domain.empty() ? "" : node.domain + ".";
  const std::string name = !node.name.empty() || node.outputs.empty() ? node.name : node.outputs[0];
  return fmt::format("{}{} \"{}\"", domain, node.op, name);
}

// The names that the nodes read, also in graphs inside of them.
void add_read(const NodeProto& node, std::set<std::string>& names) {
  names.insert(node.inputs.begin(), node.inputs.end());
  for (const AttributeProto& attribute : node.attributes)
    if (attribute.graph) {
      for (const NodeProto& inner : attribute.graph->nodes) add_read(inner, names);
      for (const ValueProto& output : attribute.graph->outputs) names.insert(output.name);
    }
}

}  // namespace

const Value* NameScope::find(const std::string& name) const {
  for (const NameScope* scope = this; scope; scope = scope->outer)
    if (const auto found = scope->values.find(name); found != scope->values.end())
      return &found->second;
  return nullptr;
}

Importer::Importer(const ModelProto& model, Emitter& emitter,
                   const std::optional<std::filesystem::path>& folder)
    : emitter_(emitter), folder_(folder) {
  for (const FunctionProto& function : model.functions)
    functions_.emplace(std::pair(function.domain, function.name), &function);
}

void Importer::add_initializers(const GraphProto& graph, NameScope& scope) {
  for (const TensorProto& tensor : graph.initializers) try {
      scope.values[tensor.name] = emitter_.constant(array_of(tensor, folder_));
    } catch (const std::exception& error) {
      scope.values[tensor.name] = Value();
      failures_.push_back(
          {"initializer", Refusal{Code::E0604_unreadable_program, "", error.what(), {}, "", {}}});
    }
}

const FunctionProto* Importer::find_function(const NodeProto& node) const {
  const auto found = functions_.find(std::pair(node.domain, node.op));
  return found == functions_.end() ? nullptr : found->second;
}

// Does the node have graphs inside, or is it a function with such a node? Functions that are nested
// too deep are refused when they are called.
bool Importer::has_control(const NodeProto& node, int depth) {
  for (const AttributeProto& attribute : node.attributes)
    if (attribute.graph) return true;
  const FunctionProto* function = find_function(node);
  if (!function || depth > deepest_graph) return false;
  const auto [found, is_new] = has_control_.emplace(function, false);
  if (is_new)
    found->second =
        std::any_of(function->nodes.begin(), function->nodes.end(),
                    [&](const NodeProto& inner) { return has_control(inner, depth + 1); });
  return found->second;
}

// The names that are bound in one dataflow block and read after it. A node with graphs inside ends
// a block.
std::set<std::string> Importer::read_later(const std::vector<NodeProto>& nodes,
                                           const std::vector<std::string>& results) {
  std::set<std::string> later(results.begin(), results.end());
  std::map<std::string, int> bound;
  int block = 0;
  for (const NodeProto& node : nodes) {
    const bool is_control = has_control(node);
    block += is_control ? 1 : 0;
    std::set<std::string> read;
    add_read(node, read);
    for (const std::string& name : read)
      if (const auto found = bound.find(name); found != bound.end() && found->second != block)
        later.insert(name);
    for (const std::string& name : node.outputs) bound[name] = block;
    block += is_control ? 1 : 0;
  }
  return later;
}

void Importer::import_nodes(const std::vector<NodeProto>& nodes,
                            const std::vector<std::string>& results, NameScope& scope) {
  const bool is_inside = emitter_.in_block();
  const std::set<std::string> later =
      is_inside ? std::set<std::string>() : read_later(nodes, results);
  for (const NodeProto& node : nodes) {
    const bool is_control = has_control(node);
    if (is_control && emitter_.in_block()) emitter_.end_block();
    if (!is_control && !emitter_.in_block()) emitter_.begin_block();
    import_node(node, scope);
    for (const std::string& name : node.outputs) {
      Value& value = scope.values[name];
      if (value.defined() && later.contains(name) && !is_control)
        value = emitter_.seen_outside(value);
    }
  }
  if (!is_inside && emitter_.in_block()) emitter_.end_block();
}

void Importer::import_node(const NodeProto& node, NameScope& scope) {
  for (const std::string& name : node.outputs) scope.values[name] = Value();
  if (++nodes_ > most_nodes)
    throw Request{"load_onnx", emitter_.where()}.refused(
        Code::E0901_out_of_budget, fmt::format("there are more than {} nodes", most_nodes));
  try {
    const Values values = converted(node, scope);
    for (std::size_t k = 0; k < values.size() && k < node.outputs.size(); ++k)
      scope.values[node.outputs[k]] = values[k];
  } catch (const Incomplete&) {
  } catch (const Error& error) {
    if (error.code() == Code::E0901_out_of_budget) throw;
    failures_.emplace_back(described(node), error.refusal());
  } catch (const std::exception& error) {
    failures_.emplace_back(
        described(node), Refusal{Code::E0602_does_not_fit, "", error.what(), std::nullopt, "", {}});
  }
}

Values Importer::converted(const NodeProto& node, NameScope& scope) {
  const Request request{node.op, emitter_.where()};
  Values inputs;
  for (const std::string& name : node.inputs) {
    const Value* value = name.empty() ? nullptr : scope.find(name);
    if (!name.empty() && !value)
      throw request.refused(Code::E0602_does_not_fit,
                            fmt::format("nothing is called \"{}\"", name));
    if (value && !value->defined()) throw Incomplete();
    inputs.push_back(value ? *value : Value());
  }
  if (const FunctionProto* function = find_function(node))
    return called(*function, node, inputs, scope);
  const auto version = scope.versions->find(node.domain);
  const Row* row = node.domain.empty() ? find_row(node.op) : nullptr;
  if (!row) throw request.refused(Code::E0603_unknown_operator, "there is no such operator");
  if (version == scope.versions->end() || version->second < row->since ||
      version->second > newest_version)
    throw request.refused(Code::E0603_unknown_operator,
                          fmt::format("version {} of the operator set is not from {} to {}",
                                      version == scope.versions->end() ? 0 : version->second,
                                      row->since, newest_version));
  const ImportGraph import_graph = [&](const GraphProto& graph, const Values& given) {
    return imported_graph(graph, given, scope);
  };
  Node n({node, version->second, inputs, scope.given, import_graph}, emitter_);
  return row->convert(n);
}

// Imports the function's nodes in place of the call.
Values Importer::called(const FunctionProto& function, const NodeProto& node, const Values& inputs,
                        NameScope& scope) {
  if (++depth_ > deepest_graph)
    throw Request{node.op, emitter_.where()}.refused(
        Code::E0901_out_of_budget,
        fmt::format("functions and graphs are more than {} deep", deepest_graph));
  Given given;
  for (const AttributeProto& attribute : function.defaults) given[attribute.name] = &attribute;
  for (const AttributeProto& attribute : node.attributes) {
    const AttributeProto* there = &attribute;
    if (!attribute.reference.empty()) {
      const auto outer =
          scope.given ? scope.given->find(attribute.reference) : Given::const_iterator();
      if (!scope.given || outer == scope.given->end()) continue;
      there = outer->second;
    }
    given[attribute.name] = there;
  }
  NameScope inside{nullptr, &given, &function.versions};
  for (std::size_t k = 0; k < function.inputs.size() && k < inputs.size(); ++k)
    if (inputs[k].defined()) inside.values[function.inputs[k]] = inputs[k];
  import_nodes(function.nodes, function.outputs, inside);
  --depth_;
  return results_of(function.outputs, inside);
}

Values Importer::imported_graph(const GraphProto& graph, const Values& inputs, NameScope& outer) {
  if (++depth_ > deepest_graph)
    throw Request{"load_onnx", emitter_.where()}.refused(
        Code::E0901_out_of_budget,
        fmt::format("functions and graphs are more than {} deep", deepest_graph));
  NameScope inside{&outer, outer.given, outer.versions};
  for (std::size_t k = 0; k < graph.inputs.size() && k < inputs.size(); ++k)
    inside.values[graph.inputs[k].name] = inputs[k];
  add_initializers(graph, inside);
  std::vector<std::string> results;
  for (const ValueProto& output : graph.outputs) results.push_back(output.name);
  import_nodes(graph.nodes, results, inside);
  --depth_;
  return results_of(results, inside);
}

Values Importer::results_of(const std::vector<std::string>& names, const NameScope& scope) const {
  Values values;
  for (const std::string& name : names) {
    const Value* value = scope.find(name);
    if (value && !value->defined()) throw Incomplete();
    if (!value && !name.empty())
      throw Request{"load_onnx", emitter_.where()}.refused(
          Code::E0602_does_not_fit, fmt::format("nothing is called \"{}\"", name));
    values.push_back(value ? *value : Value());
  }
  return values;
}

void Importer::require_all(const Request& request) const {
  if (failures_.empty()) return;
  std::string explanation =
      failures_.size() == 1 ? "this cannot be imported:" : "these cannot be imported:";
  for (std::size_t k = 0; k < failures_.size() && k < most_listed; ++k)
    explanation += fmt::format("\n    {}: {}", failures_[k].first, failures_[k].second.explanation);
  if (failures_.size() > most_listed)
    explanation += fmt::format("\n    and {} more", failures_.size() - most_listed);
  throw request.refused(failures_[0].second.code, explanation, failures_[0].second.mend);
}

}  // namespace strata::graph::onnx
