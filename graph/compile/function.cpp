#include "graph/compile/function.h"

#include <set>

#include "core/expr/expr_parts.h"
#include "graph/compile/running.h"
#include "graph/dim/linear.h"
#include "graph/tensor/order.h"
#include "layers/program.h"
#include "layers/verify/verify_algorithm.h"

namespace strata::graph {

namespace {

// "m * n" -> "m_n"
std::string name_of_value(const Expr& value) {
  std::string name;
  for (const char c : dim_text(value)) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "dim_" + name : name;
}

class FunctionMaker {
 public:
  FunctionMaker(const std::string& name, const std::vector<Tensor>& tensors,
                const std::vector<Tensor>& given, const Request& request)
      : made_{Function(name, request.where), {}},
        linear_([this](const Expr& value) { return unused(name_of_value(value)); }),
        request_(request),
        operations_(operations_of(tensors, given)) {
    note_names(tensors);
    for (const Tensor& t : tensors)
      for (const Expr& extent : t.shape()) dim(extent);
    for (const Tensor& t : given) add_input(t);
    for (const auto& op : operations_) add(op);
    for (const Tensor& t : tensors)
      made_.arguments.push_back(inputs_.contains(t) ? inputs_.at(t).buffer()
                                                    : made_.computations.at(t).buffer());
  }

  TensorFunction take() { return std::move(made_); }

 private:
  // Symbols keep their names, so names that are made here must differ from them. A tensor may be
  // called floor, but an array may not.
  void note_names(const std::vector<Tensor>& tensors) {
    for (const Tensor& t : tensors)
      for (const Expr& extent : t.shape()) note_symbols(extent);
    for (const auto& op : operations_)
      for_each_expr(*op, [this](const Expr& e) { note_symbols(e); });
  }
  void note_symbols(const Expr& e) {
    for (const std::string& symbol : symbols_of(e)) taken_.insert(symbol);
  }
  std::string unused(const std::string& wanted) {
    std::string name = wanted;
    for (int number = 1; !is_identifier(name) || !taken_.insert(name).second; ++number)
      name = wanted + "_" + std::to_string(number);
    return name;
  }

  // The dim as an affine expression; its symbols become parameters.
  Expr dim(const Expr& e) {
    const Expr affine = linear_.dim(e);
    for (const std::string& symbol : symbols_of(affine)) declare(symbol);
    if (e.op() == Op::parameter && extents_.insert(e.name()).second)
      made_.function.assume(e >= 0, request_.where);
    return affine;
  }
  void declare(const std::string& symbol) {
    if (!declared_.insert(symbol).second) return;
    made_.function.param(symbol, request_.where);
    made_.parameters.emplace_back(symbol, linear_.expanded(parameter(symbol)));
  }
  Exprs dims(const Shape& shape) {
    Exprs affine;
    for (const Expr& extent : shape) affine.push_back(dim(extent));
    return affine;
  }

  void add_input(const Tensor& t) {
    const std::string name = names_[t] = unused(t.name());
    inputs_.emplace(t, made_.function.input(name, t.type(), dims(t.shape()), t.op().where()));
  }

  void add(const std::shared_ptr<const Operation>& op) {
    if (op->is_placeholder())
      throw request_.refused(Code::E0602_does_not_fit,
                             op->name + " is read, and is not an argument",
                             "give " + op->name + " among the tensors");
    if (op->external())
      throw request_.refused(
          Code::E0117_unsupported_expression, op->name + " is a function on whole arrays",
          "compile the tensors, or give " + op->name + "'s result as an argument");
    std::vector<std::string> names;
    for (int k = 0; k < int(op->outputs().size()); ++k) {
      const Tensor t(op, k);
      names.push_back(names_[t] = unused(t.name()));
    }
    const auto recurrence = find_recurrence(op);
    const Computation c =
        recurrence ? recursion(*op, names[0], *recurrence) : computation(*op, names);
    for (int k = 0; k < int(names.size()); ++k)
      made_.computations.emplace(Tensor(op, k), c.component(k, op->where()));
  }

  std::vector<Var> iterators_of(const Operation& op) {
    name_iterators(op);
    std::vector<Var> iterators;
    for (const Var& v : op.axis()) iterators.push_back(renamed(v));
    return iterators;
  }

