#include "graph/fuse/block_graph.h"

#include "graph/ir/table.h"

namespace strata::graph {

namespace {

class BlockNodes {
 public:
  BlockNodes(const GraphFunction& function, const Block& block) : function_(function) {
    for (const Binding& b : block.bindings) {
      numbers_.set(b.value.node().get(), int(nodes_.size()));
      nodes_.push_back({b.value.name(), FusionKind::opaque, !b.value.node()->variable().is_local});
      bindings_.push_back(&b);
    }
    for (std::size_t n = 0; n < block.bindings.size(); ++n) add_edges(int(n), block.bindings[n]);
    add_roots(block);
  }

  BlockGraph graph() && {
    BlockGraph made{fusion_graph(nodes_, roots_)};
    for (const FusionNode& node : made.graph)
      made.bindings.push_back(bindings_[std::size_t(node.given)]);
    return made;
  }

 private:
  void add_edges(int n, const Binding& b) {
    for (const Value& extents : extents_in(b.value.type())) {
      nodes_[std::size_t(leaf(extents))].is_external = true;
      add_edge(n, extents, FusionKind::opaque);
    }
    if (const auto* call = b.as<OperatorCall>()) {
      const CallKind kind = call_kind(*call, b.where);
      describe(n, call->callee, kind.kind);
      for (std::size_t k = 0; k < call->arguments.size(); ++k)
        add_edge(n, call->arguments[k], kind.edges[k]);
    } else if (const auto* field = b.as<FieldOf>()) {
      describe(n, b.value.name(), FusionKind::injective);
      add_edge(n, field->of, FusionKind::injective);
    } else if (const auto* alias = b.as<Alias>(); alias && alias->of.node()->as<TupleOf>()) {
      describe(n, b.value.name(), FusionKind::tuple);
      for (const Value& part : alias->of.node()->as<TupleOf>()->fields)
        add_edge(n, part, FusionKind::injective);
    } else {
      for_each_operand(*b.definition, [&](const Value& operand) {
        for_each_variable(operand, [&](const Value& v) {
          nodes_[std::size_t(leaf(v))].is_external = true;
          add_edge(n, v, FusionKind::opaque);
        });
      });
    }
  }

  void describe(int n, const std::string& name, FusionKind kind) {
    nodes_[std::size_t(n)].name = name;
    nodes_[std::size_t(n)].kind = kind;
  }

  void add_edge(int n, const Value& operand, FusionKind kind) {
    const int argument = leaf(operand);
    nodes_[std::size_t(n)].arguments.emplace_back(argument, kind);
  }

  // The node of a leaf. Adds the nodes of its fields first.
  int leaf(const Value& value) {
    if (const int* known = numbers_.find(value.node().get())) return *known;
    const auto* constant = value.node()->as<ArrayConstant>();
    const auto* tuple = value.node()->as<TupleOf>();
    const bool is_scalar = constant && constant->array.rank() == 0;
    FusionInput node{value.is_variable() ? value.name()
                     : tuple             ? "tuple"
                                         : "constant",
                     FusionKind::opaque, value.is_variable()};
    if (is_scalar) node.kind = FusionKind::elementwise;
    if (tuple) {
      node.kind = FusionKind::tuple;
      for (const Value& field : tuple->fields)
        node.arguments.emplace_back(leaf(field), FusionKind::injective);
    }
    const int number = int(nodes_.size());
    numbers_.set(value.node().get(), number);
    nodes_.push_back(std::move(node));
    bindings_.push_back(nullptr);
    return number;
  }

  void add_roots(const Block& block) {
    for (const Value& parameter : function_.parameters)
      if (const int* known = numbers_.find(parameter.node().get())) roots_.push_back(*known);
    if (function_.body.result.defined())
      for_each_variable(function_.body.result, [&](const Value& v) {
        if (const int* known = numbers_.find(v.node().get())) roots_.push_back(*known);
      });
    for (std::size_t n = 0; n < block.bindings.size(); ++n)
      if (nodes_[n].is_external) roots_.push_back(int(n));
    for (std::size_t n = 0; n < block.bindings.size(); ++n) {
      const Binding& b = block.bindings[n];
      if (!b.as<OperatorCall>() && !b.as<FieldOf>() && !b.as<Alias>() && !b.as<ShapeOf>())
        roots_.push_back(int(n));
    }
  }

  const GraphFunction& function_;
  std::vector<FusionInput> nodes_ = {};
  std::vector<const Binding*> bindings_ = {};
  std::vector<int> roots_ = {};
  Table<const ValueNode*, int> numbers_ = {};
};

}  // namespace

BlockGraph block_graph(const GraphFunction& function, const Block& block) {
  return BlockNodes(function, block).graph();
}

void for_each_dataflow_block(const Body& body, const std::function<void(const Block&)>& f) {
  for (const Block& block : body.blocks) {
    if (block.is_dataflow) f(block);
    for (const Binding& b : block.bindings)
      if (const auto* branch = b.as<Branch>())
        for (const auto& side : {branch->then, branch->otherwise})
          for_each_dataflow_block(*side, f);
  }
}

}  // namespace strata::graph
