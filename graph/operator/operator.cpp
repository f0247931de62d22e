#include "graph/operator/operator.h"

#include <fmt/format.h>

#include "graph/operator/follow.h"
#include "graph/operator/inline.h"
#include "graph/tensor/order.h"

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
  const Attributes own = without_notes(given);
  require_known(own, attributes, request);
  return apply(tensors, own, where);
}

namespace {

void require_count(const char* what, std::size_t layouts, std::size_t tensors,
                   const Request& request) {
  if (layouts > tensors)
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("{} layouts are given for {} {}", layouts, tensors, what),
                          "give one for each, and _ for none");
}

// The layouts of what an operator computes on the way, as pad(x) in a convolution: that of the
// tensor that it follows, or of the result that follows it.
std::map<const Operation*, Layout> layouts_inside(const std::vector<Tensor>& tensors,
                                                  const std::vector<Tensor>& results,
                                                  const Layouts& layouts) {
  std::map<const Operation*, Layout> inside;
  std::set<const Operation*> ends;
  for (const std::vector<Tensor>* list : {&tensors, &results})
    for (const Tensor& t : *list) ends.insert(&t.op());
  for (const auto& op : operations_of(results, tensors)) {
    if (ends.contains(op.get()) || !is_inlinable(*op)) continue;
    const Tensor made(op, 0);
    const auto store = [&](const Layout& layout, const Tensor& output, const Tensor& input) {
      if (!layout.is_identity() && layout.fits(made.shape()) && keeps_dimensions(output, input))
        inside.emplace(op.get(), layout);
    };
    for (std::size_t k = 0; k < tensors.size(); ++k) store(layouts.argument(k), made, tensors[k]);
    for (std::size_t k = 0; k < results.size(); ++k) store(layouts.result(k), results[k], made);
  }
  return inside;
}

}  // namespace

std::vector<Tensor> Operator::operator()(const std::vector<Tensor>& stored, const Attributes& given,
                                         const Layouts& layouts, const Where& where) const {
  if (layouts.empty()) return (*this)(stored, given, where);
  const Request request{name, where};
  require_count("arguments", layouts.arguments(), stored.size(), request);
  std::set<const Operation*> parts;
  std::vector<Tensor> tensors = stored;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const Layout layout = layouts.argument(k);
    if (layout.is_identity()) continue;
    tensors[k] = transformed(stored[k], layout, layout.plain(), request);
    parts.insert(&tensors[k].op());
  }
  std::vector<Tensor> results = (*this)(tensors, given, where);
  require_count("results", layouts.results(), results.size(), request);
  const std::vector<Tensor> logical = results;  // which lives as long as its parts
  for (std::size_t k = 0; k < results.size(); ++k) {
    const Layout layout = layouts.result(k);
    if (layout.is_identity()) continue;
    if (logical.size() == 1 && is_inlinable(logical[k].op())) parts.insert(&logical[k].op());
    results[k] = transformed(logical[k], layout.plain(), layout, request);
  }
  return inlined(results, parts, layouts_inside(tensors, logical, layouts));
}

}  // namespace strata::graph
