#include "graph/ir/derive.h"

#include <fmt/format.h>

#include <set>

#include "graph/ir/operator_types.h"

namespace strata::graph {

namespace {

// The values of a callee's symbols. Where an extent of a parameter is the symbol by itself, the
// value is that extent of the argument.
using SymbolDims = std::map<std::string, Expr>;

// The type with only the known dims. If a dim has an unknown symbol, no dim of that tensor or shape
// is known.
ValueType with_known(const ValueType& type,
                     const std::function<bool(const std::string&)>& is_known) {
  return with_dims(type, [&](const Expr& dim) {
    for (const std::string& name : symbols_of(dim))
      if (!is_known(name)) return Expr();
    return dim;
  });
}

void match_symbols(const ValueType& parameter, const ValueType& given, SymbolDims& symbols) {
  if (parameter.is_tuple() && given.is_tuple() &&
      parameter.fields().size() == given.fields().size())
    for (std::size_t k = 0; k < given.fields().size(); ++k)
      match_symbols(parameter.fields()[k], given.fields()[k], symbols);
  if (!parameter.dims() || !given.dims() || parameter.rank() != given.rank()) return;
  for (int d = 0; d < *parameter.rank(); ++d)
    if (const Expr& dim = (*parameter.dims())[d]; dim.op() == Op::parameter)
      symbols.emplace(dim.name(), (*given.dims())[d]);
}

// The type over the caller's symbols; dims with a symbol that has no value are unknown.
ValueType substituted(const ValueType& type, const SymbolDims& symbols) {
  const ValueType known = with_known(
      without_variables(type), [&](const std::string& name) { return symbols.contains(name); });
  return with_dims(known, [&](const Expr& dim) {
    return with_symbols(dim, [&](const std::string& name) { return symbols.at(name); });
  });
}

// E0602 if an argument cannot belong to its parameter.
SymbolDims matched(const std::vector<ValueType>& parameters, const std::vector<ValueType>& given,
                   const std::string& callee, const Request& request) {
  if (parameters.size() != given.size())
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("@{} takes {} arguments, and {} are given", callee,
                                      parameters.size(), given.size()),
                          "give one for each parameter");
  SymbolDims symbols;
  for (std::size_t k = 0; k < given.size(); ++k) match_symbols(parameters[k], given[k], symbols);
  for (std::size_t k = 0; k < given.size(); ++k)
    if (belongs_to(given[k], substituted(parameters[k], symbols)) == Answer::no)
      throw request.refused(Code::E0602_does_not_fit,
                            fmt::format("argument {} is {}, and parameter {} of @{} is {}", k,
                                        given[k].text(), k, callee, parameters[k].text()),
                            "give a value of the parameter's type");
  return symbols;
}

class Deriver {
 public:
  Deriver(const Module& module, const Request& request) : module_(module), request_(request) {}

  ValueType operator()(const OperatorCall& call) const { return operator_type(call, request_); }

  ValueType operator()(const FunctionCall& call) const {
    const GraphFunction* f = module_.function(call.callee);
    if (!f) throw no_global("function", call.callee);
    return substituted(f->result, matched(types_of(f->parameters), types_of(call.arguments),
                                          call.callee, request_));
  }

  ValueType operator()(const KernelCall& call) const {
    std::vector<ValueType> results;
    if (call.is_packed) {
      require_count(call, call.elements.size());
      for (std::size_t k = 0; k < call.extents.size(); ++k)
        results.push_back(of_extents(call.extents[k], call.elements[k]));
    } else {
      results = kernel_results(call);
    }
    return results.size() == 1 ? results[0] : ValueType::tuple(results);
  }

  ValueType operator()(const PackedCall&) const { return ValueType(); }

  ValueType operator()(const ShapeOf& d) const {
    const ValueType& type = d.of.type();
    if (!type.is_tensor() && type.kind() != ValueType::Kind::object)
      throw refused("shape_of takes a tensor, and gets " + type.text());
    return type.dims() ? ValueType::shape(*type.dims()) : ValueType::shape(type.rank());
  }

  ValueType operator()(const FieldOf& d) const {
    const ValueType& type = d.of.type();
    if (type.kind() == ValueType::Kind::object) return type;
    if (!type.is_tuple() || d.index < 0 || d.index >= int(type.fields().size()))
      throw refused(fmt::format("{} has no field {}", type.text(), d.index));
    return type.fields()[d.index];
  }

