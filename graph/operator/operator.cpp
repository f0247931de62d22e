#include "graph/operator/operator.h"

#include <fmt/format.h>

namespace strata::graph {

std::vector<Tensor> Operator::operator()(const std::vector<Tensor>& tensors,
                                         const Attributes& given, const Where& where) const {
  const Request request{name, where};
  if (!takes_any_number && tensors.size() != arguments.size())
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("{} tensors are given, and {} takes {}: {}", tensors.size(),
                                      name, arguments.size(), fmt::join(arguments, ", ")));
  for (const Tensor& t : tensors)
    if (!t.defined()) throw request.refused(Code::E0602_does_not_fit, "a tensor is undefined");
  require_known(given, attributes, request);
  return apply(tensors, given, where);
}

}  // namespace strata::graph
