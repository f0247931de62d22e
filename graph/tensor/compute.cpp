// Computes: tensors given by their elements.
#include <atomic>
#include <set>

#include "core/expr/expr_text.h"
#include "core/expr/expr_typing.h"
#include "graph/tensor/checks.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

namespace {

// The iterators, called i0, i1, .. if the form gives no names. Their ranges are the extents.
std::vector<Var> iterators(const Shape& shape, const ComputeForm& form) {
  std::vector<Var> axis;
  for (int d = 0; d < shape.rank(); ++d) {
    const std::string name =
        d < int(form.iterators.size()) ? form.iterators[d] : "i" + std::to_string(d);
    axis.emplace_back(name, Expr(std::int64_t{0}), shape[d]);
  }
  return axis;
}

// E0117 if a reduction is only a part of the value.
void require_reduction_on_top(const Expr& value, const Request& request) {
  visit(value, [&](const Expr& part) {
    if (part.op() == Op::reduce && part.identity() != value.identity())
      throw request.refused(
          Code::E0117_unsupported_expression,
          "a reduction, " + to_string(part.node().reduction) + ", is a part of an expression",
          "make a tensor of the reduction, and read that");
  });
}

// E0101 unless everything that "e" reads is a tensor, and every iterator is an axis.
void require_known(const Expr& e, const std::set<std::string>& iterators, const Request& request) {
  for (const std::string& name : free_variables(e))
    if (!iterators.contains(name))
      throw request.refused(
          Code::E0101_unknown_computation, author_text(name) + " is not an iterator here",
          "use the indices that the function gets, or reduce over " + author_text(name));
  visit(e, [&](const Expr& part) {
    if (part.op() == Op::access && !tensor_of(part).defined())
      throw request.refused(Code::E0101_unknown_computation, part.name() + " is not a tensor",
                            "read tensors, made by placeholder(), compute() or external()");
    if (part.op() == Op::parameter && part.node().owner)
      throw request.refused(Code::E0101_unknown_computation,
                            part.name() + " is a parameter of " + part.node().owner->name,
                            "use a symbol: Param " + part.name() + "(\"" + part.name() + "\")");
  });
}

// E0104 for two iterators of one name, E0105 for an iterator without a name.
std::set<std::string> names_of(const std::vector<Var>& axis, const Request& request) {
  std::set<std::string> names;
  for (const Var& v : axis) {
    require_name(v.name(), "an iterator", request);
    if (!names.insert(v.name()).second)
      throw request.refused(Code::E0104_name_taken, "two iterators are called " + v.name(),
                            "give each a name of its own");
  }
  return names;
}

void require_no_mistake(const Tuple& value, const Request& request) {
  for (const Expr& scalar : value.values)
    if (const ExprNode* bad = find_invalid(scalar))
      throw request.refused(bad->code, author_text(bad->name));
  for (const Var& k : value.over)
    if (!k.has_range())
      throw request.refused(Code::E0112_unbounded_domain, k.name() + " has no range",
                            "make it with reduce_axis(extent, name)");
}

void require_value(const Tuple& value, const std::vector<Var>& axis, const Request& request) {
  require_no_mistake(value, request);
  std::vector<Var> all = axis;
  all.insert(all.end(), value.over.begin(), value.over.end());
  const std::set<std::string> names = names_of(all, request);
  for (const Var& k : value.over)
    for (const Expr& bound : {k.lower(), k.upper()})
      require_known(bound, names_of(axis, request), request);
  for (const Expr& scalar : value.values) {
    require_reduction_on_top(scalar, request);
    require_known(scalar, names, request);
    if (scalar.op() == Op::reduce) {
      std::vector<Var> iterators = axis;
      const auto& over = scalar.node().variables;
      iterators.insert(iterators.end(), over.begin(), over.end());
      names_of(iterators, request);
      if (value.values.size() > 1)
        throw request.refused(Code::E0117_unsupported_expression,
                              "a reduction is one of several values",
                              "reduce the values together: reduce(reducer, k, {..})");
    }
  }
}

// E0117 unless the value is one access of one tensor.
void require_view(const Operation& op, const Request& request) {
  const Expr& value = op.body()[0];
  if (op.body().size() == 1 && tensor_of(value).defined() && input_tensors(op).size() == 1) return;
  throw request.refused(Code::E0117_unsupported_expression,
                        "a view is one access of one tensor, and this is " + to_text(value),
                        "leave out that it is a view");
}

}  // namespace

void require_rank(const Indices& i, int count, const std::string& name, const Where& where) {
  if (i.rank() != count)
    throw Request{"compute(" + name + ")", where}.refused(
        Code::E0109_wrong_arity,
        "the shape has " + std::to_string(i.size()) + " dimensions, and the function takes " +
            std::to_string(count) + " indices",
        "take one index for each dimension, or const Indices&");
}

std::vector<Tensor> compute_tuple(const Shape& given, const ComputeForm& form,
                                  const std::function<Tuple(const Indices&)>& value,
                                  const std::string& name, const Where& where) {
  const Request request{"compute(" + name + ")", where};
  require_name(name, "a tensor", request);
  const Shape shape = checked_shape(given, request);
  Computed made{iterators(shape, form), {}, form.is_view, form.assumptions};
  made.value = with_named_axes(
      value(Indices(std::vector<Expr>(made.axis.begin(), made.axis.end()))), made.axis);
  if (made.value.values.empty())
    throw request.refused(Code::E0106_bad_argument, "the function returns no value",
                          "return an Expr, or several");
  require_value(made.value, made.axis, request);
  std::vector<TensorType> outputs;
  for (Expr& scalar : made.value.values) {
    scalar = settled(scalar);
    outputs.push_back({shape, scalar.type()});
  }
  const auto op =
      std::make_shared<const Operation>(name, std::move(outputs), std::move(made), where);
  if (form.is_view) require_view(*op, request);
  std::vector<Tensor> tensors;
  for (int k = 0; k < int(op->outputs().size()); ++k) tensors.emplace_back(op, k);
  return tensors;
}

Param fresh_symbol(const std::string& name) {
  static std::atomic<std::int64_t> next{0};
  return Param(name + "_" + std::to_string(next++));
}

std::vector<Tensor> external(const std::string& name, const std::vector<TensorType>& outputs,
                             const std::vector<Tensor>& inputs, const ArrayFunction& function,
                             const Where& where) {
  const Request request{"external(" + name + ")", where};
  require_name(name, "a tensor", request);
  std::vector<TensorType> checked;
  for (const TensorType& output : outputs)
    checked.push_back({checked_shape(output.shape, request), output.type});
  if (!function)
    throw request.refused(Code::E0106_bad_argument, "there is no function", "give one");
  const auto op =
      std::make_shared<const Operation>(name, std::move(checked), Extern{inputs, function}, where);
  std::vector<Tensor> tensors;
  for (int k = 0; k < int(outputs.size()); ++k) tensors.emplace_back(op, k);
  return tensors;
}

}  // namespace strata::graph
