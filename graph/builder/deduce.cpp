#include "graph/builder/deduce.h"

#include <set>
#include <unordered_map>

#include "graph/builder/rewriter.h"
#include "graph/ir/operator_types.h"

namespace strata::graph {

namespace {

class Deduction {
 public:
  Deduction(const GraphFunction& f, const Where& where) : where_(where) {
    for (const Value& parameter : f.parameters)
      for (const Expr& dim : dims_in(parameter.type()))
        if (dim.op() == Op::parameter) symbols_.insert(dim.name());
    for (auto block = f.body.blocks.rbegin(); block != f.body.blocks.rend(); ++block)
      for (auto b = block->bindings.rbegin(); b != block->bindings.rend(); ++b)
        if (const auto* call = b->as<OperatorCall>()) deduce(*call, b->value);
  }

  const ValueType& type_of(const Value& value) const {
    const auto found = types_.find(value.node().get());
    return found == types_.end() ? value.type() : found->second;
  }

 private:
  // Deduces the extents of the one argument whose extents are unknown, if there is exactly one.
  void deduce(const OperatorCall& call, const Value& result) {
    int unknown = -1;
    for (int k = 0; k < int(call.arguments.size()); ++k) {
      const ValueType& type = type_of(call.arguments[std::size_t(k)]);
      if (!type.is_tensor() || !type.element()) return;
      if (type.dims()) continue;
      if (unknown >= 0 || !call.arguments[std::size_t(k)].is_variable()) return;
      unknown = k;
    }
    if (unknown < 0) return;
    for (const Shape& dims : candidates(call, result))
      if (must_be(call, unknown, dims, type_of(result))) {
        const Value& argument = call.arguments[std::size_t(unknown)];
        const ValueType type = ValueType::tensor(dims, argument.type().element());
        types_.emplace(argument.node().get(), type);
        return;
      }
  }

  std::vector<Shape> candidates(const OperatorCall& call, const Value& result) const {
    std::vector<Shape> all;
    if (type_of(result).is_tensor() && type_of(result).dims())
      all.push_back(*type_of(result).dims());
    for (const Value& argument : call.arguments)
      if (type_of(argument).dims()) all.push_back(*type_of(argument).dims());
    std::erase_if(all, [&](const Shape& dims) {
      for (const Expr& dim : dims)
        for (const std::string& symbol : symbols_of(dim))
          if (!symbols_.contains(symbol)) return true;
      return false;
    });
    return all;
  }

  // Must the argument have these extents? Yes if the operator takes them, reads each element at the
  // place where it writes, and for an extent of 1 instead refuses, or gives a result of other
  // extents.
  bool must_be(const OperatorCall& call, int unknown, const Shape& dims,
               const ValueType& result) const {
    const Tensor made = applied(call, unknown, dims);
    if (!made.defined() || !is_elementwise(made, std::size_t(unknown)) ||
        !has_extents(made, result))
      return false;
    for (int d = 0; d < dims.rank(); ++d) {
      if (constant_dim(dims[d]) == 1) continue;
      const Tensor other = applied(call, unknown, dims.with(d, constant(i64, 1)));
      if (other.defined() && (!result.dims() || has_extents(other, result))) return false;
    }
    return true;
  }

  static bool has_extents(const Tensor& made, const ValueType& result) {
    return !result.dims() || text_of(made.shape()) == text_of(*result.dims());
  }

  Tensor applied(const OperatorCall& call, int unknown, const Shape& dims) const {
    std::vector<ValueType> types;
    for (const Value& argument : call.arguments) {
      const bool is_known = int(types.size()) != unknown;
      const ValueType& type = type_of(argument);
      types.push_back(is_known ? type : ValueType::tensor(dims, type.element()));
    }
    return find_result(call, tensors_of(types, where_), where_);
  }

  // Every access of the argument is at the iterators, in order.
  static bool is_elementwise(const Tensor& made, std::size_t argument) {
    if (!made.op().computed()) return false;
    const std::string name = "x" + std::to_string(argument);
    int accesses = 0;
    bool all = made.op().reduce_axis().empty();
    for (const Expr& value : made.op().body())
      visit(value, [&](const Expr& part) {
        const Tensor read = tensor_of(part);
        if (!read.defined() || !read.op().is_placeholder() || read.name() != name) return;
        ++accesses;
        const std::vector<Var>& axis = made.op().axis();
        all = all && part.args().size() == axis.size();
        for (std::size_t d = 0; all && d < axis.size(); ++d)
          all = part.args()[d].op() == Op::variable && part.args()[d].name() == axis[d].name();
      });
    return all && accesses > 0;
  }

  Where where_;
  std::set<std::string> symbols_ = {};
  std::unordered_map<const ValueNode*, ValueType> types_ = {};
};

}  // namespace

GraphFunction with_deduced_parameters(const GraphFunction& function, const Module& module,
                                      const Where& where) {
  const Deduction deduction(function, where);
  std::unordered_map<const ValueNode*, ValueType> types;
  for (const Value& parameter : function.parameters)
    if (deduction.type_of(parameter) != parameter.type())
      types.emplace(parameter.node().get(), deduction.type_of(parameter));
  if (types.empty()) return function;
  const Rewriter::Rewrite keep = [](Rewriter& r, const Binding& b) { r.keep(b); };
  GraphFunction made = *Rewriter(module, function, keep, where).function(types);
  made.result = without_variables(made.body.result.type());
  return made;
}

}  // namespace strata::graph
