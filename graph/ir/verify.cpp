#include "graph/ir/verify.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "graph/ir/derive.h"
#include "graph/ir/purity.h"
#include "graph/ir/table.h"

namespace strata::graph {

namespace {

// The variables of a module and their scopes: dataflow blocks for local variables, bodies for the
// others.
struct Bindings {
  Scopes scopes = {};
  Scoped<const ValueNode*> variables{scopes};
};

class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, const std::set<std::string>& impure,
                   const GraphFunction& function, Bindings& bindings, const Where& where)
      : module_(module),
        impure_(impure),
        function_(function),
        scopes_(bindings.scopes),
        bound_(bindings.variables),
        where_(where),
        request_{"verify(@" + function.name + ")", where} {}

  void run() {
    go_to("its parameters", function_.where);
    body_ = block_ = scopes_.begin();
    for (const Value& parameter : function_.parameters) {
      for (const Value& extents : extents_in(parameter.type())) check_visible(extents);
      bind(parameter);
      define_symbols(dims_in(parameter.type()));
    }
    for (const Value& parameter : function_.parameters) check_type(parameter.type());
    body(function_.body);
    go_to("its result", function_.where);
    check_result(function_.result);
    if (belongs_to(function_.body.result.type(), function_.result) == Answer::no)
      throw broken("W10", "it is " + function_.body.result.type().text() + ", and " +
                              function_.result.text() + " is stated");
    scopes_.end(body_);
  }

 private:
  Error broken(const std::string& rule, const std::string& explanation) const {
    return request_.refused(Code::E0601_malformed_graph, rule + ", at " + at_ + ": " + explanation);
  }

  // Notes the place that is checked next, and the author's line, if it is known.
  void go_to(const std::string& place, const Where& line) {
    at_ = place;
    request_.where = line.file.empty() ? where_ : line;
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
    block_ = scopes_.begin();
    for (const Binding& b : block.bindings) {
      binding(b, block.is_dataflow);
      if (b.value.node()->variable().is_local && !block.is_dataflow)
        throw broken("W2", "a local variable is bound outside of dataflow");
    }
    scopes_.end(block_);
  }

  void binding(const Binding& b, bool is_dataflow) {
    const std::string place = b.value.is_variable() ? "%" + b.value.name() : "a binding";
    go_to(place, b.where);
    if (!b.value.is_variable()) throw broken("W1", "what is bound is not a variable");
    const Definition& definition = *b.definition;
    for_each_operand(definition, [&](const Value& operand) { check_leaf(operand); });
    if (is_dataflow) check_purity(definition);
    if (const auto* match = b.as<MatchShape>()) define_symbols(match->pattern);
    for (const Expr& dim : own_dims(definition)) check_dim(dim);
    if (const auto* branch = b.as<Branch>()) {
      branches(*branch);
      go_to(place, b.where);
    }
    check_type(b.value.type());
    const ValueType type = derived_type(definition);
    if (belongs_to(b.value.type(), type) != Answer::yes)
      throw broken("W10", "it is " + b.value.type().text() + ", and " + type.text() +
                              " follows from its definition");
    bind(b.value);
  }

  ValueType derived_type(const Definition& definition) const {
    try {
      return derived(definition, module_, request_);
    } catch (const Error& error) {
      if (error.code() == Code::E0601_malformed_graph)
        throw broken(error.refusal().explanation.substr(0, 2),
                     error.refusal().explanation.substr(4));
      throw broken("W10", error.refusal().explanation);
    }
  }

  // Variables and symbols of a branch end with it.
  void branches(const Branch& branch) {
    const int outside = body_;
    for (const auto& side : {branch.then, branch.otherwise}) {
      body_ = scopes_.begin();
      body(*side);
      scopes_.end(body_);
    }
    body_ = outside;
  }