  // An iterator of a tensor may have the name of a symbol or an array. An iterator of a computation
  // may not.
  void name_iterators(const Operation& op) {
    std::vector<Var> all = op.axis();
    for (const Var& k : op.reduce_axis()) all.push_back(k);
    const auto is_free = [this](const std::string& name) {
      return is_identifier(name) && !taken_.contains(name);
    };
    std::set<std::string> used;
    for (const Var& v : all)
      if (is_free(v.name())) used.insert(v.name());
    iterators_.clear();
    for (const Var& v : all) {
      std::string name = v.name();
      for (int number = 1; !is_free(name) || (name != v.name() && used.contains(name)); ++number)
        name = v.name() + "_" + std::to_string(number);
      used.insert(name);
      iterators_[v.name()] = name;
    }
  }

  Computation recursion(const Operation& op, const std::string& name, const Expr& value) {
    for (const Expr& assumption : op.computed()->assumptions) assume(assumption);
    return made_.function.declare(name, iterators_of(op), op.outputs()[0].type, op.where())
        .define(body(value), op.where());
  }

  Computation computation(const Operation& op, const std::vector<std::string>& names) {
    for (const Expr& assumption : op.computed()->assumptions) assume(assumption);
    const std::vector<Var> iterators = iterators_of(op);
    Tuple value = op.computed()->value;
    for (Expr& scalar : value.values) scalar = body(scalar);
    for (Var& k : value.over) k = renamed(k);
    if (value.values.size() > 1 || value.reducer)
      return made_.function.computation(names, iterators, value, op.where());
    return made_.function.computation(names[0], iterators, value.values[0], op.where());
  }

  void assume(const Expr& assumption) {
    const Expr affine = linear_.condition(assumption);
    for (const std::string& symbol : symbols_of(affine)) declare(symbol);
    made_.function.assume(affine, request_.where);
  }

  Var renamed(const Var& v) {
    return Var(iterators_.at(v.name()), body(v.lower()), body(v.upper()));
  }

  // The value in the function's arrays, parameters and iterators.
  Expr body(const Expr& e) {
    if (e.op() != Op::reduce) return term(e);
    std::vector<Var> over;
    for (const Var& k : e.node().variables) over.push_back(renamed(k));
    return rebuilt(e, std::move(over), {term(e.args()[0])});
  }

  // Accesses of tensors become accesses of the function's arrays, and dims affine.
  Expr term(const Expr& e) {
    const Expr named =
        substitute(e, [&](const std::string& name) { return Expr(Var(iterators_.at(name))); });
    const Expr result = rewrite(named, [&](const Expr& part) {
      if (part.op() == Op::access) {
        const Tensor t = tensor_of(part);
        return t.defined() ? access(names_.at(t), part.type(), part.args(),
                                    made_.function.program().algorithm->owner)
                           : Expr();
      }
      return multiplies_symbols(part) ? linear_.dim(part) : Expr();
    });
    for (const std::string& symbol : symbols_of(result)) declare(symbol);
    return result;
  }

  // Is it a product, quotient or remainder of dims that is not affine?
  static bool multiplies_symbols(const Expr& e) {
    if (e.op() != Op::mul && e.op() != Op::div && e.op() != Op::mod) return false;
    return e.type() == i64 && why_no_dim(e).empty() && !constant_dim(e.args()[1]) &&
           !(e.op() == Op::mul && constant_dim(e.args()[0]));
  }

  TensorFunction made_;
  Linear linear_;
  Request request_;
  std::vector<std::shared_ptr<const Operation>> operations_;
  std::set<std::string> taken_, declared_, extents_;
  std::map<Tensor, std::string> names_;
  std::map<std::string, std::string> iterators_;  // of the operation being added
  std::map<Tensor, Input> inputs_;
};

}  // namespace

TensorFunction create_function(const std::string& name, const std::vector<Tensor>& tensors,
                               const Where& where) {
  std::vector<Tensor> given;
  for (const Tensor& t : tensors)
    if (t.op().is_placeholder()) given.push_back(t);
  return create_function(name, tensors, given, where);
}

TensorFunction create_function(const std::string& name, const std::vector<Tensor>& tensors,
                               const std::vector<Tensor>& given, const Where& where) {
  return FunctionMaker(name, tensors, given, {"create_function(" + name + ")", where}).take();
}

}  // namespace strata::graph
