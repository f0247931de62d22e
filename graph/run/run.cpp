#include "graph/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "graph/evaluate/element.h"
#include "graph/fuse/primitive.h"
#include "graph/operator/names.h"
#include "graph/run/compute.h"
#include "graph/run/match_value.h"
#include "graph/run/operations.h"
#include "graph/vm/registry.h"

namespace strata::graph {

namespace {

constexpr int most_nested_functions = 1000;
constexpr int most_running_bodies = 2500;

// What the calls of one run share.
struct Shared {
  Computing computing;
  int bodies = 0;                                  // running bodies: calls and branches
  std::unordered_set<const void*> constants = {};  // the memory of constants used so far

  // The value, copied if its memory is a constant's. So nothing that the caller does with a result,
  // or a packed function with its arguments, changes the program.
  VmValue owned(const VmValue& value) const {
    if (value.array() && value.array()->defined() &&
        constants.contains(value.array()->memory().get()))
      return value.array()->copied();
    if (!value.fields()) return value;
    VmValue::Fields fields;
    for (const VmValue& field : *value.fields()) fields.push_back(owned(field));
    return VmValue::tuple(std::move(fields));
  }
};

// One call of a graph function.
class Frame {
 public:
  Frame(const Module& module, const GraphFunction& function, Shared& shared, int depth,
        const Where& where)
      : module_(module), function_(function), shared_(shared), depth_(depth), where_(where) {}

  VmValue call(const std::vector<VmValue>& arguments) {
    const Request request{"run(@" + function_.name + ")", where_};
    if (depth_ > most_nested_functions)
      throw request.refused(
          Code::E0901_out_of_budget,
          fmt::format("calls are nested more than {} deep", most_nested_functions));
    if (arguments.size() != function_.parameters.size())
      throw request.refused(Code::E0602_does_not_fit,
                            fmt::format("{} values are given for {} parameters", arguments.size(),
                                        function_.parameters.size()));
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      define_symbols(function_.parameters[k].type(), arguments[k], symbols_);
      values_[function_.parameters[k].node().get()] = arguments[k];
    }
    for (std::size_t k = 0; k < arguments.size(); ++k)
      require(function_.parameters[k].type(), arguments[k], "%" + function_.parameters[k].name(),
              request);
    VmValue result = body(function_.body);
    require(function_.result, result, "the result of @" + function_.name, request);
    return result;
  }

 private:
  VmValue body(const Body& body) {
    if (++shared_.bodies > most_running_bodies)
      throw Request{"run(@" + function_.name + ")", where_}.refused(
          Code::E0901_out_of_budget,
          fmt::format("calls and branches are nested more than {} deep", most_running_bodies));
    for (const Block& block : body.blocks)
      for (const Binding& binding : block.bindings) {
        const Request request{"run(@" + function_.name + "): %" + binding.value.name(),
                              binding.where};
        VmValue value = std::visit([&](const auto& d) { return computed(d, binding, request); },
                                   *binding.definition);
        if (binding.value.node()->variable().is_stated) {
          require(binding.value.type(), value, "%" + binding.value.name(), request);
        }
        values_[binding.value.node().get()] = std::move(value);
      }
    --shared_.bodies;
    return value_of(body.result, {"run(@" + function_.name + ")", where_});
  }

  void require(const ValueType& type, const VmValue& value, const std::string& what,
               const Request& request) const {
    const ValueOf variable = [&](const ValueNode* node) -> const VmValue& {
      return values_.at(node);
    };
    require_type(type, value, symbols_, variable, what, request);
  }

  // ---- leaves ----

  VmValue value_of(const Value& leaf, const Request& request) const {
    if (leaf.is_variable()) {
      const auto found = values_.find(leaf.node().get());
      if (found == values_.end())
        throw request.refused(Code::E0601_malformed_graph, "%" + leaf.name() + " has no value",
                              "verify(module) tells why");
      return found->second;
    }
    if (const auto* constant = leaf.node()->as<ArrayConstant>()) {
      if (constant->array.defined()) shared_.constants.insert(constant->array.memory().get());
      return constant->array;
    }
    if (const auto* shape = leaf.node()->as<ShapeLiteral>()) return numbers(shape->dims, request);
    if (const auto* global = leaf.node()->as<GlobalName>()) return VmValue(global->name);
    if (const auto* text = leaf.node()->as<TextLiteral>()) return VmValue(text->text);
    VmValue::Fields fields;
    if (const auto* tuple = leaf.node()->as<TupleOf>())
      for (const Value& field : tuple->fields) fields.push_back(value_of(field, request));
    return VmValue::tuple(std::move(fields));
  }

  ShapeNumbers numbers(const Shape& dims, const Request& request) const {
    ShapeNumbers shape;
    for (const Expr& dim : dims) {
      const auto number = graph::value_of(dim, symbols_);
      if (!number)
        throw request.refused(Code::E0602_does_not_fit, dim_text(dim) + " has no value in int64",
                              "give arrays of other extents");
      shape.numbers.push_back(*number);
    }
    return shape;
  }

