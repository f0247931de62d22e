#include "graph/onnx/loop.h"

#include <map>

#include "graph/ops/ops.h"

namespace strata::graph::onnx {

namespace {

// Types over the symbols of another function. Each dim that is not a number becomes a symbol there.
class OtherSymbols {
 public:
  ValueType operator()(const ValueType& type) {
    return with_dims(type, [&](const Expr& dim) { return constant_dim(dim) ? dim : symbol(dim); });
  }

 private:
  Expr symbol(const Expr& dim) {
    const auto [found, is_new] = symbols_.emplace(dim_text(dim), Expr());
    if (is_new) found->second = parameter("s" + std::to_string(symbols_.size() - 1));
    return found->second;
  }
  std::map<std::string, Expr> symbols_;
};

// One loop as a function of its own.
class LoopFunction {
 public:
  LoopFunction(const LoopForm& form, const std::string& name, const std::vector<Shape>& row_dims,
               Type element, const Where& where)
      : form_(form), name_(name), inner_(builder_, where) {
    const ValueType number = ValueType::tensor(Shape(), i64);
    first_ = add("first", number);
    end_ = add("end", number);
    OtherSymbols symbols;
    for (const Value& v : form.states) states_.push_back(add("state", symbols(v.type())));
    for (const Value& v : form.others) others_.push_back(add("other", symbols(v.type())));
    std::vector<ValueType> results;
    for (const Shape& dims : row_dims)
      results.push_back(ValueType::tensor(dims.rank() + 1, element));
    for (const Value& state : states_) results.push_back(state.type());
    result_ = ValueType::tuple(results);
  }

  const Values& parameters() const { return parameters_; }
  const ValueType& result() const { return result_; }

  GraphFunction built() {
    const Where& where = inner_.where();
    builder_.declare(name_, parameters_, result_, where);
    builder_.begin_function(name_, parameters_, where);
    const Value length = emit("subtract", {end_, first_});
    const Value one = Value(NDArray::scalar<std::int64_t>(1));
    const Value is_many = emit("greater", {length, one});
    const Value result = builder_.emit_branch(
        is_many, [&] { return halves(length); }, [&] { return once(); }, where);
    builder_.emit_function_output(result, {}, where);
    builder_.end_function(where);
    return *builder_.module().function(name_);
  }

 private:
  Value add(const std::string& name, const ValueType& type) {
    parameters_.push_back(variable(name + std::to_string(parameters_.size()), type));
    return parameters_.back();
  }
  Value emit(const char* op, const Values& arguments, const Attributes& attributes = {}) {
    return builder_.emit(call(op, arguments, attributes), inner_.where());
  }

  Values called(const Value& first, const Value& end, const Values& states) {
    Values arguments{first, end};
    arguments.insert(arguments.end(), states.begin(), states.end());
    arguments.insert(arguments.end(), others_.begin(), others_.end());
    const Value all = builder_.emit(call_function(name_, arguments), inner_.where());
    Values fields;
    for (std::size_t k = 0; k < form_.rows + states_.size(); ++k)
      fields.push_back(builder_.emit(field(all, int(k)), inner_.where()));
    return fields;
  }

  Value halves(const Value& length) {
    const Value two = Value(NDArray::scalar<std::int64_t>(2));
    const Value middle = emit("add", {first_, emit("floor_divide", {length, two})});
    const auto rows = std::ptrdiff_t(form_.rows);
    const Values low = called(first_, middle, states_);
    Values high = called(middle, end_, Values(low.begin() + rows, low.end()));
    for (std::size_t k = 0; k < form_.rows; ++k)
      high[k] = emit("concatenate", {tuple_value({low[k], high[k]})},
                     attributes_of(FirstAxisAttributes{0}));
    return tuple_value(high, inner_.where());
  }

  Value once() {
    inner_.begin_block();
    auto [rows, states] = form_.body(inner_, first_, states_, others_);
    rows.insert(rows.end(), states.begin(), states.end());
    for (Value& value : rows) value = inner_.seen_outside(value);
    inner_.end_block();
    return tuple_value(inner_.bound(rows), inner_.where());
  }

  const LoopForm& form_;
  std::string name_;
  GraphBuilder builder_;
  Emitter inner_;
  Values parameters_, states_, others_;
  Value first_, end_;
  ValueType result_;
};

}  // namespace

std::pair<Values, Values> emitted_loop(Emitter& emitter, const Value& count, const Expr& length,
                                       const std::vector<Shape>& row_dims, Type element,
                                       const LoopForm& form) {
  const Where& where = emitter.where();
  const std::string name = emitter.fresh_function(form.name);
  LoopFunction function(form, name, row_dims, element, where);
  emitter.builder().declare(name, function.parameters(), function.result(), where);
  emitter.add_function(function.built());
  Values arguments{Value(NDArray::scalar<std::int64_t>(0)), emitter.bound(count)};
  for (const Value& v : emitter.bound(form.states)) arguments.push_back(v);
  for (const Value& v : emitter.bound(form.others)) arguments.push_back(v);
  const Value all = emitter.builder().emit(call_function(name, arguments), where);
  Values rows, states;
  for (std::size_t k = 0; k < form.rows + form.states.size(); ++k) {
    const Value one = emitter.builder().emit(field(all, int(k)), where);
    if (k < form.rows)
      rows.push_back(
          emitter.builder().match_shape(one, Shape{length}.appended(row_dims[k]), where));
    else
      states.push_back(one);
  }
  return {rows, states};
}

}  // namespace strata::graph::onnx
