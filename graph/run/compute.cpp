#include "graph/run/compute.h"

#include <fmt/format.h>

#include "graph/evaluate/evaluate.h"
#include "graph/fuse/parametric.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/operator_types.h"
#include "graph/operator/operator.h"
#include "graph/run/operations.h"

namespace strata::graph {

namespace {

// The attributes with the current values of the dims in them.
Attributes with_values(const Attributes& attributes, const SymbolValues& symbols) {
  Attributes values;
  for (const Attributes::Entry& entry : attributes.entries()) {
    Attribute value = entry.value;
    if (Shape* dims = std::get_if<Shape>(&value))
      for (Expr& dim : *dims)
        if (const auto number = value_of(dim, symbols)) dim = constant(i64, *number);
    values.set(entry.name, value);
  }
  return values;
}

// Types of arrays with one symbol for each different extent, so that the code serves other extents,
// too; or with the extents themselves ("is_constant").
std::vector<ValueType> types_by_extents(const std::vector<NDArray>& arrays, bool is_constant,
                                        SymbolValues& symbols) {
  std::map<std::int64_t, Expr> dims;
  std::vector<ValueType> types;
  for (const NDArray& array : arrays) {
    Shape shape;
    for (const std::int64_t extent : array.extents()) {
      const std::string name = "d" + std::to_string(dims.size());
      const Expr dim = is_constant || extent == 1 ? constant(i64, extent) : parameter(name);
      const auto [known, fresh] = dims.emplace(extent, dim);
      if (fresh && dim.op() == Op::parameter) symbols[name] = extent;
      shape.push_back(known->second);
    }
    types.push_back(ValueType::tensor(shape, element_of(array.type())));
  }
  return types;
}

}  // namespace

std::shared_ptr<Computing::Computation> Computing::made(const OperatorCall& call,
                                                        const std::vector<ValueType>& types,
                                                        const Attributes& attributes,
                                                        const Where& where) {
  const std::string key = key_of({call.callee, {}, attributes, call.layouts}, types);
  const auto [found, fresh] = operators_.emplace(key, nullptr);
  if (!fresh) return found->second;
  const OperatorCall own{call.callee, {}, attributes, call.layouts};
  const MakeOutputs make = [&](const std::vector<Tensor>& inputs, const CallOperator& f) {
    return f(own, inputs, where);
  };
  auto computation = std::make_shared<Computation>();
  try {
    computation->name = call.callee;
    TensorKernel& given = computation->given = {call.callee, tensors_of(types, where), {}};
    given.outputs = make(given.inputs, call_operator);
  } catch (...) {
    operators_.erase(key);
    throw;
  }
  computation->parametric = parametric(computation->given, make);
  return operators_[key] = std::move(computation);
}

std::vector<NDArray> Computing::operator()(const OperatorCall& call,
                                           const std::vector<ValueType>& types,
                                           const std::vector<NDArray>& arrays,
                                           const SymbolValues& symbols, const Where& where) {
  if (are_known(types)) try {
      return run(*made(call, types, call.attributes, where), arrays, symbols, where);
    } catch (const MayDiffer&) {
    }
  const Attributes attributes = with_values(call.attributes, symbols);
  try {
    SymbolValues own;
    const std::vector<ValueType> patterns = types_by_extents(arrays, false, own);
    return run(*made(call, patterns, attributes, where), arrays, own, where);
  } catch (const Error& error) {
    if (error.code() != Code::E0602_does_not_fit) throw;
  }
  SymbolValues own;
  const std::vector<ValueType> numbers = types_by_extents(arrays, true, own);
  return run(*made(call, numbers, attributes, where), arrays, own, where);
}

Computing::Computation& Computing::made(const TensorKernel& kernel) {
  const auto [found, fresh] = kernels_.try_emplace(&kernel);
  if (fresh) found->second = {"@" + kernel.name, kernel, kernel};
  return found->second;
}

Computing::Computation& Computing::made(const GraphFunction& primitive) {
  const auto found = kernels_.find(&primitive);
  if (found != kernels_.end()) return found->second;
  Computation fresh{"@" + primitive.name, kernel_of(primitive), {}};
  fresh.parametric = parametric_kernel_of(primitive, fresh.given);
  return kernels_.emplace(&primitive, std::move(fresh)).first->second;
}

std::vector<NDArray> Computing::operator()(const TensorKernel& kernel,
                                           const std::vector<NDArray>& arrays,
                                           const SymbolValues& integers, const Where& where) {
  return run(made(kernel), arrays, integers, where);
}

std::vector<NDArray> Computing::operator()(const GraphFunction& primitive,
                                           const std::vector<NDArray>& arrays,
                                           const SymbolValues& integers, const Where& where) {
  return run(made(primitive), arrays, integers, where);
}

// Compiles a computation. Errors name it.
void Computing::compile(Computation& c, const Where& where) const try {
  const bool is_shared = operation_count(c.given.outputs).value_or(0) <= most_shared_;
  c.compiled = compiled_kernel(c.given, is_shared ? c.parametric : c.given,
                               {.name = c.name, .sizes = likely_}, where);
} catch (const Error& error) {
  Refusal refusal = error.refusal();
  refusal.command = c.name + ": " + refusal.command;
  throw Error(refusal);
}

std::vector<Argument> matched(const TensorKernel& kernel, const std::vector<NDArray>& inputs,
                              SymbolValues& symbols, const Where& where) {
  const Request request{"an operator", where};
  if (inputs.size() != kernel.inputs.size())
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("@{} takes {} arrays, and gets {}", kernel.name,
                                      kernel.inputs.size(), inputs.size()));
  std::vector<Argument> arguments;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    arguments.push_back({kernel.inputs[k], inputs[k]});
  match(arguments, symbols, request);
  return arguments;
}

