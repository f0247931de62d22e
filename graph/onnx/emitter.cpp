#include "graph/onnx/emitter.h"

#include "graph/ops/registry.h"

namespace strata::graph::onnx {

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
  return fields(builder_.emit(call(op, bound(arguments), attributes), where_));
}

Values Emitter::fields(const Value& value) {
  if (!value.type().is_tuple()) return {settled(value)};
  Values values;
  for (std::size_t k = 0; k < value.type().fields().size(); ++k)
    values.push_back(settled(builder_.emit(field(value, int(k)), where_)));
  return values;
}

// match_shape names the extents that are not known.
Value Emitter::settled(const Value& value) {
  const ValueType& type = value.type();
  if (!type.is_tensor() || type.dims() || !type.rank()) return value;
  Shape pattern;
  for (int d = 0; d < *type.rank(); ++d) pattern.push_back(fresh_symbol());
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
  do name = "d" + std::to_string(symbols_++);
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