  void bind(const Value& variable) {
    if (!variable.is_variable()) throw broken("W1", "a parameter is not a variable");
    if (bound_.has_had(variable.node().get()))
      throw broken("W1", "%" + variable.name() + " is bound twice");
    const int scope = variable.node()->variable().is_local ? block_ : body_;
    if (!names_.add(variable.name(), scope))
      throw broken("W1", "there is another variable %" + variable.name());
    bound_.add(variable.node().get(), scope);
  }

  void check_leaf(const Value& leaf) const {
    if (!leaf.defined()) throw broken("W3", "an operand is undefined");
    if (leaf.node()->as<Unbound>()) throw broken("W3", "an operand is a call that has no variable");
    if (const auto* constant = leaf.node()->as<ArrayConstant>();
        constant && !constant->array.defined())
      throw broken("W3", "a constant is not an array");
    if (const auto* tuple = leaf.node()->as<TupleOf>())
      for (const Value& field : tuple->fields) check_leaf(field);
    if (const auto* global = leaf.node()->as<GlobalName>(); global && !module_.has(global->name))
      throw broken("W5", "there is no @" + global->name + " in the module");
    if (leaf.is_variable()) check_visible(leaf);
    if (const auto* shape = leaf.node()->as<ShapeLiteral>())
      for (const Expr& dim : shape->dims) check_dim(dim);
  }

  void check_visible(const Value& variable) const {
    if (bound_.contains(variable.node().get())) return;
    if (!bound_.has_had(variable.node().get()))
      throw broken("W1", "%" + variable.name() + " is not bound before");
    if (variable.node()->variable().is_local)
      throw broken("W2", "%" + variable.name() + " is local to another block");
    throw broken("W1", "%" + variable.name() + " is out of scope");
  }

  void check_dim(const Expr& dim) const {
    if (const std::string why = why_no_dim(dim); !why.empty()) throw broken("W7", "a dim " + why);
    for (const std::string& symbol : symbols_of(dim))
      if (!symbols_.contains(symbol))
        throw broken("W6", "nothing before it defines the symbol " + symbol);
  }

  void check_type(const ValueType& type) {
    if (checked_.contains(type.text())) return;
    for (const Expr& dim : dims_in(type)) check_dim(dim);
    const std::vector<Value> variables = extents_in(type);
    for (const Value& variable : variables) check_visible(variable);
    if (variables.empty()) checked_.add(type.text(), body_);
  }

  // In the result's type only parameters may hold extents: callers know nothing else.
  void check_result(const ValueType& type) {
    check_type(type);
    const Values& known = function_.parameters;
    for (const Value& extents : extents_in(type))
      if (std::find(known.begin(), known.end(), extents) == known.end())
        throw broken("W10", "%" + extents.name() + " is not a parameter");
  }

  // A symbol that is a dim by itself gets its value there.
  void define_symbols(const Shape& dims) {
    for (const Expr& dim : dims)
      if (dim.op() == Op::parameter) symbols_.add(dim.name(), body_);
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
  Scopes& scopes_;
  Scoped<const ValueNode*>& bound_;
  Where where_;
  Request request_;
  std::string at_ = {};  // the place in the function, for messages
  Scoped<std::string> symbols_{scopes_};
  Scoped<std::string_view> names_{scopes_};
  Scoped<std::string_view> checked_{scopes_};  // texts of types without variables
  int body_ = 0, block_ = 0;                   // the innermost scopes
  int depth_ = 0;                              // of bodies
};

}  // namespace

void verify(const Module& module, const Where& where) {
  const std::set<std::string> impure = effects_of(module).impure;
  Bindings bindings;
  for (const auto& [name, global] : module.globals()) {
    if (name != name_of(*global))
      throw Request{"verify(@" + name + ")", where}.refused(
          Code::E0601_malformed_graph, "W9: the module has @" + name_of(*global) + " as @" + name);
    if (const auto* function = std::get_if<GraphFunction>(global.get()))
      FunctionVerifier(module, impure, *function, bindings, where).run();
  }
}

}  // namespace strata::graph
