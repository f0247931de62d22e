#include <fmt/format.h>

#include "graph/build/lowered.h"
#include "graph/build/passes.h"
#include "graph/build/slots.h"
#include "graph/builder/variable_names.h"
#include "graph/text/print.h"

namespace strata::graph {

namespace {

constexpr const char* slots_attribute = "shape_slots";  // how many a lowered function has

class ShapeLowering {
 public:
  explicit ShapeLowering(const GraphFunction& function)
      : function_(function), names_(function), heap_(variable(names_.fresh("heap"), {})) {}

  GraphFunction operator()() {
    GraphFunction made = function_;
    line_ = function_.where;
    for (const Value& p : function_.parameters) check(p, p.type(), "%" + p.name());
    flush();
    for (const auto& [symbol, bound] : bounds_of(function_))
      act(builtin::check_bound, {leaf(shape_value({parameter(symbol)})), integer_value(bound),
                                 text_value("@" + function_.name + ": " + symbol)});
    made.body = body(function_.body, &function_.result);
    if (slots_.count() > 0)
      made.body.blocks[0].bindings.insert(
          made.body.blocks[0].bindings.begin(),
          bound(heap_, PackedCall{builtin::shape_heap, {integer_value(slots_.count())}, true}));
    made.attributes.set(slots_attribute, slots_.count());
    return made;
  }

 private:
  // After what has been put out already. The result is one of "result", if that is given.
  Body body(const Body& given, const ValueType* result) {
    for (const Block& block : given.blocks)
      for (const Binding& b : block.bindings) binding(b);
    Body made;
    made.result = leaf(given.result);
    if (result) check(made.result, *result, "return");
    flush();
    if (!out_.empty()) made.blocks.push_back({false, std::exchange(out_, {})});
    return made;
  }

  void binding(const Binding& b) {
    line_ = b.where;
    at_ = "%" + b.value.name();
    if (const auto* branch = b.as<Branch>()) {
      out_.push_back({b.value, std::make_shared<const Definition>(lowered(*branch)), b.where});
    } else {
      Definition made =
          with_operands(*b.definition, [this](const Value& operand) { return leaf(operand); });
      if (const auto* match = std::get_if<MatchShape>(&made)) this->match(*match, b.value);
      out_.push_back({b.value, std::make_shared<const Definition>(std::move(made)), b.where});
    }
    if (b.value.node()->variable().is_stated && !is_builtin_call(*b.definition) &&
        !writes_results(b)) {
      check(b.value, b.value.type(), at_);
      flush();
    }
  }

  // What one side makes known is not known after it.
  Branch lowered(const Branch& branch) {
    Branch made = branch;
    made.condition = leaf(branch.condition);
    std::vector<Binding> outside = std::move(out_);
    const Slots::Known known = slots_.known();
    const auto shapes = shapes_;
    for (auto* side : {&made.then, &made.otherwise}) {
      out_ = {};
      *side = std::make_shared<const Body>(body(**side, nullptr));
      slots_.restore(known);
      shapes_ = shapes;
    }
    out_ = std::move(outside);
    return made;
  }

  // ---- what is put out ----

  Binding bound(const Value& variable, PackedCall call) const {
    return {variable, std::make_shared<const Definition>(std::move(call)), line_};
  }

  Value emit(const char* callee, const Values& arguments, const ValueType& type,
             const std::string& name = "void") {
    const Value made(std::make_shared<const ValueNode>(
        ValueNode{Variable{names_.fresh(name), false, true}, type}));
    out_.push_back(bound(made, {callee, arguments, true}));
    return made;
  }
  void act(const char* callee, const Values& arguments) {
    emit(callee, arguments, ValueType::nothing());
  }

  // ---- shapes as values ----

  Value leaf(const Value& given) {
    if (const auto* shape = given.node()->as<ShapeLiteral>()) return shape_of(given, shape->dims);
    const auto* tuple = given.node()->as<TupleOf>();
    if (!tuple) return given;
    Values fields;
    for (const Value& field : tuple->fields) fields.push_back(leaf(field));
    return fields == tuple->fields ? given : tuple_value(fields);
  }

  Value shape_of(const Value& literal, const Shape& dims) {
    const auto is_number = [](const Expr& dim) { return constant_dim(dim).has_value(); };
    if (std::all_of(dims.begin(), dims.end(), is_number)) return literal;
    const std::string text = text_of(dims);
    if (const auto found = shapes_.find(text); found != shapes_.end()) return found->second;
    compute(dims);
    Slots::Codes codes;
    for (const Expr& dim : dims) slots_.add(dim, codes);
    const Value made =
        emit(builtin::make_shape, {heap_, integers_value(codes)}, ValueType::shape(dims), "shape");
    return shapes_[text] = made;
  }