  std::vector<VmValue> values_of(const Values& leaves, const Request& request) const {
    std::vector<VmValue> all;
    for (const Value& leaf : leaves) all.push_back(value_of(leaf, request));
    return all;
  }

  // ---- arrays ----

  // Arrays and their types; a tuple stands for its fields.
  struct Arrays {
    std::vector<ValueType> types = {};
    std::vector<NDArray> arrays = {};
  };
  Arrays arrays_of(const Values& leaves, const Request& request) const {
    Arrays all;
    for (const Value& leaf : leaves) add_arrays(leaf.type(), value_of(leaf, request), request, all);
    return all;
  }
  void add_arrays(const ValueType& type, const VmValue& value, const Request& request,
                  Arrays& all) const {
    if (const auto* fields = value.fields()) {
      for (std::size_t k = 0; k < fields->size(); ++k)
        add_arrays(type.is_tuple() ? type.fields()[k] : ValueType(), (*fields)[k], request, all);
      return;
    }
    if (!value.array() || !value.array()->defined())
      throw request.refused(Code::E0602_does_not_fit,
                            std::string("an argument is ") + value.kind() + ", and no array");
    all.types.push_back(type);
    all.arrays.push_back(*value.array());
  }

  // The results of a kernel in memory of their own: a result may be an argument, a view of one, or
  // an earlier result.
  static std::vector<NDArray> made(std::vector<NDArray> results, std::vector<NDArray> others) {
    for (NDArray& result : results) {
      const auto shares = [&](const NDArray& other) { return other.shares(result); };
      if (std::any_of(others.begin(), others.end(), shares)) result = result.copied();
      others.push_back(result);
    }
    return results;
  }

  static VmValue packed(const std::vector<NDArray>& results) {
    if (results.size() == 1) return results[0];
    return VmValue::tuple(VmValue::Fields(results.begin(), results.end()));
  }

  // ---- definitions ----

  VmValue computed(const OperatorCall& d, const Binding&, const Request& request) const {
    const auto [types, arrays] = arrays_of(d.arguments, request);
    return packed(shared_.computing(d, types, arrays, symbols_, request.where));
  }

  VmValue computed(const FunctionCall& d, const Binding&, const Request& request) const {
    const GraphFunction* f = module_.function(d.callee);
    if (!f || !f->body.result.defined())
      throw request.refused(Code::E0601_malformed_graph, "W5: there is no function @" + d.callee);
    if (is_primitive(*f)) return primitive(*f, d.arguments, request);
    Frame frame(module_, *f, shared_, depth_ + 1, request.where);
    return frame.call(values_of(d.arguments, request));
  }

  // Runs a primitive function by its kernel.
  VmValue primitive(const GraphFunction& f, const Values& arguments, const Request& request) const {
    Arrays all;
    SymbolValues symbols;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const VmValue value = value_of(arguments[k], request);
      if (value.shape())
        define_symbols(f.parameters.at(k).type(), value, symbols);
      else
        add_arrays(arguments[k].type(), value, request, all);
    }
    return packed(shared_.computing(f, all.arrays, symbols, request.where));
  }

  VmValue computed(const KernelCall& d, const Binding&, const Request& request) const {
    std::vector<ShapeNumbers> extents;
    for (const Value& leaf : d.extents) {
      const VmValue shape = value_of(leaf, request);
      if (!shape.shape())
        throw request.refused(Code::E0602_does_not_fit,
                              std::string("extents are ") + shape.kind() + ", and no shape");
      extents.push_back(*shape.shape());
    }
    return d.is_packed ? written_by_packed(d, extents, request) : kernel(d, extents, request);
  }

  VmValue kernel(const KernelCall& d, const std::vector<ShapeNumbers>& extents,
                 const Request& request) const {
    const TensorKernel* kernel = module_.kernel(d.callee);
    if (!kernel)
      throw request.refused(Code::E0601_malformed_graph, "W5: there is no kernel @" + d.callee);
    const std::vector<NDArray> arrays = arrays_of(d.arguments, request).arrays;
    const ShapeNumbers integers = numbers(d.integers, request);
    if (arrays.size() != kernel->inputs.size() ||
        integers.numbers.size() != kernel->integers.size())
      throw request.refused(Code::E0602_does_not_fit,
                            "@" + d.callee + " takes other arguments than are given");
    SymbolValues symbols;
    for (std::size_t k = 0; k < kernel->integers.size(); ++k)
      symbols[kernel->integers[k]] = integers.numbers[k];
    const std::vector<NDArray> results =
        made(shared_.computing(*kernel, arrays, symbols, request.where), arrays);
    for (std::size_t k = 0; k < results.size(); ++k)
      if (k < extents.size() && results[k].extents() != extents[k].numbers)
        throw request.refused(Code::E0602_does_not_fit,
                              fmt::format("@{} computes extents ({}), and ({}) are given", d.callee,
                                          fmt::join(results[k].extents(), ", "),
                                          fmt::join(extents[k].numbers, ", ")));
    return packed(results);
  }

