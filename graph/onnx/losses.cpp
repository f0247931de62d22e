// Losses of classifications.
#include <optional>

#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

Value reduced_loss(Node& n, const Value& loss, const Value& weights) {
  const std::string reduction = n.text("reduction", "mean");
  if (reduction == "none") return loss;
  const Value total = n("sum", {loss}, ReduceAttributes{});
  if (reduction == "sum") return total;
  if (reduction != "mean") throw n.refused("reduction is \"" + reduction + "\"");
  return n("divide", {total, n("sum", {weights}, ReduceAttributes{})});
}

// -weight(t) x(b, t, ..), t = target(b, ..); 0 where t is ignored. The mean divides by the sum of
// the weights.
Value likelihood_loss(Node& n, const Value& x, const Value& given, const Value& weight) {
  const Type type = n.type(x);
  Value target = n.cast(given, i64);
  Value weights = n("full", {}, FullAttributes{n.dims(target), 1, type});
  Value ignored;
  if (n.has("ignore_index")) {
    const Value index = n.scalar(i64, double(n.integer("ignore_index", 0)));
    ignored = n("equal", {target, index});
    target = n("where", {ignored, n.scalar(i64, 0), target});
  }
  if (weight.defined()) weights = n("take", {weight, target}, TakeAttributes{0, "error"});
  if (ignored.defined()) weights = n("where", {ignored, n.scalar(type, 0), weights});
  const Value places = n("expand_dims", {target}, NewAxesAttributes{1, 1});
  const Value picked =
      n("squeeze", {n("gather", {x, places}, FirstAxisAttributes{1})}, AxesAttributes{{1}});
  const Value loss = n("multiply", {n("negative", {picked}), weights});
  return reduced_loss(n, loss, weights);
}

Values negative_log_likelihood(Node& n) {
  return {likelihood_loss(n, n.in(0), n.in(1), n.has(2) ? n.in(2) : Value())};
}

Values softmax_cross_entropy(Node& n) {
  const Value logarithms = n("log_softmax", {n.in(0)}, LastAxisAttributes{1});
  return {likelihood_loss(n, logarithms, n.in(1), n.has(2) ? n.in(2) : Value()), logarithms};
}

constexpr Row loss_table[] = {
    {"NegativeLogLikelihoodLoss", negative_log_likelihood, 12},
    {"SoftmaxCrossEntropyLoss", softmax_cross_entropy, 12},
};

}  // namespace

std::span<const Row> loss_rows() { return loss_table; }

}  // namespace strata::graph::onnx
