#include "graph/ir/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "graph/ir/derive.h"
#include "graph/ir/purity.h"

namespace strata::graph {

namespace {

using Nodes = std::unordered_set<const ValueNode*>;

// What is in scope: additions since a mark can be taken back.
template <typename Key, typename Set>
class Scoped {
 public:
  bool contains(const Key& key) const { return set_.contains(key); }
  void add(const Key& key) {
    if (set_.insert(key).second) log_.push_back(key);
  }
  void remove(const Key& key) { set_.erase(key); }
  std::size_t mark() const { return log_.size(); }
  void back_to(std::size_t mark) {
    for (; log_.size() > mark; log_.pop_back()) set_.erase(log_.back());
  }

 private:
  Set set_;
  std::vector<Key> log_;
};

class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, const std::set<std::string>& impure,
                   const GraphFunction& function, Nodes& bound, const Where& where)
      : module_(module), impure_(impure), function_(function), bound_(bound), where_(where) {}

  void run() {
    at_ = "its parameters";
    line_ = function_.where;
    for (const Value& parameter : function_.parameters) {
      bind(parameter);
      define_symbols(dims_in(parameter.type()));
    }
    for (const Value& parameter : function_.parameters) check_type(parameter.type());
    body(function_.body);
    at_ = "its result";
    line_ = function_.where;
    check_result(function_.result);
    if (belongs_to(function_.body.result.type(), function_.result) == Answer::no)
      throw broken("W10", "it is " + function_.body.result.type().text() + ", and " +
                              function_.result.text() + " is stated");
  }

 private:
  Error broken(const std::string& rule, const std::string& explanation) const {
    return Request{"verify(@" + function_.name + ")", line_.file.empty() ? where_ : line_}.refused(
        Code::E0601_malformed_graph, rule + ", at " + at_ + ": " + explanation);
  }

  void body(const Body& body) {
    if (++depth_ > most_nested_bodies) throw broken("W8", "branches are nested too deep");
    for (const Block& b : body.blocks) block(b);
    at_ = "the result";
    if (!body.result.defined() || body.result.node()->as<Unbound>())
      throw broken("W8", "it has no variable");
    check_leaf(body.result);
    --depth_;
  }

  void block(const Block& block) {
    std::vector<Value> locals;
    for (const Binding& b : block.bindings) {
      binding(b, block.is_dataflow);
      if (!b.value.node()->variable().is_local) continue;
      if (!block.is_dataflow) throw broken("W2", "a local variable is bound outside of dataflow");
      locals.push_back(b.value);
    }
    for (const Value& local : locals) {
      ended_.insert(local.node().get());
      names_.remove(local.name());
    }
  }

  void binding(const Binding& b, bool is_dataflow) {
    at_ = b.value.is_variable() ? "%" + b.value.name() : "a binding";
    line_ = b.where;
    if (!b.value.is_variable()) throw broken("W1", "what is bound is no variable");
    const Definition& definition = *b.definition;
    for (const Value& operand : operands_of(definition)) check_leaf(operand);
    if (is_dataflow) check_purity(definition);
    if (const auto* match = b.as<MatchShape>()) define_symbols(match->pattern);
    for (const Expr& dim : own_dims(definition)) check_dim(dim);
    if (const auto* branch = b.as<Branch>()) branches(*branch);
    at_ = "%" + b.value.name();
    line_ = b.where;
    check_type(b.value.type());
    const ValueType type = derived_type(definition);
    if (belongs_to(b.value.type(), type) != Answer::yes)
      throw broken("W10", "it is " + b.value.type().text() + ", and " + type.text() +
                              " follows from its definition");
    bind(b.value);
  }

  ValueType derived_type(const Definition& definition) const {
    try {
      return derived(definition, module_, {"verify(@" + function_.name + ")", line_});
    } catch (const Error& error) {
      if (error.code() == Code::E0601_malformed_graph)
        throw broken(error.refusal().explanation.substr(0, 2),
                     error.refusal().explanation.substr(4));
      throw broken("W10", error.refusal().explanation);
    }
  }

  // Variables and symbols of a branch end with it.
  void branches(const Branch& branch) {
    for (const auto& side : {branch.then, branch.otherwise}) {
      const std::size_t values = visible_.mark(), symbols = symbols_.mark(), names = names_.mark();
      body(*side);
      visible_.back_to(values);
      symbols_.back_to(symbols);
      names_.back_to(names);
    }
  }

