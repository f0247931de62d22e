#include "graph/ir/operator_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "core/expr/expr_memo.h"
#include "graph/ir/known.h"
#include "graph/ops/registry.h"

namespace strata::graph {

namespace {

std::atomic<std::uint64_t> runs = 0;

struct Result {
  ValueType type;
  bool may_be_view = false;
};

// An extent about which nothing is known.
const Expr& some_extent() {
  static const Expr extent = parameter("?");
  return extent;
}

// What one run takes for the unknown extents, ranks and element types of arguments.
struct Assumed {
  Expr extent;                   // instead of known extents; undefined: these extents
  int rank;                      // of arguments of unknown rank
  Type element;                  // of arguments of unknown element type
  Expr unknown = some_extent();  // instead of unknown extents
};

class OperatorRuns {
 public:
  OperatorRuns(const OperatorCall& call, std::vector<ValueType> arguments, const Request& request)
      : call_(call),
        operator_(find_operator(call.callee, request.where)),
        arguments_(std::move(arguments)),
        request_(request) {
    for (const ValueType& type : arguments_)
      for (const Expr& dim : dims_in(type)) note(dim);
    for (const auto& entry : call.attributes.entries())
      if (const Shape* dims = std::get_if<Shape>(&entry.value))
        for (const Expr& dim : *dims) note(dim);
  }

  Result result() {
    const ValueType derived = type();
    return {derived, may_be_view_};
  }

 private:
  ValueType type() {
    const bool all_known = are_known(arguments_);
    if (all_known) try {
        return types_of_results(run({{}, 0, f32}), true);
      } catch (const MayDiffer&) {
      }
    return weaker_type(all_known);
  }

  void note(const Expr& dim) {
    for (const std::string& name : symbols_of(dim)) symbols_.insert(name);
  }

  // What successful runs agree on. The runs try all ranks and element types that are unknown.
  ValueType weaker_type(bool may_differ) {
    const bool knows_ranks = knows([](const ValueType& t) { return t.rank().has_value(); });
    const bool knows_elements = knows([](const ValueType& t) { return t.element().has_value(); });
    std::optional<ValueType> all;
    std::optional<Error> refusal;
    const std::vector<int> ranks = {1, 2, 3, 4, 5, 6, 7, 8, 0};
    const std::vector<Type> elements = {f32, f64, f16, bf16, i64, i32,    i16,
                                        i8,  u64, u32, u16,  u8,  boolean};
    for (const int rank : knows_ranks ? std::vector<int>{0} : ranks)
      for (const Type element : knows_elements ? std::vector<Type>{f32} : elements) try {
          const ValueType one = type_with(rank, element, may_differ);
          all = all ? joined(*all, one) : one;
        } catch (const Error& error) {
          if (error.code() == Code::E0603_unknown_operator) throw;
          if (!refusal) refusal = error;
        }
    if (!all) throw *refusal;
    return *all;
  }

  // The type by the first successful run: with the known extents, else with others that may fit
  // better.
  ValueType type_with(int rank, Type element, bool may_differ) {
    std::optional<Error> refusal;
    const std::vector<Expr> extents = {Expr(), some_extent(), constant(i64, 1), constant(i64, 4)};
    for (std::size_t k = may_differ ? 1 : 0; k < extents.size(); ++k) try {
        Assumed assumed{extents[k], rank, element};
        if (k > 0) assumed.unknown = extents[k];
        const ValueType type = types_of_results(run(assumed), k == 0);
        return may_differ ? type : joined(type, type_with_ones(type, assumed));
      } catch (const Error& error) {
        if (error.code() == Code::E0603_unknown_operator) throw;
        if (!refusal) refusal = error;
      }
    throw *refusal;
  }

  // The type if unknown extents are 1, for which squeeze gives another rank; "type" if they cannot
  // be 1.
  ValueType type_with_ones(const ValueType& type, Assumed assumed) {
    assumed.unknown = constant(i64, 1);
    try {
      return types_of_results(run(assumed), !assumed.extent.defined());
    } catch (const Error&) {
      return type;
    }
  }

  template <typename F>
  bool knows(const F& f) const {
    for (const ValueType& type : arguments_)
      if (!f(type)) return false;
    return true;
  }

