#include "graph/onnx/emitter.h"

#include <algorithm>

#include "graph/ir/operator_types.h"
#include "graph/ops/registry.h"

namespace strata::graph::onnx {

namespace {

// Is it an elementwise operator on broadcast operands?
bool is_elementwise(const std::string& op) {
  static const std::set<std::string> names = {
#define STRATA_NAME(name) #name,
      STRATA_BINARY_OPERATORS(STRATA_NAME)
#undef STRATA_NAME
          "where"};
  return names.contains(op);
}

// May one operand have an extent of 1 where the other operand has another extent?
bool broadcasts(const std::string& op) {
  return is_elementwise(op) || op == "broadcast_to" || op == "matmul";
}

// Is each of the two dims 1 exactly if the other is? Then the operands of a broadcast have equal
// extents.
bool are_one_together(const Expr& a, const Expr& b) {
  const auto follows = [&](const Expr& given, const Expr& other) {
    std::vector<Expr> facts = facts_of(a + b);
    facts.push_back(given == 1);
    return equal(other, strata::constant(i64, 1), facts) == Answer::yes;
  };
  return follows(a, b) && follows(b, a);
}

bool has_known_extents(const ValueType& type) {
  if (!type.is_tuple()) return type.dims().has_value();
  return std::all_of(type.fields().begin(), type.fields().end(), has_known_extents);
}

}  // namespace

Values Emitter::emit_all(const std::string& op, const Values& arguments,
                         const Attributes& attributes) {
  std::vector<KnownRef> known;
  for (const Value& argument : arguments)
    if (KnownRef numbers = find_known(argument)) known.push_back(std::move(numbers));
  if (known.size() == arguments.size())
    if (const auto results = folded(find_operator(op, where_), known, attributes, where_)) {
      Values values;
      for (const KnownRef& result : *results) values.push_back(value_of(result));
      return values;
    }
  return fields(
      builder_.emit(call(op, agreeing(op, bound(arguments), attributes), attributes), where_));
}

Values Emitter::agreeing(const std::string& op, Values arguments, const Attributes& attributes) {
  const Request request{op, where_};
  for (int round = 0; round < most_matches; ++round) {
    const OperatorCall call{op, arguments, attributes};
    const std::vector<ValueType> types = tensor_types(call, request);
    if (!are_known(types) || has_known_extents(operator_type(call, request))) break;
    try {
      find_operator(op, where_)(tensors_of(types, where_), attributes, where_);
      break;
    } catch (const MayDiffer& difference) {
      const Expr &one = difference.one(), &other = difference.other();
      if (broadcasts(op) && !are_one_together(one, other)) break;
      const bool is_shorter = dim_text(one).size() <= dim_text(other).size();
      const Expr &kept = is_shorter ? one : other, &replaced = is_shorter ? other : one;
      for (Value& argument : arguments) argument = matched(argument, replaced, kept);
    }
  }
  return arguments;
}

Value Emitter::matched(const Value& value, const Expr& replaced, const Expr& kept) {
  Shape pattern = *value.type().dims();
  const std::string text = dim_text(replaced);
  bool changes = false;
  for (Expr& dim : pattern)
    if (dim_text(dim) == text) {
      dim = kept;
      changes = true;
    }
  return changes ? builder_.match_shape(value, pattern, where_) : value;
}

Values Emitter::fields(const Value& value) {
  if (!value.type().is_tuple()) return {settled(value)};
  Values values;
  for (std::size_t k = 0; k < value.type().fields().size(); ++k)
    values.push_back(settled(builder_.emit(field(value, int(k)), where_)));
  return values;
}

// Adds a match_shape that names the unknown extents.
Value Emitter::settled(const Value& value, const Shape& known) {
  const ValueType& type = value.type();
  if (!type.is_tensor() || type.dims() || !type.rank()) return value;
  Shape pattern = known;
  pattern.resize(std::size_t(*type.rank()));
  for (Expr& dim : pattern)
    if (!dim.defined()) dim = fresh_symbol();
  return builder_.match_shape(value, pattern, where_);
}

Value Emitter::value_of(const KnownRef& known) {
  const Value value = variable(
      "known", ValueType::tensor(Shape(known->extents.begin(), known->extents.end()), known->type));
  entries_[value.node().get()] = {value, known};
  return value;
}

Value Emitter::constant(const NDArray& array) {
  if (const KnownRef known = known_array(array)) return value_of(known);
  return Value(array);
}

KnownRef Emitter::find_known(const Value& value) const {
  const auto found = entries_.find(value.node().get());
  return found == entries_.end() ? nullptr : found->second.known;
}

Value Emitter::bound(const Value& value) {
  const auto found = entries_.find(value.node().get());
  if (found == entries_.end()) return value;
  Entry& entry = found->second;
  if (!entry.made.defined() || (entry.made.is_variable() && entry.block != block_)) {
    entry.made = made_of(*entry.known);
    entry.block = block_;
  }
  return entry.made;
}

Values Emitter::bound(const Values& values) {
  Values result;
  for (const Value& value : values) result.push_back(bound(value));
  return result;
}

Value Emitter::made_of(const Known& known) {
  if (const auto array = constant_array(known)) return Value(*array);
  const Shape shape(known.extents.begin(), known.extents.end());
  const auto element = [&](const Indices& i) {
    Expr position = strata::constant(i64, 0);
    for (int d = 0; d < shape.rank(); ++d) position = position * shape[d] + i[d];
    Expr value = known.elements.back();
    for (std::size_t k = known.elements.size() - 1; k-- > 0;)
      value = select(position == std::int64_t(k), known.elements[k], value);
    return cast(known.type, value);
  };
  return builder_.emit_kernel("dims", {}, {compute(shape, element, "dims", where_)}, {}, where_);
}

Expr Emitter::fresh_symbol() {
  std::string name;
  do name = "n" + std::to_string(symbols_++);
  while (!reserved_.insert(name).second);
  return parameter(name);
}

void Emitter::begin_block() {
  builder_.begin_dataflow(where_);
  in_block_ = true;
  ++block_;
}

void Emitter::end_block() {
  builder_.end_dataflow(where_);
  in_block_ = false;
  ++block_;
}

Value Emitter::seen_outside(const Value& value) {
  const bool is_local = value.is_variable() && value.node()->variable().is_local;
  return is_local && !find_known(value) ? builder_.emit_output(value, where_) : value;
}

}  // namespace strata::graph::onnx
