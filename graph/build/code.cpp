#include "graph/build/code.h"

#include <functional>
#include <set>
#include <unordered_map>

#include "graph/build/lowered.h"
#include "graph/ir/purity.h"
#include "graph/vm/exec_builder.h"

namespace strata::graph {

namespace {

// Built-in functions whose first argument is the machine, and the argument, without it, that is an
// integer or a list of them: each is given as an immediate.
struct Convention {
  bool takes_machine = false;
  int integers = -1;
};
Convention convention_of(const std::string& callee) {
  static const std::unordered_map<std::string, Convention> known = {
      {builtin::storage, {true, 0}},
      {builtin::tensor, {false, 1}},
      {builtin::tuple_field, {false, 1}},
      {builtin::size_in_bytes, {false, 1}},
      {builtin::shape_heap, {true, 0}},
      {builtin::make_shape, {false, 1}},
      {builtin::compute_shape, {false, 1}},
      {builtin::match_shape, {false, 2}},
      {builtin::check_tensor, {false, 1}},
      {builtin::check_shape, {false, 1}},
      {builtin::check_tuple, {false, 1}},
      {builtin::check_bound, {false, 1}},
      {"vm.builtin.invoke_closure", {true, -1}}};
  const auto found = known.find(callee);
  return found == known.end() ? Convention() : found->second;
}

using Operands = std::vector<ExecBuilder::Argument>;

class FunctionCode {
 public:
  FunctionCode(const Module& module, const GraphFunction& function, ExecBuilder& builder)
      : module_(module), function_(function), builder_(builder) {
    for (const Value& parameter : function.parameters) register_of(parameter);
    note_used(function.body);
  }

  void emit() {
    body(function_.body);
    const VmOperand result = in_register(function_.body.result);
    for (const auto& step : code_) step();
    builder_.emit_ret(result);
  }

 private:
  // Instructions that are emitted later, in order: jumps need to know how many there are.
  using Steps = std::vector<std::function<void()>>;

  Error refused(const Binding& b, const std::string& explanation) const {
    return Request{"code of @" + function_.name, b.where}.refused(
        Code::E0601_malformed_graph, "at %" + b.value.name() + ": " + explanation,
        "lower the module by lowering_passes()");
  }

  // ---- registers and operands ----

  void note_used(const Body& body) {
    const auto note = [this](const Value& leaf) {
      for_each_variable(leaf, [this](const Value& v) { used_.insert(v.node().get()); });
    };
    note(body.result);
    for_each_binding(body, [&](const Binding& b) {
      for_each_operand(*b.definition, note);
      if (const auto* branch = b.as<Branch>())
        for (const auto& side : {branch->then, branch->otherwise}) note(side->result);
    });
  }

  VmOperand fresh() { return ExecBuilder::r(next_++); }
  VmOperand register_of(const Value& variable) {
    const auto [found, is_new] = registers_.try_emplace(variable.node().get());
    if (is_new) found->second = fresh();
    return found->second;
  }

  // A leaf as an argument. What is given may be returned or written to, unless "reads": then a
  // constant is itself, and not a copy.
  VmOperand operand(const Value& leaf, bool reads) {
    if (leaf.is_variable()) return register_of(leaf);
    const ValueNode& node = *leaf.node();
    if (const auto* global = node.as<GlobalName>()) return builder_.f(global->name);
    if (const auto* text = node.as<TextLiteral>()) return builder_.constant(text->text);
    if (const auto* shape = node.as<ShapeLiteral>())
      return builder_.constant(ShapeNumbers{numbers(shape->dims)});
    if (const auto* constant = node.as<ArrayConstant>()) {
      const VmOperand pooled = builder_.constant(constant->array);
      return reads ? pooled : called("vm.builtin.copy", {pooled});
    }
    Operands fields;
    for (const Value& field : node.as<TupleOf>()->fields)
      fields.emplace_back(operand(field, reads));
    return called("vm.builtin.make_tuple", fields);
  }

  VmOperand in_register(const Value& leaf) {
    const VmOperand made = operand(leaf, false);
    return made.kind == VmOperand::Kind::in_register ? made : called("vm.builtin.move", {made});
  }

  static std::vector<std::int64_t> numbers(const Shape& dims) {
    std::vector<std::int64_t> numbers;
    for (const Expr& dim : dims) numbers.push_back(constant_dim(dim).value());
    return numbers;
  }

  static ExecBuilder::Argument number(std::int64_t value) {
    if (value < VmOperand::least || value > VmOperand::greatest) return VmValue(value);
    return ExecBuilder::imm(value);
  }

