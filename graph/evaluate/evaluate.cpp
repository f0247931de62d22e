#include "graph/evaluate/evaluate.h"

#include <cstring>
#include <map>

#include "graph/evaluate/interpreter.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

// The identities of a reduction, one for each scalar, and its steps on left_operand and
// right_operand. Empty if nothing is reduced.
struct Steps {
  std::vector<Expr> identities = {}, steps = {};
};

Steps steps_of(const Tuple& value) {
  if (value.reducer) return {value.reducer->identities(), value.reducer->steps()};
  const ExprNode& node = value.values[0].node();
  if (node.op != Op::reduce) return {};
  return {{identity_of(node.reduction, node.type)},
          {combine(node.reduction, left_operand(0, node.type), right_operand(0, node.type))}};
}

// The expression to evaluate for an element: the whole scalar, or the contribution to a reduction.
const Expr& contributed(const Expr& scalar) {
  return scalar.op() == Op::reduce ? scalar.args()[0] : scalar;
}

// All elements of a compute, in order.
class Loops {
 public:
  Loops(const Operation& op, const SymbolValues& symbols, const ArrayOf& array_of,
        const Request& request) {
    const auto interpreter = [&](const Expr& e) {
      return Interpreter(e, scope_, symbols, array_of, request);
    };
    for (const Var& v : op.axis()) axis_.push_back(scope_.place_of(v.name()));
    for (const Var& k : op.reduce_axis())
      reduced_.push_back(
          {scope_.place_of(k.name()), interpreter(k.lower()), interpreter(k.upper())});
    for (const Expr& scalar : op.body()) scalars_.push_back(interpreter(contributed(scalar)));
    const Steps all = steps_of(op.computed()->value);
    for (std::size_t k = 0; k < all.steps.size(); ++k) {
      identities_.push_back(interpreter(all.identities[k])());
      const Type type = all.identities[k].type();
      left_.push_back(scope_.place_of(left_operand(k, type).name()));
      right_.push_back(scope_.place_of(right_operand(k, type).name()));
      steps_.push_back(interpreter(all.steps[k]));
    }
  }

  void run(const std::vector<NDArray>& outputs) {
    const std::vector<std::int64_t>& extents = outputs[0].extents();
    std::vector<std::int64_t> at(extents.size(), 0);
    for (std::size_t position = 0; position < outputs[0].size(); ++position) {
      for (std::size_t d = 0; d < at.size(); ++d) scope_.set(axis_[d], integer_element(i64, at[d]));
      const std::vector<Element> values = element();
      for (std::size_t k = 0; k < values.size(); ++k) write(outputs[k], position, values[k]);
      for (std::size_t d = at.size(); d-- > 0 && ++at[d] == extents[d];) at[d] = 0;
    }
  }

 private:
  struct Reduced {
    int place;
    Interpreter lower, upper;
  };

  std::vector<Element> element() {
    if (reduced_.empty()) return contribution();
    std::vector<Element> result = identities_;
    reduce(0, result);
    return result;
  }

  void reduce(std::size_t depth, std::vector<Element>& result) {
    if (depth == reduced_.size()) return combine(result);
    Reduced& k = reduced_[depth];
    const std::int64_t lower = k.lower().integer, upper = k.upper().integer;
    for (std::int64_t value = lower; value < upper; ++value) {
      scope_.set(k.place, integer_element(i64, value));
      reduce(depth + 1, result);
    }
  }

  std::vector<Element> contribution() {
    std::vector<Element> values;
    for (Interpreter& scalar : scalars_) values.push_back(scalar());
    return values;
  }

  void combine(std::vector<Element>& result) {
    const std::vector<Element> next = contribution();
    for (std::size_t k = 0; k < next.size(); ++k) {
      scope_.set(left_[k], result[k]);
      scope_.set(right_[k], next[k]);
    }
    for (std::size_t k = 0; k < next.size(); ++k) result[k] = steps_[k]();
  }

  Scope scope_;
  std::vector<int> axis_, left_, right_;
  std::vector<Reduced> reduced_;
  std::vector<Interpreter> scalars_, steps_;
  std::vector<Element> identities_;
};

// Does the other array have the same elements in the same order, as this interpreter reads and
// writes them?
bool are_equal(const NDArray& elements, const NDArray& others, Type type) {
  const NDArray copy(elements.type(), elements.extents());
  for (std::size_t p = 0; p < copy.size(); ++p) write(copy, p, read(others, type, p));
  return std::memcmp(copy.raw(), elements.raw(), copy.bytes()) == 0;
}

// The view as shared memory. E0602 unless it has the elements that its expression gives.
NDArray shared(const std::shared_ptr<const Operation>& op, const NDArray& elements,
               const NDArray& read, const SymbolValues& symbols, const Request& request) {
  NDArray view = view_of(op, read, symbols, request);
  if (!are_equal(elements, view, op->outputs()[0].type))
    throw request.refused(
        Code::E0602_does_not_fit,
        op->name + " is called a view, but its elements differ from those that it reads",
        "leave out that it is a view");
  return view;
}

}  // namespace

std::vector<NDArray> evaluate(const std::vector<Tensor>& tensors,
                              const std::vector<Argument>& arguments, const SymbolValues& given,
                              const Where& where) {
  const Request request{"evaluate", where};
  SymbolValues symbols = given;
  match(arguments, symbols, request);
  std::map<const Operation*, std::vector<NDArray>> done;
  for (const Argument& a : arguments) done[&a.tensor.op()] = {a.array};
  const ArrayOf array_of = [&](const Tensor& t) -> const NDArray& {
    return done.at(&t.op())[t.index()];
  };
  for (const auto& op : operations_of(tensors)) {
    if (done.contains(op.get())) continue;
    if (op->is_placeholder())
      throw request.refused(Code::E0602_does_not_fit, op->name + " has no array", "give one");
    if (op->external()) {
      done[op.get()] = call_external(op, array_of, symbols, request);
      continue;
    }
    require_assumptions(*op, symbols, request);
    std::vector<NDArray> outputs;
    for (int k = 0; k < int(op->outputs().size()); ++k)
      outputs.emplace_back(element_type_of(op->outputs()[k].type),
                           extents_of(Tensor(op, k), symbols, request));
    Loops(*op, symbols, array_of, request).run(outputs);
    if (op->computed()->is_view)
      outputs = {shared(op, outputs[0], array_of(input_tensors(*op)[0]), symbols, request)};
    done[op.get()] = outputs;
  }
  std::vector<NDArray> results;
  for (const Tensor& t : tensors) results.push_back(array_of(t));
  return results;
}

}  // namespace strata::graph
