// Builds modules binding by binding, and derives types at once.
//
//   GraphBuilder b;
//   const Value x = variable("x", ValueType::tensor({n, m}, f32));
//   b.function("main", {x}, [&] {
//     Value y;
//     b.dataflow([&] { y = b.emit_output(call("add", {call("exp", {x}), x})); });
//     b.emit_function_output(y);
//   });
//   const Module module = b.module();
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "graph/ir/module.h"
#include "graph/ir/table.h"

namespace strata::graph {

// All errors of the builder itself are E0601, with the line of the call. If an exception leaves a
// function, a dataflow block or a branch, the builder drops that function, block or branch, and
// stays usable.
class GraphBuilder {
 public:
  explicit GraphBuilder(Module base = {});
  ~GraphBuilder();

  // Builds a graph function. "body" makes bindings, and calls emit_function_output once. The
  // parameters are given here, or to that call.
  void function(const std::string& name, const Values& parameters,
                const std::function<void()>& body, const Where& where = Where::here());
  // Says what a function takes and returns, for calls before it is built.
  void declare(const std::string& name, const Values& parameters, const ValueType& result,
               const Where& where = Where::here());
  // The bindings form a dataflow block.
  void dataflow(const std::function<void()>& bindings, const Where& where = Where::here());

  // Binds a new variable to the value. Calls in its operands get variables first. In a dataflow
  // block, the variable is local.
  Value emit(const Value& value, const Where& where = Where::here());
  // In a dataflow block: the same with a variable that code outside of the block sees.
  Value emit_output(const Value& value, const Where& where = Where::here());
  Value match_shape(const Value& value, const Shape& pattern, const Where& where = Where::here());
  // Emits a call, with these arguments, of a kernel that computes the outputs from the inputs.
  Value emit_kernel(const std::string& name, const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& outputs, const Values& arguments,
                    const Where& where = Where::here());
  // Emits a branch: its value is that of one of two bodies. Each body makes bindings, and returns
  // its result. Bodies nest at most most_nested_bodies deep.
  Value emit_branch(const Value& condition, const std::function<Value()>& then,
                    const std::function<Value()>& otherwise, const Where& where = Where::here());
  void emit_function_output(const Value& result, const std::optional<Values>& parameters = {},
                            const Where& where = Where::here());

  // Emits f(arguments..), where f takes tensors for values and lists of tensors for lists of
  // values, and returns one tensor or several. Their kernel is named "name", or name1, .., unless
  // the module has an equal one. E0602 if the extents of a value are unknown: match_shape gives
  // them.
  template <typename F, typename... Arguments>
  Value emit_te(const std::string& name, const F& f, const Arguments&... arguments) {
    return emit_te(Where::here(), name, f, arguments...);
  }
  template <typename F, typename... Arguments>
  Value emit_te(const Where& where, const std::string& name, const F& f,
                const Arguments&... arguments) {
    TensorInputs inputs(where);
    // Braces: the arguments in their order.
    const std::tuple<decltype(inputs.argument(arguments))...> tensors{
        inputs.argument(arguments)...};
    const auto results = std::apply(f, tensors);
    std::vector<Tensor> outputs;
    if constexpr (std::is_same_v<decltype(results), const Tensor>)
      outputs = {results};
    else
      outputs = results;
    return emit_kernel(name, inputs.tensors(), outputs, inputs.values(), where);
  }

  // Tensors that stand for values. Equal values get the same tensor.
  class TensorInputs {
   public:
    explicit TensorInputs(const Where& where) : where_(where) {}
    const std::vector<Tensor>& tensors() const { return tensors_; }
    const Values& values() const { return values_; }

    Tensor argument(const Value& value);
    std::vector<Tensor> argument(const Values& values);
    template <typename T>
    const T& argument(const T& other) {
      return other;
    }

   private:
    Where where_;
    std::vector<Tensor> tensors_;
    Values values_;
  };

  // Adds the kernel unless the module has an equal one. Returns the name of the kernel in the
  // module.
  std::string add_kernel(TensorKernel kernel);
  // What a variable is bound to; null if it is not a variable of this builder.
  std::shared_ptr<const Definition> lookup(const Value& variable) const;
  // The module built so far.
  const Module& module() const { return module_; }

  // The parts of function, dataflow and emit_branch, for languages with scopes of their own. An end
  // is refused if another scope is open inside, or if its own scope is not open. An abandoned scope
  // has no effect.
  void begin_function(const std::string& name, const std::optional<Values>& parameters,
                      const Where& where = Where::here());
  void end_function(const Where& where = Where::here());
  void abandon_function();
  void begin_dataflow(const Where& where = Where::here());
  void end_dataflow(const Where& where = Where::here());
  void abandon_dataflow();
  void begin_branch(const Where& where = Where::here());
  Body end_branch(const Value& result, const Where& where = Where::here());
  void abandon_branch();

 private:
  struct Open;
  Error refused(const std::string& explanation, const std::string& mend, const Where& where) const;
  Open& open(const Where& where) const;
  void set_parameters(const Values& parameters, const Where& where);
  // The variables of the calls inside a value that is bound. A call that occurs twice has one
  // variable.
  using Inner = std::unordered_map<const ValueNode*, Value>;
  Value bound(const Value& value, bool is_output, Inner& inner, const Where& where);
  Value leaf(const Value& value, Inner& inner, const Where& where);
  Value leaf(const Value& value, const Where& where);
  Value bind(std::shared_ptr<const Definition> definition, const ValueType& stated, bool is_output,
             const Where& where);
  std::string fresh_name(bool is_local);
  std::string fresh_kernel_name(const std::string& name);
  void abandon_kernels(std::size_t since);

  Module module_;
  std::unordered_map<std::string, std::string> kernels_;  // by what they compute
  // The definitions of all variables, also of those in abandoned scopes.
  struct Bound {
    Value variable = {};
    std::shared_ptr<const Definition> definition = {};
  };
  Table<const ValueNode*, Bound> definitions_;
  std::unordered_map<std::string, int> kernel_names_;  // how many were made of each name
  int locals_ = 0, others_ = 0;                        // names that have been given
  std::unique_ptr<Open> open_;                         // the function that is being built, or null
};

}  // namespace strata::graph