  // ---- instructions ----

  VmOperand called(const std::string& callee, const Operands& arguments) {
    const VmOperand result = fresh();
    call(callee, arguments, result);
    return result;
  }
  void call(const std::string& callee, const Operands& arguments, const VmOperand& result) {
    code_.push_back(
        [this, callee, arguments, result] { builder_.emit_call(callee, arguments, result); });
  }

  void body(const Body& body) {
    for (const Block& block : body.blocks)
      for (const Binding& b : block.bindings)
        std::visit([&](const auto& definition) { emit(definition, b); }, *b.definition);
  }

  void emit(const PackedCall& d, const Binding& b) {
    const Convention convention = convention_of(d.callee);
    const bool reads =
        is_builtin_call(*b.definition) ? d.callee != builtin::reshape : writes_results(b);
    Operands arguments;
    if (convention.takes_machine) arguments.emplace_back(ExecBuilder::vm_state());
    for (std::size_t k = 0; k < d.arguments.size(); ++k) {
      const auto* shape = d.arguments[k].node()->as<ShapeLiteral>();
      if (int(k) == convention.integers && shape)
        for (const std::int64_t value : numbers(shape->dims)) arguments.emplace_back(number(value));
      else
        arguments.emplace_back(operand(d.arguments[k], reads));
    }
    call(d.callee, arguments, destination(b));
  }

  VmOperand destination(const Binding& b) {
    return used_.contains(b.value.node().get()) ? register_of(b.value)
                                                : ExecBuilder::void_register();
  }

  void emit(const FunctionCall& d, const Binding& b) {
    const GraphFunction* f = module_.function(d.callee);
    if (!f || !f->body.result.defined()) throw refused(b, "W5: there is no function @" + d.callee);
    if (is_kernel(*f)) throw refused(b, "@" + d.callee + " is a kernel");
    Operands arguments;
    for (const Value& argument : d.arguments) arguments.emplace_back(operand(argument, false));
    call(d.callee, arguments, destination(b));
  }

  void emit(const ShapeOf& d, const Binding& b) {
    call("vm.builtin.shape_of", {operand(d.of, true)}, register_of(b.value));
  }
  void emit(const FieldOf& d, const Binding& b) {
    call(builtin::tuple_field, {operand(d.of, false), number(d.index)}, register_of(b.value));
  }
  // The same value, in the same register.
  void emit(const Alias& d, const Binding& b) {
    registers_[b.value.node().get()] = in_register(d.of);
  }
  void emit(const MatchShape& d, const Binding& b) {
    registers_[b.value.node().get()] = in_register(d.of);
  }

  void emit(const Branch& d, const Binding& b) {
    const VmOperand condition = in_register(d.condition), result = register_of(b.value);
    const Steps then = side(*d.then, result), otherwise = side(*d.otherwise, result);
    const auto length = std::int64_t(then.size()), other_length = std::int64_t(otherwise.size());
    code_.push_back([this, condition, length] { builder_.emit_if(condition, length + 2); });
    code_.insert(code_.end(), then.begin(), then.end());
    code_.push_back([this, other_length] { builder_.emit_goto(other_length + 1); });
    code_.insert(code_.end(), otherwise.begin(), otherwise.end());
  }
  Steps side(const Body& given, const VmOperand& result) {
    Steps outside = std::exchange(code_, {});
    body(given);
    call("vm.builtin.move", {operand(given.result, false)}, result);
    std::swap(code_, outside);
    return outside;
  }

  void emit(const OperatorCall& d, const Binding& b) {
    throw refused(b, "the operator " + d.callee + " is left");
  }
  void emit(const KernelCall&, const Binding& b) { throw refused(b, "a call_kernel is left"); }

  const Module& module_;
  const GraphFunction& function_;
  ExecBuilder& builder_;
  Steps code_ = {};
  VmWord next_ = 0;
  std::unordered_map<const ValueNode*, VmOperand> registers_ = {};
  std::set<const ValueNode*> used_ = {};
};

}  // namespace

Executable code_of(const Module& module) {
  ExecBuilder builder;
  for (const auto& [name, global] : module.globals()) {
    const auto* function = std::get_if<GraphFunction>(global.get());
    if (!function || !function->body.result.defined() || is_kernel(*function)) continue;
    builder.function(name, std::int64_t(function->parameters.size()),
                     [&] { FunctionCode(module, *function, builder).emit(); });
  }
  return builder.get();
}

}  // namespace strata::graph
