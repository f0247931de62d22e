#include "graph/fuse/parametric.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "graph/ops/registry.h"
#include "graph/tensor/order.h"
#include "graph/tensor/views.h"

namespace strata::graph {

namespace {

// Thrown after an operator's requirement has bound more parameters: now call the operators again.
struct Bound {};

bool may_be_parameter(const Expr& extent) {
  const auto size = constant_dim(extent);
  return !size || *size > most_constant_extent;
}

// Parameters for the extents of tensors. Each parameter is free, or bound to a dim over other
// parameters, or bound to its extent.
class ExtentParameters {
 public:
  ExtentParameters(const std::vector<Tensor>& tensors, std::set<std::string> taken)
      : taken_(std::move(taken)) {
    for (const Tensor& t : tensors) {
      Shape shape = t.shape();
      for (Expr& extent : shape)
        if (may_be_parameter(extent)) extent = parameter(fresh(extent));
      shapes_.push_back(shape);
    }
  }

  bool has_free() const { return bound_.size() < values_.size(); }

  std::vector<Tensor> inputs(const std::vector<Tensor>& tensors) const {
    std::vector<Tensor> made;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      Shape shape = shapes_[k];
      for (Expr& extent : shape) extent = now(extent);
      made.push_back(
          placeholder(tensors[k].name(), tensors[k].type(), shape, tensors[k].op().where()));
    }
    return made;
  }

  std::vector<Tensor> call(const OperatorCall& call, const std::vector<Tensor>& operands,
                           const Where& where) {
    try {
      return call_operator(call, operands, where);
    } catch (const MayDiffer& refused) {
      if (!require_equal(refused.one(), refused.other())) throw;
    } catch (const Error&) {
      bool any = false;
      for (const Tensor& t : operands)
        for (const Expr& extent : t.shape()) any |= keep(extent);
      if (!any) throw;
    }
    throw Bound();
  }

  // Binds each free parameter in the dim to the extent that it stands for. True if there is any.
  bool keep(const Expr& dim) {
    bool any = false;
    for (const std::string& name : symbols_of(dim))
      if (const auto value = values_.find(name); value != values_.end() && !bound_.contains(name)) {
        bound_[name] = value->second;
        any = true;
      }
    return any;
  }

  // The dim, with the given extents instead of the parameters.
  Expr given(const Expr& dim) const {
    return with_symbols(dim, [this](const std::string& name) {
      const auto value = values_.find(name);
      return value == values_.end() ? Expr() : value->second;
    });
  }

 private:
  std::string fresh(const Expr& extent) {
    std::string name;
    do name = "d" + std::to_string(next_++);
    while (taken_.contains(name));
    values_[name] = extent;
    return name;
  }

  Expr now(const Expr& dim) const {
    return with_symbols(dim, [this](const std::string& name) {
      const auto found = bound_.find(name);
      return found == bound_.end() ? Expr() : now(found->second);
    });
  }

  // Binds a parameter to the dim that it must equal. If neither dim is a parameter by itself, all
  // parameters in both are bound to their extents. False if nothing is bound.
  bool require_equal(const Expr& a, const Expr& b) {
    return bind(a, b) || bind(b, a) || (keep(a) | keep(b));
  }

  bool bind(const Expr& dim, const Expr& to) {
    const Expr one = normal(dim), other = normal(to);
    if (one.op() != Op::parameter || !values_.contains(one.name())) return false;
    const std::vector<std::string> names = symbols_of(other);
    const bool is_over_parameters =
        !names.empty() && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
          return name != one.name() && values_.contains(name);
        });
    if (!is_over_parameters || dim_text(given(other)) != dim_text(values_.at(one.name())))
      return false;
    return bound_.emplace(one.name(), other).second;
  }

  std::set<std::string> taken_;
  int next_ = 0;
  std::vector<Shape> shapes_ = {};
  std::map<std::string, Expr> values_ = {};
  std::map<std::string, Expr> bound_ = {};
};

std::set<std::string> symbols_in(const TensorKernel& kernel) {
  std::set<std::string> symbols;
  const auto note = [&](const Expr& e) {
    for (const std::string& name : symbols_of(e)) symbols.insert(name);
  };
  for (const auto& tensors : {kernel.inputs, kernel.outputs})
    for (const Tensor& t : tensors) for_each_expr(t.op(), note);
  for (const auto& op : operations_of(kernel.outputs)) for_each_expr(*op, note);
  return symbols;
}

// Calls f for the indices of the accesses of an operation, unless it is a view of an array.
void for_each_index(const Operation& op, const std::function<void(const Expr&)>& f) {
  if (!op.computed() || (op.computed()->is_view && !reads_copy(op))) return;
  for (const Expr& scalar : op.body())
    visit(scalar, [&](const Expr& part) {
      if (part.op() != Op::access) return;
      for (const Expr& index : part.args()) f(index);
    });
}

// Keeps the extents of windows, and extents in indices that want numbers.
void keep_used_in_indices(const std::vector<Tensor>& outputs, ExtentParameters& extents) {
  bool any = false;
  for (const auto& op : operations_of(outputs))
    for_each_index(*op, [&](const Expr& index) {
      const std::set<std::string> iterators = free_variables(index);
      for (const Var& k : op->reduce_axis())
        if (iterators.size() > 1 && iterators.contains(k.name()))
          any |= extents.keep(k.upper() - k.lower());
      visit(index, [&](const Expr& part) {
        if (wants_number(part)) any |= extents.keep(part);
      });
    });
  if (any) throw Bound();
}

bool have_same_extents(const std::vector<Tensor>& made, const std::vector<Tensor>& given,
                       const ExtentParameters& extents) {
  if (made.size() != given.size()) return false;
  for (std::size_t k = 0; k < made.size(); ++k) {
    Shape shape = made[k].shape();
    for (Expr& extent : shape) extent = extents.given(extent);
    if (text_of(shape) != text_of(given[k].shape()) || made[k].type() != given[k].type())
      return false;
  }
  return true;
}

}  // namespace

std::vector<Tensor> call_operator(const OperatorCall& call, const std::vector<Tensor>& operands,
                                  const Where& where) {
  return find_operator(call.callee, where)(operands, call.attributes, call.layouts, where);
}

TensorKernel parametric(const TensorKernel& kernel, const MakeOutputs& make) {
  ExtentParameters extents(kernel.inputs, symbols_in(kernel));
  const auto call = [&](const OperatorCall& c, const std::vector<Tensor>& operands,
                        const Where& where) { return extents.call(c, operands, where); };
  while (extents.has_free()) try {
      TensorKernel made{kernel.name, extents.inputs(kernel.inputs), {}, kernel.integers};
      made.outputs = make(made.inputs, call);
      keep_used_in_indices(made.outputs, extents);
      return have_same_extents(made.outputs, kernel.outputs, extents) ? made : kernel;
    } catch (const Bound&) {
    } catch (const Error&) {  // for another reason than its extents
      break;
    }
  return kernel;
}

}  // namespace strata::graph
