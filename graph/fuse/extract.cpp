#include "graph/fuse/extract.h"

#include <fmt/format.h>

#include <optional>

#include "core/record.h"
#include "graph/builder/builder.h"
#include "graph/fuse/by_bytes.h"

namespace strata::graph {

namespace {

using Members = std::map<const ValueNode*, const Binding*>;

// One group, from its root to the values from outside.
class Extraction {
 public:
  Extraction(const Binding& root, const Members& members) : root_(root), members_(members) {
    visit();
    add_symbols();
  }

  FusedGroup group() {
    GraphBuilder builder;
    const std::string name = this->name();
    builder.function(
        name, parameters_,
        [&] {
          Value result;
          builder.dataflow([&] {
            for (const Binding* b : order_) result = emit(builder, *b);
          });
          builder.emit_function_output(result, {}, root_.where);
        },
        root_.where);
    GraphFunction function = *builder.module().function(name);
    function.attributes.set("primitive", true);
    return {std::move(function), arguments_};
  }

 private:
  // Visits operands from left to right, each before its reader.
  void visit() {
    struct Open {
      const Binding* binding;
      Values leaves;
      std::size_t next = 0;
    };
    std::vector<Open> open{{&root_, leaves_of(root_)}};
    std::set<const Binding*> seen{&root_};
    while (!open.empty()) {
      auto& [binding, leaves, next] = open.back();
      if (next == leaves.size()) {
        order_.push_back(binding);
        open.pop_back();
        continue;
      }
      const Value leaf = leaves[next++];
      const auto member = members_.find(leaf.node().get());
      if (member == members_.end())
        add_argument(leaf);
      else if (seen.insert(member->second).second)
        open.push_back({member->second, leaves_of(*member->second)});
    }
  }

  // The operands, with the fields of tuples instead of the tuples.
  static Values leaves_of(const Binding& b) {
    Values leaves;
    const std::function<void(const Value&)> add = [&](const Value& leaf) {
      if (const auto* tuple = leaf.node()->as<TupleOf>())
        for (const Value& field : tuple->fields) add(field);
      else
        leaves.push_back(leaf);
    };
    for_each_operand(*b.definition, add);
    return leaves;
  }

  // Adds a variable or an array from outside. A constant of rank 0 stays inside.
  void add_argument(const Value& leaf) {
    const auto* constant = leaf.node()->as<ArrayConstant>();
    if (constant && constant->array.rank() == 0) return;
    if (!leaf.is_variable() && !constant) return;
    if (!inside_.emplace(leaf.node().get(), Value()).second) return;
    const Value parameter =
        variable(fmt::format("p{}", parameters_.size()), without_variables(leaf.type()));
    inside_[leaf.node().get()] = parameter;
    parameters_.push_back(parameter);
    arguments_.push_back(leaf);
  }

  // Symbols that are not by themselves an extent of a parameter become the numbers of one more
  // parameter, a shape.
  void add_symbols() {
    std::set<std::string> given;
    for (const Value& p : parameters_)
      for (const Expr& dim : dims_in(p.type()))
        if (dim.op() == Op::parameter) given.insert(dim.name());
    Shape missing;
    const auto note = [&](const Expr& dim) {
      for (const std::string& symbol : symbols_of(dim))
        if (given.insert(symbol).second) missing.push_back(strata::parameter(symbol));
    };
    for (const Value& p : parameters_)
      for (const Expr& dim : dims_in(p.type())) note(dim);
    for (const Binding* b : order_) {
      for (const Expr& dim : own_dims(*b->definition)) note(dim);
      for (const Expr& dim : dims_in(b->value.type())) note(dim);
    }
    if (missing.empty()) return;
    parameters_.push_back(
        variable(fmt::format("p{}", parameters_.size()), ValueType::shape(missing)));
    arguments_.push_back(shape_value(missing));
  }

  Value emit(GraphBuilder& builder, const Binding& b) {
    const Value value = unbound(
        with_operands(*b.definition, [&](const Value& operand) { return within(operand); }));
    const Value made =
        &b == &root_ ? builder.emit_output(value, b.where) : builder.emit(value, b.where);
    inside_[b.value.node().get()] = made;
    return made;
  }

  Value within(const Value& leaf) const {
    if (const auto found = inside_.find(leaf.node().get()); found != inside_.end())
      return found->second;
    const auto* tuple = leaf.node()->as<TupleOf>();
    if (!tuple) return leaf;
    Values fields;
    for (const Value& field : tuple->fields) fields.push_back(within(field));
    return tuple_value(fields, root_.where);
  }

  std::string name() const {
    constexpr std::size_t longest = 80;
    std::string name = "fused";
    for (const Binding* b : order_)
      if (const auto* call = b->as<OperatorCall>()) name += "_" + call->callee;
    if (name.size() <= longest) return name;
    return name.substr(0, longest) + fmt::format("_{:x}", hash_of_text(name));
  }

  const Binding& root_;
  const Members& members_;
  std::vector<const Binding*> order_ = {};
  std::map<const ValueNode*, Value> inside_ = {};
  Values parameters_ = {}, arguments_ = {};
};

// Does the binding take a field of a value from outside? Then only the field is an argument.
bool takes_field_from_outside(const Binding& b, const Members& members) {
  const auto* field = b.as<FieldOf>();
  return field && !members.contains(field->of.node().get());
}

}  // namespace

FusedGroup group_of(const Binding& call) {
  return Extraction(call, {{call.value.node().get(), &call}}).group();
}

void GroupExtractor::add_block(const GraphFunction& function, const Block& block,
                               const PartitionOptions& options) {
  const BlockGraph made = block_graph(function, block);
  const std::vector<int> root_of = explained_partition(made, options).roots;
  struct Group {
    Members members = {};
    bool computes = false;
  };
  std::map<int, Group> groups;
  for (std::size_t n = 0; n < root_of.size(); ++n) {
    const Binding* const b = made.bindings[n];
    if (!b || made.graph[std::size_t(root_of[n])].kind == FusionKind::opaque) continue;
    Group& group = groups[root_of[n]];
    if (takes_field_from_outside(*b, group.members)) continue;
    group.members.emplace(b->value.node().get(), b);
    group.computes |= b->as<OperatorCall>() != nullptr;
  }
  const std::set<const Binding*> used(made.bindings.begin(), made.bindings.end());
  for (const Binding& b : block.bindings)
    if (!used.contains(&b)) dropped_.insert(b.value.node().get());
  for (const auto& [number, group] : groups) {
    if (!group.computes) continue;
    const Binding& root = *made.bindings[std::size_t(number)];
    roots_.push_back(root.value.node().get());
    groups_.emplace(roots_.back(), Extraction(root, group.members).group());
    for (const auto& [node, b] : group.members)
      if (b != &root) dropped_.insert(node);
  }
}

}  // namespace strata::graph
