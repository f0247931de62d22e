#include "graph/builder/builder.h"

#include <algorithm>

#include "graph/ir/derive.h"

namespace strata::graph {

// The function that is being built.
struct GraphBuilder::Open {
  GraphFunction function;
  bool has_parameters = false, has_result = false, is_dataflow = false;
  std::vector<Body> bodies = {Body()};    // of the function, then of the branches inside
  Table<std::string, bool> names = {};    // of its variables
  std::vector<std::string> kernels = {};  // that it added to the module
  std::vector<std::size_t> marks = {};    // how many there were, before each open block or branch

  Body& body() { return bodies.back(); }
  Block& block() {
    auto& blocks = body().blocks;
    if (blocks.empty() || blocks.back().is_dataflow != is_dataflow)
      blocks.push_back({is_dataflow, {}});
    return blocks.back();
  }
};

GraphBuilder::GraphBuilder(Module base) : module_(std::move(base)) {
  for (const auto& [name, global] : module_.globals())
    if (const auto* kernel = std::get_if<TensorKernel>(global.get()))
      kernels_.emplace(what_computes(*kernel), name);
}
GraphBuilder::~GraphBuilder() = default;

Error GraphBuilder::refused(const std::string& explanation, const std::string& mend,
                            const Where& where) const {
  return Request{open_ ? "building @" + open_->function.name : "building a module", where}.refused(
      Code::E0601_malformed_graph, explanation, mend);
}

GraphBuilder::Open& GraphBuilder::open(const Where& where) const {
  if (!open_) throw refused("no function is being built", "bind in the body of a function", where);
  return *open_;
}

// ---- functions ----

void GraphBuilder::declare(const std::string& name, const Values& parameters,
                           const ValueType& result, const Where& where) {
  if (module_.has(name)) throw refused("there is a global @" + name, "use another name", where);
  module_.set(GraphFunction{name, parameters, {}, result, {}, where});
}

void GraphBuilder::begin_function(const std::string& name, const std::optional<Values>& parameters,
                                  const Where& where) {
  if (open_) throw refused("@" + name + " begins inside", "end this function first", where);
  const GraphFunction* declared = module_.function(name);
  if (module_.has(name) && (!declared || declared->body.result.defined()))
    throw refused("there is a global @" + name, "use another name", where);
  open_ = std::make_unique<Open>();
  open_->function.name = name;
  open_->function.where = where;
  if (!parameters) return;
  try {
    set_parameters(*parameters, where);
  } catch (...) {
    open_.reset();
    throw;
  }
}

void GraphBuilder::set_parameters(const Values& parameters, const Where& where) {
  if (open_->has_parameters)
    throw refused("its parameters are given twice", "give them once", where);
  for (const Value& parameter : parameters) {
    if (!parameter.is_variable())
      throw refused("a parameter is not a variable", "make it with variable(name, type)", where);
    if (!open_->names.add(parameter.name(), true).is_new)
      throw refused("there are two variables %" + parameter.name(), "use another name", where);
  }
  open_->function.parameters = parameters;
  open_->has_parameters = true;
}

void GraphBuilder::end_function(const Where& where) {
  Open& f = open(where);
  if (f.is_dataflow || f.bodies.size() > 1)
    throw refused("it ends inside of a block", "end the block first", where);
  if (!f.has_parameters) throw refused("it has no parameters", "give them, if only {}", where);
  if (!f.has_result) throw refused("it has no output", "call emit_function_output", where);
  f.function.body = std::move(f.body());
  const ValueType type = without_variables(f.function.body.result.type());
  const GraphFunction* declared = module_.function(f.function.name);
  f.function.result = declared ? declared->result : type;
  if (belongs_to(type, f.function.result) == Answer::no)
    throw refused(
        "its result is " + type.text() + ", and " + declared->result.text() + " was declared",
        "declare the type of the result", where);
  module_.set(std::move(f.function));
  open_.reset();
}

void GraphBuilder::abandon_kernels(std::size_t since) {
  for (auto& kernels = open_->kernels; kernels.size() > since; kernels.pop_back()) {
    kernels_.erase(what_computes(*module_.kernel(kernels.back())));
    module_.remove(kernels.back());
  }
  kernel_names_.clear();
}

void GraphBuilder::abandon_function() {
  if (!open_) return;
  abandon_kernels(0);
  open_.reset();
}

void GraphBuilder::function(const std::string& name, const Values& parameters,
                            const std::function<void()>& body, const Where& where) {
  begin_function(name, parameters, where);
  try {
    body();
    end_function(where);
  } catch (...) {
    abandon_function();
    throw;
  }
}

void GraphBuilder::emit_function_output(const Value& result,
                                        const std::optional<Values>& parameters,
                                        const Where& where) {
  Open& f = open(where);
  if (f.is_dataflow || f.bodies.size() > 1)
    throw refused("its output is given inside of a block", "give it after the block", where);
  if (f.has_result) throw refused("its output is given twice", "give it once", where);
  if (parameters) set_parameters(*parameters, where);
  f.body().result = leaf(result, where);
  f.has_result = true;
}

// ---- blocks ----

void GraphBuilder::begin_dataflow(const Where& where) {
  Open& f = open(where);
  if (f.is_dataflow) throw refused("a dataflow block begins inside of one", "end it first", where);
  f.body().blocks.push_back({true, {}});
  f.is_dataflow = true;
  f.marks.push_back(f.kernels.size());
}

void GraphBuilder::end_dataflow(const Where& where) {
  Open& f = open(where);
  if (!f.is_dataflow) throw refused("no dataflow block is open", "begin one", where);
  f.is_dataflow = false;
  f.marks.pop_back();
  if (f.body().blocks.back().bindings.empty()) f.body().blocks.pop_back();
}

void GraphBuilder::abandon_dataflow() {
  if (!open_ || !open_->is_dataflow) return;
  open_->is_dataflow = false;
  open_->body().blocks.pop_back();
  abandon_kernels(open_->marks.back());
  open_->marks.pop_back();
}

void GraphBuilder::dataflow(const std::function<void()>& bindings, const Where& where) {
  begin_dataflow(where);
  try {
    bindings();
  } catch (...) {
    abandon_dataflow();
    throw;
  }
  end_dataflow(where);
}

void GraphBuilder::begin_branch(const Where& where) {
  Open& f = open(where);
  if (f.is_dataflow)
    throw refused("a branch stands in a dataflow block (W4)", "end the block first", where);
  if (f.bodies.size() >= most_nested_bodies)
    throw refused(
        "branches are nested more than " + std::to_string(most_nested_bodies - 1) + " deep",
        "call a function in the innermost one", where);
  f.bodies.emplace_back();
  f.marks.push_back(f.kernels.size());
}

Body GraphBuilder::end_branch(const Value& result, const Where& where) {
  Open& f = open(where);
  if (f.is_dataflow || f.bodies.size() == 1)
    throw refused("no side of a branch ends here", "begin one, and end what is open in it", where);
  f.body().result = leaf(result, where);
  Body body = std::move(f.body());
  f.bodies.pop_back();
  f.marks.pop_back();
  return body;
}

void GraphBuilder::abandon_branch() {
  if (!open_ || open_->bodies.size() == 1) return;
  abandon_dataflow();
  open_->bodies.pop_back();
  abandon_kernels(open_->marks.back());
  open_->marks.pop_back();
}

Value GraphBuilder::emit_branch(const Value& condition, const std::function<Value()>& then,
                                const std::function<Value()>& otherwise, const Where& where) {
  const Value tested = leaf(condition, where);
  const auto built = [&](const std::function<Value()>& side) {
    begin_branch(where);
    try {
      return std::make_shared<const Body>(end_branch(side(), where));
    } catch (...) {
      abandon_branch();
      throw;
    }
  };
  auto first = built(then), second = built(otherwise);
  return emit(unbound(Branch{tested, std::move(first), std::move(second)}), where);
}

// ---- bindings ----

std::string GraphBuilder::fresh_name(bool is_local) {
  int& given = is_local ? locals_ : others_;
  for (;;) {
    const std::string name = (is_local ? "lv" : "gv") + (given == 0 ? "" : std::to_string(given));
    ++given;
    if (open_->names.add(name, true).is_new) return name;
  }
}

Value GraphBuilder::bind(std::shared_ptr<const Definition> definition, const ValueType& stated,
                         bool is_output, const Where& where) {
  Open& f = open(where);
  const ValueType type = derived(*definition, module_, {"a binding of @" + f.function.name, where});
  const bool is_stated = stated.kind() != ValueType::Kind::object;
  if (is_stated && belongs_to(stated, type) != Answer::yes)
    throw refused("it is " + type.text() + ", and " + stated.text() + " is stated",
                  "state a type that the value has", where);
  Variable made{"", f.is_dataflow && !is_output, is_stated};
  made.name = fresh_name(made.is_local);
  const Value value(
      std::make_shared<const ValueNode>(ValueNode{std::move(made), is_stated ? stated : type}));
  definitions_.add(value.node().get(), {value, definition});
  f.block().bindings.push_back({value, std::move(definition), where});
  return value;
}

// The leaf that stands as an operand. A call gets a variable.
Value GraphBuilder::leaf(const Value& value, Inner& inner, const Where& where) {
  if (!value.defined()) throw refused("a value is undefined", "give one", where);
  if (value.node()->as<Unbound>()) {
    if (const auto found = inner.find(value.node().get()); found != inner.end())
      return found->second;
    return inner[value.node().get()] = bound(value, false, inner, where);
  }
  const auto* constant = value.node()->as<ArrayConstant>();
  if (constant && !constant->array.defined())
    throw refused("a constant is not an array", "give an array that is defined", where);
  const auto* tuple = value.node()->as<TupleOf>();
  if (!tuple) return value;
  Values fields;
  for (const Value& field : tuple->fields) fields.push_back(leaf(field, inner, where));
  return fields == tuple->fields ? value : tuple_value(fields, where);
}

Value GraphBuilder::leaf(const Value& value, const Where& where) {
  Inner inner;
  return leaf(value, inner, where);
}

Value GraphBuilder::bound(const Value& value, bool is_output, Inner& inner, const Where& where) {
  if (!value.defined()) throw refused("a value is undefined", "give one", where);
  const auto* call = value.node()->as<Unbound>();
  if (!call)
    return bind(std::make_shared<const Definition>(Alias{leaf(value, inner, where)}), {}, is_output,
                where);
  const Values operands = operands_of(*call->definition);
  Values leaves;
  for (const Value& operand : operands) leaves.push_back(leaf(operand, inner, where));
  if (leaves == operands) return bind(call->definition, call->stated, is_output, where);
  std::size_t next = 0;
  auto definition = std::make_shared<const Definition>(
      with_operands(*call->definition, [&](const Value&) { return leaves[next++]; }));
  return bind(std::move(definition), call->stated, is_output, where);
}

Value GraphBuilder::emit(const Value& value, const Where& where) {
  Inner inner;
  return bound(value, false, inner, where);
}

Value GraphBuilder::emit_output(const Value& value, const Where& where) {
  if (!open(where).is_dataflow)
    throw refused("emit_output stands outside of a dataflow block", "call emit there", where);
  Inner inner;
  return bound(value, true, inner, where);
}

Value GraphBuilder::match_shape(const Value& value, const Shape& pattern, const Where& where) {
  return emit(unbound(MatchShape{value, pattern}), where);
}

std::shared_ptr<const Definition> GraphBuilder::lookup(const Value& variable) const {
  const Bound* found = definitions_.find(variable.node().get());
  return found ? found->definition : nullptr;
}

// ---- kernels ----

Tensor GraphBuilder::TensorInputs::argument(const Value& value) {
  const auto found = std::find(values_.begin(), values_.end(), value);
  if (found != values_.end()) return tensors_[found - values_.begin()];
  const Request request{"emit_te", where_};
  if (!value.defined()) throw request.refused(Code::E0601_malformed_graph, "a value is undefined");
  if (value.node()->as<Unbound>())
    throw request.refused(Code::E0602_does_not_fit, "a call has no variable and no extents yet",
                          "bind it with emit(..) first");
  const ValueType& type = value.type();
  const std::string name =
      value.is_variable() ? value.name() : "c" + std::to_string(values_.size());
  if (!type.is_tensor() || !type.dims() || !type.element())
    throw request.refused(Code::E0602_does_not_fit,
                          name + " is " + type.text() + ", and its extents or elements are unknown",
                          "make them known with match_shape");
  tensors_.push_back(placeholder(name, *type.element(), *type.dims(), where_));
  values_.push_back(value);
  return tensors_.back();
}

std::vector<Tensor> GraphBuilder::TensorInputs::argument(const Values& values) {
  std::vector<Tensor> tensors;
  for (const Value& value : values) tensors.push_back(argument(value));
  return tensors;
}

Value GraphBuilder::emit_kernel(const std::string& name, const std::vector<Tensor>& inputs,
                                const std::vector<Tensor>& outputs, const Values& arguments,
                                const Where& where) {
  open(where);
  TensorKernel kernel = tensor_kernel(name, inputs, outputs, where);
  Shape integers;
  for (const std::string& symbol : kernel.integers) integers.push_back(parameter(symbol));
  Values extents;
  for (const Tensor& t : outputs) extents.push_back(shape_value(t.shape()));
  return emit(call_kernel(extents, add_kernel(std::move(kernel)), arguments, integers), where);
}

std::string GraphBuilder::fresh_kernel_name(const std::string& name) {
  for (int& given = kernel_names_[name];; ++given) {
    const std::string made = given == 0 ? name : name + std::to_string(given);
    if (!module_.has(made) && !(open_ && open_->function.name == made)) return made;
  }
}

std::string GraphBuilder::add_kernel(TensorKernel kernel) {
  const std::string key = what_computes(kernel);
  if (const auto found = kernels_.find(key); found != kernels_.end()) return found->second;
  const std::string name = fresh_kernel_name(kernel.name);
  kernel.name = name;
  kernels_.emplace(key, name);
  if (open_) open_->kernels.push_back(name);
  module_.set(std::move(kernel));
  return name;
}

}  // namespace strata::graph