  void bind(const Value& variable) {
    if (!variable.is_variable()) throw broken("W1", "a parameter is no variable");
    if (!bound_.insert(variable.node().get()).second)
      throw broken("W1", "%" + variable.name() + " is bound twice");
    if (names_.contains(variable.name()))
      throw broken("W1", "there is another variable %" + variable.name());
    names_.add(variable.name());
    visible_.add(variable.node().get());
  }

  void check_leaf(const Value& leaf) const {
    if (!leaf.defined()) throw broken("W3", "an operand is undefined");
    if (leaf.node()->as<Unbound>()) throw broken("W3", "an operand is a call that has no variable");
    if (const auto* constant = leaf.node()->as<ArrayConstant>();
        constant && !constant->array.defined())
      throw broken("W3", "a constant is no array");
    if (const auto* tuple = leaf.node()->as<TupleOf>())
      for (const Value& field : tuple->fields) check_leaf(field);
    if (const auto* global = leaf.node()->as<GlobalName>(); global && !module_.has(global->name))
      throw broken("W5", "there is no @" + global->name + " in the module");
    if (leaf.is_variable()) check_visible(leaf);
    if (const auto* shape = leaf.node()->as<ShapeLiteral>())
      for (const Expr& dim : shape->dims) check_dim(dim);
  }

  void check_visible(const Value& variable) const {
    if (ended_.contains(variable.node().get()))
      throw broken("W2", "%" + variable.name() + " is local to another block");
    if (visible_.contains(variable.node().get())) return;
    throw broken("W1", "%" + variable.name() +
                           (bound_.contains(variable.node().get()) ? " is out of scope"
                                                                   : " is not bound before"));
  }

  void check_dim(const Expr& dim) const {
    if (const std::string why = why_no_dim(dim); !why.empty()) throw broken("W7", "a dim " + why);
    for (const std::string& symbol : symbols_of(dim))
      if (!symbols_.contains(symbol))
        throw broken("W6", "nothing before it defines the symbol " + symbol);
  }

  void check_type(const ValueType& type) const {
    for (const Expr& dim : dims_in(type)) check_dim(dim);
    if (type.extents()) check_visible(Value(type.extents()));
    for (const ValueType& field : type.fields()) check_type(field);
  }

  // Callers know the parameters, and nothing else that holds extents.
  void check_result(const ValueType& type) const {
    check_type(type);
    const Values& known = function_.parameters;
    for (const Value& extents : extents_in(type))
      if (std::find(known.begin(), known.end(), extents) == known.end())
        throw broken("W10", "%" + extents.name() + " is no parameter");
  }

  // A symbol that is a dim by itself gets its value there.
  void define_symbols(const Shape& dims) {
    for (const Expr& dim : dims)
      if (dim.op() == Op::parameter) symbols_.add(dim.name());
  }

  void check_purity(const Definition& definition) const {
    if (std::holds_alternative<Branch>(definition))
      throw broken("W4", "a branch stands in a dataflow block");
    if (!is_impure(definition, impure_)) return;
    const auto* packed = std::get_if<PackedCall>(&definition);
    throw broken("W4", packed ? "\"" + packed->callee + "\" is not marked as pure"
                              : "@" + std::get<FunctionCall>(definition).callee + " is not pure");
  }

  const Module& module_;
  const std::set<std::string>& impure_;
  const GraphFunction& function_;
  Nodes& bound_;
  Where where_, line_ = {};
  std::string at_ = {};  // where in the function
  Scoped<const ValueNode*, Nodes> visible_ = {};
  Scoped<std::string, std::set<std::string>> symbols_ = {};
  Scoped<std::string, std::set<std::string>> names_ = {};  // of what is visible
  Nodes ended_ = {};
  int depth_ = 0;  // of bodies
};

}  // namespace

void verify(const Module& module, const Where& where) {
  const std::set<std::string> impure = impure_functions(module);
  Nodes bound;
  for (const auto& [name, global] : module.globals()) {
    if (name != name_of(*global))
      throw Request{"verify(@" + name + ")", where}.refused(
          Code::E0601_malformed_graph, "W9: the module has @" + name_of(*global) + " as @" + name);
    if (const auto* function = std::get_if<GraphFunction>(global.get()))
      FunctionVerifier(module, impure, *function, bound, where).run();
  }
}

}  // namespace strata::graph