  // Those of the dims that are not known get slots.
  void compute(const Shape& dims) {
    Slots::Codes program;
    for (const Expr& dim : dims) {
      if (constant_dim(dim) || slots_.is_known(dim)) continue;
      if (!slots_.is_computable(dim)) throw undefined(dim);
      slots_.compute(dim, program);
    }
    if (!program.empty()) act(builtin::compute_shape, {heap_, integers_value(program)});
  }

  Error undefined(const Expr& dim) const {
    return Request{"ShapeLower", line_}.refused(
        Code::E0601_malformed_graph,
        fmt::format("W6, in @{}, at {}: nothing before it defines the symbols of {}",
                    function_.name, at_, dim_text(dim)),
        "verify(module) tells why");
  }

  // ---- checks ----

  // "@main: %x, Tensor[(n, 4), float32]"
  Value text(const std::string& what, const ValueType& type) const {
    return text_value(fmt::format("@{}: {}, {}", function_.name, what, type.text()));
  }

  void match(const MatchShape& d, const Value& variable) {
    const ValueType pattern = d.of.type().is_shape()
                                  ? ValueType::shape(d.pattern)
                                  : ValueType::tensor(d.pattern, d.of.type().element());
    match(d.of, d.pattern, text("%" + (d.of.is_variable() ? d.of : variable).name(), pattern));
    flush();
  }

  // Symbols without values get them here. Dims that cannot be computed yet are put off.
  void match(const Value& value, const Shape& dims, const Value& what) {
    Slots::Codes codes;
    Shape later;
    for (const Expr& dim : dims) {
      if (!constant_dim(dim) && dim.op() != Op::parameter && slots_.is_computable(dim))
        compute({dim});
      const bool is_symbol = dim.op() == Op::parameter;
      const bool is_new = !constant_dim(dim) && !slots_.is_known(dim);
      if (is_symbol && is_new)
        slots_.define(dim, codes);
      else if (!is_new)
        slots_.add(dim, codes);
      else
        codes.insert(codes.end(), {std::int64_t(DimCode::nothing), 0});
      if (is_new && !is_symbol) later = dims;
    }
    const Value heap = slots_.count() > 0 ? heap_ : shape_value({});
    act(builtin::match_shape, {value, heap, integers_value(codes), what});
    if (!later.empty()) later_.push_back({value, later, what});
  }

  // What has been put off.
  void flush() {
    for (const Later& put_off : std::exchange(later_, {})) {
      compute(put_off.dims);
      match(put_off.value, put_off.dims, put_off.what);
    }
  }

  void check(const Value& value, const ValueType& type, const std::string& what) {
    switch (type.kind()) {
      case ValueType::Kind::object:
      case ValueType::Kind::function: return;
      case ValueType::Kind::nothing: return act(builtin::check_nothing, {value, text(what, type)});
      case ValueType::Kind::tuple: return check_fields(value, type, what);
      case ValueType::Kind::tensor: {
        const std::string element = type.element() ? element_name(*type.element()) : "";
        act(builtin::check_tensor, {value, integer_value(type.rank().value_or(-1)),
                                    text_value(element), text(what, type)});
        break;
      }
      case ValueType::Kind::shape:
        act(builtin::check_shape,
            {value, integer_value(type.rank().value_or(-1)), text(what, type)});
    }
    if (type.dims() && type.dims()->rank() > 0) match(value, *type.dims(), text(what, type));
    if (type.extents())
      act(builtin::check_extents, {value, Value(type.extents()), text(what, type)});
  }

  void check_fields(const Value& value, const ValueType& type, const std::string& what) {
    act(builtin::check_tuple,
        {value, integer_value(std::int64_t(type.fields().size())), text(what, type)});
    for (std::size_t k = 0; k < type.fields().size(); ++k) {
      const ValueType& field = type.fields()[k];
      if (field.kind() == ValueType::Kind::object || field.kind() == ValueType::Kind::function)
        continue;
      const Value made =
          emit(builtin::tuple_field, {value, integer_value(std::int64_t(k))}, field, "field");
      check(made, field, fmt::format("field {} of {}", k, what));
    }
  }

  struct Later {
    Value value;
    Shape dims;
    Value what;
  };

  const GraphFunction& function_;
  VariableNames names_;
  Value heap_;
  Slots slots_ = {};
  std::vector<Binding> out_ = {};             // of the body at hand
  std::map<std::string, Value> shapes_ = {};  // made from slots, by their texts
  std::vector<Later> later_ = {};
  Line line_ = {};
  std::string at_ = "the parameters";
};

}  // namespace

Pass shape_lower() {
  return Pass({"ShapeLower", 0, {}}, [](const Module& module, const PassContext&) {
    using Made = std::optional<GraphFunction>;
    return with_lowered(module, [](const GraphFunction& function) -> Made {
      if (function.attributes.find(slots_attribute)) return std::nullopt;
      return ShapeLowering(function)();
    });
  });
}

std::vector<Pass> lowering_passes() {
  return {to_non_dataflow(), call_kernel_rewrite(), plan_memory(),
          memory_lower(),    kill_after_last_use(), shape_lower()};
}

}  // namespace strata::graph