  // Calls a packed function in destination-passing style.
  VmValue written_by_packed(const KernelCall& d, const std::vector<ShapeNumbers>& extents,
                            const Request& request) const {
    std::vector<VmValue> arguments = values_of(d.arguments, request);
    std::vector<NDArray> results;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      try {
        results.emplace_back(element_type_of(d.elements.at(k)), extents[k].numbers);
      } catch (const std::length_error&) {
        throw request.refused(
            Code::E0602_does_not_fit,
            fmt::format("no array has the extents ({})", fmt::join(extents[k].numbers, ", ")));
      }
      arguments.emplace_back(results.back());
    }
    for (const std::int64_t integer : numbers(d.integers, request).numbers)
      arguments.emplace_back(integer);
    function_named(d.callee, request)(arguments);
    return packed(results);
  }

  VmValue computed(const PackedCall& d, const Binding&, const Request& request) const {
    std::vector<VmValue> arguments = values_of(d.arguments, request);
    if (!d.is_pure)  // it may write to its arguments
      for (VmValue& argument : arguments) argument = shared_.owned(argument);
    return function_named(d.callee, request)(arguments);
  }

  static PackedFunction function_named(const std::string& name, const Request& request) {
    if (const auto function = find_packed(name)) return *function;
    throw unknown_name(name, packed_names(), Code::E0601_malformed_graph,
                       "no packed function is called \"" + name + "\"",
                       "register_packed(\"" + name + "\", f)", request);
  }

  VmValue computed(const ShapeOf& d, const Binding&, const Request& request) const {
    const VmValue value = value_of(d.of, request);
    if (!value.array() || !value.array()->defined())
      throw request.refused(Code::E0602_does_not_fit,
                            std::string("shape_of takes an array, and gets ") + value.kind());
    return ShapeNumbers{value.array()->extents()};
  }

  VmValue computed(const FieldOf& d, const Binding&, const Request& request) const {
    const VmValue value = value_of(d.of, request);
    if (!value.fields() || d.index < 0 || d.index >= int(value.fields()->size()))
      throw request.refused(Code::E0602_does_not_fit,
                            fmt::format("{} has no field {}", value.kind(), d.index));
    return (*value.fields())[d.index];
  }

  VmValue computed(const Alias& d, const Binding&, const Request& request) const {
    return value_of(d.of, request);
  }

  VmValue computed(const MatchShape& d, const Binding& binding, const Request& request) {
    const VmValue value = value_of(d.of, request);
    const ValueType pattern =
        d.of.type().is_shape() ? ValueType::shape(d.pattern) : ValueType::tensor(d.pattern, {});
    define_symbols(pattern, value, symbols_);
    require(pattern, value, d.of.is_variable() ? "%" + d.of.name() : "%" + binding.value.name(),
            request);
    return value;
  }

  VmValue computed(const Branch& d, const Binding&, const Request& request) {
    const VmValue condition = value_of(d.condition, request);
    const NDArray* array = condition.array();
    if (!array || !array->defined() || array->rank() != 0 || element_of(array->type()) != boolean)
      throw request.refused(
          Code::E0602_does_not_fit,
          std::string("a condition is a boolean array of rank 0, and not ") + condition.kind());
    const SymbolValues outside = symbols_;
    VmValue result = body(*array->raw() != std::byte{0} ? *d.then : *d.otherwise);
    symbols_ = outside;
    return result;
  }

  const Module& module_;
  const GraphFunction& function_;
  Shared& shared_;
  int depth_;
  Where where_;
  std::unordered_map<const ValueNode*, VmValue> values_ = {};
  SymbolValues symbols_ = {};
};

// The values of the symbols that the arguments give; some if they do not fit.
SymbolValues sizes_of(const GraphFunction& function, const std::vector<VmValue>& arguments) {
  SymbolValues sizes;
  for (std::size_t k = 0; k < std::min(arguments.size(), function.parameters.size()); ++k)
    define_symbols(function.parameters[k].type(), arguments[k], sizes);
  return sizes;
}

}  // namespace

VmValue run(const Module& module, const std::string& function,
            const std::vector<VmValue>& arguments, const RunOptions& options, const Where& where) {
  const GraphFunction* f = module.function(function);
  if (!f || !f->body.result.defined())
    throw Request{"run", where}.refused(Code::E0601_malformed_graph,
                                        "the module has no function @" + function);
  const bool any_is_special = options.specialise < 1 && options.by == RunBy::kernels;
  Shared shared{any_is_special
                    ? Computing(options.by, options.specialise * operation_count(module, *f))
                    : Computing(options.by)};
  shared.computing.expect(sizes_of(*f, arguments));
  shared.computing.compile_ahead(module, *f);
  const VmValue result = Frame(module, *f, shared, 0, where).call(arguments);
  return shared.owned(result);
}

}  // namespace strata::graph