std::vector<NDArray> CompiledKernel::arguments(const std::vector<NDArray>& inputs,
                                               SymbolValues& symbols, const Where& where) const {
  std::vector<NDArray> read;
  const std::vector<Argument> given = matched(kernel, inputs, symbols, where);
  for (const Tensor& t : tensors.arguments())
    for (const Argument& argument : given)
      if (argument.tensor == t) read.push_back(argument.array);
  return read;
}

std::vector<NDArray> Computing::run(Computation& c, const std::vector<NDArray>& arrays,
                                    const SymbolValues& given, const Where& where) const {
  SymbolValues symbols = given;
  const std::vector<Argument> arguments = matched(c.given, arrays, symbols, where);
  if (by_ == RunBy::interpreter) return evaluate(c.given.outputs, arguments, symbols, where);
  if (!c.compiled) compile(c, where);
  const std::vector<NDArray> read = c.compiled->arguments(arrays, symbols, where);
  return c.compiled->tensors(read, symbols, where);
}

std::string CompiledKernel::why() const {
  return (why_constant.empty() ? "" : "its extents are constants: " + why_constant + "\n") +
         tensors.why();
}

namespace {

// The given sizes, and those of the parameters whose extents are numbers in the given kernel.
SymbolValues sizes_of(const TensorKernel& given, const TensorKernel& parametric,
                      SymbolValues sizes) {
  const SymbolValues known = sizes;
  for (std::size_t k = 0; k < given.inputs.size(); ++k)
    for (int d = 0; d < given.inputs[k].rank(); ++d) {
      const Expr& extent = parametric.inputs[k].shape(d);
      if (const auto size = value_of(given.inputs[k].shape(d), known);
          size && extent.op() == Op::parameter)
        sizes[extent.name()] = *size;
    }
  return sizes;
}

}  // namespace

CompiledKernel compiled_kernel(const TensorKernel& given, const TensorKernel& parametric,
                               const CompileOptions& options, const Where& where) {
  std::string refused;
  if (parametric.outputs != given.outputs) try {
      CompileOptions with_sizes = options;
      with_sizes.sizes = sizes_of(given, parametric, options.sizes);
      return {parametric, compile(parametric.outputs, with_sizes, where)};
    } catch (const Error& error) {
      refused = to_string(error.code()) + ", " + error.refusal().explanation;
    }
  return {given, compile(given.outputs, options, where), refused};
}

}  // namespace strata::graph