  std::vector<Tensor> run(const Assumed& assumed) {
    std::vector<Tensor> tensors;
    for (const ValueType& type : arguments_) {
      const std::string name =
          tensors.size() < operator_.arguments.size() && !operator_.takes_any_number
              ? operator_.arguments[tensors.size()]
              : "x" + std::to_string(tensors.size());
      tensors.push_back(placeholder(name, type.element().value_or(assumed.element),
                                    extents(type, assumed), request_.where));
    }
    ++runs;
    std::vector<Tensor> results =
        operator_(tensors, call_.attributes, call_.layouts, request_.where);
    for (const Tensor& t : results)
      may_be_view_ |= !t.op().computed() || t.op().computed()->is_view;
    return results;
  }

  static Shape extents(const ValueType& type, const Assumed& assumed) {
    if (type.dims() && !assumed.extent.defined()) return *type.dims();
    const Expr extent =
        !type.dims() || !assumed.extent.defined() ? assumed.unknown : assumed.extent;
    return Shape(std::vector<Expr>(type.rank().value_or(assumed.rank), extent));
  }

  // The types of the results. An extent is known if all its symbols are the caller's.
  ValueType types_of_results(const std::vector<Tensor>& results, bool has_extents) const {
    std::vector<ValueType> types;
    for (const Tensor& t : results) {
      const ValueType type = ValueType::tensor(t.shape(), t.type());
      types.push_back(with_dims(type, [&](const Expr& dim) {
        for (const std::string& name : symbols_of(dim))
          if (!symbols_.contains(name)) return Expr();
        return has_extents ? dim : Expr();
      }));
    }
    return types.size() == 1 ? types[0] : ValueType::tuple(types);
  }

  const OperatorCall& call_;
  const Operator& operator_;
  std::vector<ValueType> arguments_;
  Request request_;
  std::set<std::string> symbols_;
  bool may_be_view_ = false;
};

Result result_of(const OperatorCall& call, const Request& request) {
  std::vector<ValueType> arguments = tensor_types(call, request);
  for (ValueType& type : arguments)
    type = without_variables(type);  // the operator does not know variables
  static Known<Result> known;
  return known.get(key_of(call, arguments),
                   [&] { return OperatorRuns(call, arguments, request).result(); });
}

}  // namespace

std::uint64_t derivations() { return runs; }

bool are_known(const std::vector<ValueType>& types) {
  return std::all_of(types.begin(), types.end(),
                     [](const ValueType& type) { return type.dims() && type.element(); });
}

std::vector<ValueType> tensor_types(const OperatorCall& call, const Request& request) {
  std::vector<ValueType> types;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ValueType& type = call.arguments[k].type();
    const std::vector<ValueType> fields =
        type.is_tuple() ? type.fields() : std::vector<ValueType>{type};
    for (const ValueType& field : fields) {
      if (!field.is_tensor() && field.kind() != ValueType::Kind::object)
        throw request.refused(
            Code::E0602_does_not_fit,
            fmt::format("argument {} of {} is {}, and no tensor", k, call.callee, field.text()),
            "give tensors, or a tuple of them");
      types.push_back(field);
    }
  }
  return types;
}

std::string key_of(const OperatorCall& call, const std::vector<ValueType>& types) {
  std::string key = call.callee + "(" + call.attributes.text() + ")" + call.layouts.text();
  for (const ValueType& type : types) key += " " + type.text();
  return key;
}

ValueType operator_type(const OperatorCall& call, const Request& request) {
  return result_of(call, request).type;
}

bool may_be_view(const OperatorCall& call, const Request& request) {
  return result_of(call, request).may_be_view;
}

std::vector<Tensor> tensors_of(const std::vector<ValueType>& types, const Where& where) {
  std::vector<Tensor> tensors;
  for (const ValueType& type : types)
    tensors.push_back(
        placeholder("x" + std::to_string(tensors.size()), *type.element(), *type.dims(), where));
  return tensors;
}

Tensor find_result(const OperatorCall& call, const std::vector<Tensor>& tensors,
                   const Where& where) {
  try {
    const std::vector<Tensor> made =
        find_operator(call.callee, where)(tensors, call.attributes, call.layouts, where);
    return made.size() == 1 ? made[0] : Tensor();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace strata::graph
