// An operator: one function from tensors to tensors, with the names of its arguments.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "graph/operator/attributes.h"
#include "graph/operator/layout.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

// E0602 because two extents must be equal, but are provably neither equal nor different.
class MayDiffer : public Error {
 public:
  MayDiffer(Refusal refusal, Expr one, Expr other)
      : Error(std::move(refusal)), one_(std::move(one)), other_(std::move(other)) {}
  const Expr& one() const { return one_; }
  const Expr& other() const { return other_; }

 private:
  Expr one_, other_;
};

struct Operator {
  std::string name;
  std::vector<std::string> arguments;  // names of the tensors
  Attributes attributes;               // with their defaults
  bool takes_any_number = false;       // its one argument stands for several tensors
  std::function<std::vector<Tensor>(const std::vector<Tensor>&, const Attributes&, const Where&)>
      apply;

  // E0602 for a wrong number of tensors, or if something does not fit; E0603 for an unknown
  // attribute.
  std::vector<Tensor> operator()(const std::vector<Tensor>& tensors,
                                 const Attributes& attributes = {},
                                 const Where& where = Where::here()) const;
  // Applies the operator to tensors that are stored by layouts: it computes on the logical tensors,
  // with accesses composed with the layouts' maps.
  std::vector<Tensor> operator()(const std::vector<Tensor>& stored, const Attributes& attributes,
                                 const Layouts& layouts, const Where& where = Where::here()) const;
};

// ---- an operator from its function: tensors, then perhaps attributes, then perhaps Where ----

template <typename T>
concept AttributeStruct = requires(T t) { t.fields([](const std::string&, auto&) {}); };

template <typename... Arguments>
struct FunctionForm {
  static constexpr int tensors = (int(std::same_as<Arguments, Tensor>) + ...);
  static constexpr bool takes_list = (std::same_as<Arguments, std::vector<Tensor>> || ...);

  template <typename T>
  static T argument(int& next, const std::vector<Tensor>& given, const Attributes& attributes,
                    const Where& where) {
    if constexpr (std::same_as<T, Tensor>)
      return given[next++];
    else if constexpr (std::same_as<T, std::vector<Tensor>>)
      return given;
    else if constexpr (std::same_as<T, Where>)
      return where;
    else
      return from_attributes<T>(attributes, {"attributes", where});
  }
  template <typename T>
  static void add_defaults(Attributes& list) {
    if constexpr (AttributeStruct<T>) list = attributes_of(T());
  }
};

inline std::vector<Tensor> as_list(Tensor t) { return {std::move(t)}; }
inline std::vector<Tensor> as_list(std::vector<Tensor> list) { return list; }

template <typename Result, typename... Parameters>
Operator operator_of(std::string name, std::vector<std::string> arguments,
                     std::function<Result(Parameters...)> function) {
  using Form = FunctionForm<std::remove_cvref_t<Parameters>...>;
  Operator row;
  row.name = std::move(name);
  row.arguments = std::move(arguments);
  row.takes_any_number = Form::takes_list;
  (Form::template add_defaults<std::remove_cvref_t<Parameters>>(row.attributes), ...);
  row.apply = [function](const std::vector<Tensor>& given, const Attributes& attributes,
                         const Where& where) {
    int next = 0;
    std::tuple<std::remove_cvref_t<Parameters>...> all{
        Form::template argument<std::remove_cvref_t<Parameters>>(next, given, attributes,
                                                                 where)...};
    return as_list(std::apply(function, all));
  };
  return row;
}

}  // namespace strata::graph