  ValueType operator()(const Alias& d) const { return d.of.type(); }

  ValueType operator()(const MatchShape& d) const {
    const ValueType& type = d.of.type();
    const ValueType matched = type.is_shape() ? ValueType::shape(d.pattern)
                                              : ValueType::tensor(d.pattern, type.element());
    const bool has_extents =
        type.is_tensor() || type.is_shape() || type.kind() == ValueType::Kind::object;
    if (!has_extents || (type.rank() && type.rank() != d.pattern.rank()))
      throw refused(type.text() + " does not match " + text_of(d.pattern));
    return matched;
  }

  ValueType operator()(const Branch& d) const {
    const ValueType boolean_scalar = ValueType::tensor(Shape(), boolean);
    if (belongs_to(d.condition.type(), boolean_scalar) == Answer::no)
      throw refused("a condition is " + boolean_scalar.text() + ", and this one is " +
                    d.condition.type().text());
    return joined(outside(*d.then), outside(*d.otherwise));
  }

 private:
  Error refused(const std::string& explanation, const std::string& mend = "") const {
    return request_.refused(Code::E0602_does_not_fit, explanation, mend);
  }
  Error no_global(const std::string& kind, const std::string& name) const {
    return request_.refused(Code::E0601_malformed_graph,
                            "W5: there is no " + kind + " @" + name + " in the module",
                            "add it before it is called");
  }

  void require_count(const KernelCall& call, std::size_t results) const {
    if (results == 0 || results != call.extents.size())
      throw refused(fmt::format("{} has {} results, and extents of {} are given", call.callee,
                                results, call.extents.size()),
                    "give one shape for each result");
  }

  ValueType of_extents(const Value& extents, std::optional<Type> element) const {
    const ValueType& type = extents.type();
    if (!type.is_shape() && type.kind() != ValueType::Kind::object)
      throw refused("extents are a shape, and not " + type.text());
    if (type.dims()) return ValueType::tensor(*type.dims(), element);
    return extents.is_variable() ? ValueType::tensor(extents, type.rank(), element)
                                 : ValueType::tensor(type.rank(), element);
  }

  std::vector<ValueType> kernel_results(const KernelCall& call) const {
    const TensorKernel* kernel = module_.kernel(call.callee);
    if (!kernel) throw no_global("kernel", call.callee);
    require_count(call, kernel->outputs.size());
    if (call.integers.size() != kernel->integers.size())
      throw refused(fmt::format("@{} takes {} integers, and {} are given", call.callee,
                                kernel->integers.size(), call.integers.size()));
    std::vector<ValueType> inputs;
    for (const Tensor& t : kernel->inputs) inputs.push_back(ValueType::tensor(t.shape(), t.type()));
    SymbolDims symbols = matched(inputs, types_of(call.arguments), call.callee, request_);
    for (std::size_t k = 0; k < kernel->integers.size(); ++k)
      symbols.emplace(kernel->integers[k], call.integers[k]);
    std::vector<ValueType> results;
    for (std::size_t k = 0; k < call.extents.size(); ++k) {
      const Tensor& output = kernel->outputs[k];
      results.push_back(of_extents(call.extents[k], output.type()));
      const ValueType computed =
          substituted(ValueType::tensor(output.shape(), output.type()), symbols);
      if (belongs_to(computed, results.back()) == Answer::no)
        throw refused(fmt::format("@{} computes {}, and {} is given", call.callee, computed.text(),
                                  call.extents[k].type().text()));
    }
    return results;
  }

  // The type of the result of a branch. It leaves out variables bound inside, which are not seen
  // outside.
  static ValueType outside(const Body& body) {
    std::set<std::string> symbols;
    for (const Block& block : body.blocks)
      for (const Binding& binding : block.bindings)
        if (const auto* match = binding.as<MatchShape>())
          for (const Expr& dim : match->pattern)
            for (const std::string& name : symbols_of(dim)) symbols.insert(name);
    return with_known(without_variables(body.result.type()),
                      [&](const std::string& name) { return !symbols.contains(name); });
  }

  const Module& module_;
  const Request& request_;
};

}  // namespace

ValueType derived(const Definition& definition, const Module& module, const Request& request) {
  return std::visit(Deriver(module, request), definition);
}

}  // namespace strata::graph
