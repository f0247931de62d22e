#include "graph/fuse/kept_dims.h"

#include <algorithm>

#include "graph/ir/known.h"
#include "graph/ir/operator_types.h"
#include "graph/operator/follow.h"
#include "graph/ops/registry.h"

namespace strata::graph {

namespace {

int kept(const Tensor& result, const Tensor& argument) {
  const std::vector<Follow> follows = followed(result, argument);
  const int most = std::min(result.rank(), argument.rank());
  for (int d = 0; d < most; ++d) {
    const Follow& f = follows[std::size_t(d)];
    const bool is_same = f.kind == Follow::Kind::offset && f.dim == d && f.step == 0;
    if (!is_same && f.kind != Follow::Kind::unread) return d;
  }
  return most;
}

std::vector<int> kept_of(const OperatorCall& call, const std::vector<ValueType>& types,
                         const Where& where) {
  std::vector<int> none(call.arguments.size(), 0);
  if (!are_known(types)) return none;
  const std::vector<Tensor> inputs = tensors_of(types, where);
  std::vector<Tensor> results;
  try {
    results = find_operator(call.callee, where)(inputs, call.attributes, call.layouts, where);
  } catch (const Error&) {  // extents that may not fit
    return none;
  }
  std::vector<int> least;
  std::size_t next = 0;
  for (const Value& argument : call.arguments) {
    int d = 0;
    const std::size_t fields = argument.type().is_tuple() ? argument.type().fields().size() : 1;
    for (std::size_t k = 0; k < fields; ++k, ++next)
      for (const Tensor& result : results) {
        const int of_field = kept(result, inputs[next]);
        d = k == 0 && &result == &results.front() ? of_field : std::min(d, of_field);
      }
    least.push_back(d);
  }
  return least;
}

}  // namespace

std::vector<int> kept_dims(const OperatorCall& call, const Where& where) {
  static Known<std::vector<int>> known;
  const std::vector<ValueType> types = tensor_types(call, {call.callee, where});
  return known.get(key_of(call, types), [&] { return kept_of(call, types, where); });
}

}  // namespace strata::graph
