// Operators whose kernels the machine chooses when they run: here the extents of their operands are
// known as dims, so their kernels are compiled once. Extents of operands that may differ are taken
// to be equal, and compared when the program runs.
#include "codegen/entry/c_literals.h"
#include "graph/fuse/parametric.h"
#include "graph/library/function_trace.h"
#include "graph/operator/operator.h"

namespace strata::graph {

namespace {

std::vector<Tensor> stand_ins(const std::vector<CArray>& arrays, const Where& where) {
  std::vector<Tensor> tensors;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    tensors.push_back(
        placeholder("x" + std::to_string(k), arrays[k].element, arrays[k].dims, where));
  return tensors;
}

// The dims of the arrays, with one instead of the other.
void unify(std::vector<CArray>& arrays, const Expr& one, const Expr& other) {
  for (CArray& array : arrays)
    for (Expr& dim : array.dims)
      if (is_same_dim(dim, other)) dim = one;
}

}  // namespace

void FunctionTrace::require_equal(const Expr& found, const Expr& expected,
                                  const std::string& name) {
  checked("strata_check_equal(" + made_.c(found) + ", " + made_.c(expected) + ", " +
          in_quotes("@" + made_.name + ": " + name) + ")");
}

// The operands of the operator, and its attributes with dims of this function.
OperatorCall FunctionTrace::operator_call(const GraphFunction& f, const Values& arguments,
                                          std::vector<CArray>& operands) {
  const OperatorCall& call = *f.body.blocks.at(0).bindings.at(0).as<OperatorCall>();
  Dims symbols;
  const auto argument = [&](const Value& leaf) -> const CValue& {
    for (std::size_t k = 0; k < f.parameters.size(); ++k)
      if (f.parameters[k] == leaf) return arguments.at(k);
    refuse(model_.text_of(pc_) + ": an operand is not an argument");
  };
  const std::function<void(const Value&)> add = [&](const Value& leaf) {
    if (const auto* constant = leaf.node()->as<ArrayConstant>())
      operands.push_back(constant_array(constant->array));
    else if (const auto* tuple = leaf.node()->as<TupleOf>())
      for (const Value& field : tuple->fields) add(field);
    else
      for_each_array(argument(leaf), [&](const CArray& array) { operands.push_back(array); });
  };
  for (const Value& operand : call.arguments) add(operand);
  for (const Value& p : f.parameters)
    for (int d = 0; p.type().is_shape() && d < int(argument(p).numbers.size()); ++d)
      if (const Expr dim = parameter_dim(f, p.type(), d, p.name()); dim.op() == Op::parameter)
        symbols.emplace(dim.name(), argument(p).numbers[std::size_t(d)]);
  OperatorCall made{call.callee, {}, {}, call.layouts};
  for (const Attributes::Entry& entry : call.attributes.entries()) {
    Attribute value = entry.value;
    if (Shape* dims = std::get_if<Shape>(&value)) *dims = substituted(*dims, symbols);
    made.attributes.set(entry.name, value);
  }
  return made;
}

CValue FunctionTrace::call_dispatched(const GraphFunction& f, const Values& arguments) {
  std::vector<CArray> operands, unified;
  const OperatorCall call = operator_call(f, arguments, operands);
  unified = operands;
  const MakeOutputs make = [&](const std::vector<Tensor>& inputs, const CallOperator& by) {
    return by(call, inputs, f.where);
  };
  TensorKernel given{f.name, {}, {}, made_.symbols};
  while (given.outputs.empty()) try {
      given.inputs = stand_ins(unified, f.where);
      given.outputs = make(given.inputs, call_operator);
    } catch (const MayDiffer& differ) {
      const bool is_number = constant_dim(differ.other()).has_value();
      const Expr one = is_number ? differ.other() : differ.one();
      const Expr other = is_number ? differ.one() : differ.other();
      require_equal(other, one, f.name);
      unify(unified, one, other);
    }
  for (const Tensor& t : given.outputs)
    if (t.op().external())
      refuse(model_.text_of(pc_) + ": the extents of its result depend on data",
             "a VirtualMachine runs it");
  const ModuleKernel& kernel =
      model_.compiled({given, made_.symbols,
                       compiled_kernel(given, parametric(given, make), {"@" + f.name}, f.where)});
  Values all;
  for (const CArray& array : unified) all.push_back({CValue::Kind::array, array});
  CValue symbols{CValue::Kind::shape};
  for (const std::string& symbol : made_.symbols)
    symbols.numbers.push_back(strata::parameter(symbol));
  all.push_back(symbols);
  return call_kernel(f.name, kernel, all);
}

}  // namespace strata::graph
