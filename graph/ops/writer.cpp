#include "graph/ops/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/expr/expr_text.h"
#include "graph/operator/operator.h"

namespace strata::graph {

Expr typed(Type type, double value) {
  return is_float(type) ? real_constant(type, value) : constant(type, std::int64_t(value));
}

Expr sigmoid_of(const Expr& v) { return 1 / (1 + exp(-v)); }

Expr product_of(const Shape& shape) {
  Expr product = constant(i64, 1);
  for (const Expr& extent : shape) product = product * extent;
  return normal(product);
}

bool is_one(const Expr& extent) { return constant_dim(extent) == 1; }

bool provably_divides(std::int64_t divisor, const Expr& extent) {
  return graph::equal(extent / divisor * divisor, extent) == Answer::yes;
}

Indices broadcast_indices(const Tensor& t, const Indices& i) {
  Indices indices;
  for (int d = 0; d < t.rank(); ++d)
    indices.push_back(is_one(t.shape(d)) ? constant(i64, 0) : i[i.rank() - t.rank() + d]);
  return indices;
}

Tensor Writer::view(const Shape& shape, const std::function<Expr(const Indices&)>& f) const {
  const auto value = [&](const Indices& i) { return strata::tuple({f(i)}); };
  return compute_tuple(shape, {{}, true}, value, name_, where_)[0];
}

Error Writer::refused(const std::string& explanation, const std::string& mend) const {
  return Request{name_, where_}.refused(Code::E0602_does_not_fit, explanation, mend);
}

int Writer::axis(std::int64_t given, int rank) const {
  const std::int64_t counted = given < 0 ? given + rank : given;
  if (counted < 0 || counted >= rank)
    throw refused(fmt::format("there is no axis {} of {}", given, rank),
                  fmt::format("give one from {} to {}", -rank, rank - 1));
  return int(counted);
}

std::vector<int> Writer::axes(const std::vector<std::int64_t>& given, int rank) const {
  std::vector<int> all(rank);
  std::iota(all.begin(), all.end(), 0);
  if (given.empty()) return all;
  all.clear();
  for (const std::int64_t a : given) all.push_back(axis(a, rank));
  std::sort(all.begin(), all.end());
  if (std::adjacent_find(all.begin(), all.end()) != all.end())
    throw refused("an axis is given twice", "give each once");
  return all;
}

void Writer::require_rank(const char* argument, const Tensor& t, int rank) const {
  if (t.rank() != rank)
    throw refused(fmt::format("{} has the shape {}, and {} dimensions are needed", argument,
                              text_of(t.shape()), rank));
}

void Writer::require_least_rank(const char* argument, const Tensor& t, int rank) const {
  if (t.rank() < rank)
    throw refused(fmt::format("{} has the shape {}, and {} dimensions or more are needed", argument,
                              text_of(t.shape()), rank));
}

void Writer::require_same_type(const char* a, const Tensor& x, const char* b,
                               const Tensor& y) const {
  if (x.type() != y.type())
    throw refused(fmt::format("{} is of type {}, and {} of type {}", a, to_string(x.type()), b,
                              to_string(y.type())),
                  "cast one of them");
}

void Writer::require_equal(const char* a, const Tensor& x, int d, const char* b, const Tensor& y,
                           int e) const {
  const Answer answer = graph::equal(x.shape(d), y.shape(e));
  if (answer == Answer::yes) return;
  const std::string explanation =
      fmt::format("extent {} of {} is {}, and extent {} of {} is {}", d < 0 ? d + x.rank() : d, a,
                  dim_text(x.shape(d)), e < 0 ? e + y.rank() : e, b, dim_text(y.shape(e)));
  if (answer == Answer::no) throw refused(explanation, "give tensors whose extents agree");
  throw MayDiffer(refused(explanation + ", which may differ", "use one symbol for both").refusal(),
                  x.shape(d), y.shape(e));
}

void Writer::require_extents(const char* b, const Tensor& y, const char* a, const Tensor& x,
                             const std::vector<int>& axes) const {
  require_rank(b, y, int(axes.size()));
  require_same_type(a, x, b, y);
  for (int d = 0; d < y.rank(); ++d) require_equal(a, x, axes[d], b, y, d);
}

void Writer::require_alike(const std::vector<Tensor>& tensors, int except) const {
  const Tensor& first = tensors[0];
  for (const Tensor& t : tensors) {
    require_same_type("the first", first, "another", t);
    require_rank("another", t, first.rank());
    for (int d = 0; d < first.rank(); ++d)
      if (d != except) require_equal("the first", first, d, "another", t, d);
  }
}

std::int64_t Writer::require_constant(const char* argument, const Tensor& t, int d) const {
  const auto value = constant_dim(t.shape(d));
  if (!value)
    throw refused(fmt::format("extent {} of {} is {}, and a number is needed",
                              d < 0 ? d + t.rank() : d, argument, dim_text(t.shape(d))));
  return *value;
}

Shape Writer::broadcast(const Shape& a, const Shape& b) const {
  const int rank = std::max(a.rank(), b.rank());
  Shape result;
  for (int d = -rank; d < 0; ++d) {
    const Expr x = -d <= a.rank() ? a.at(d) : constant(i64, 1);
    const Expr y = -d <= b.rank() ? b.at(d) : constant(i64, 1);
    const Answer same = is_one(x) || is_one(y) ? Answer::yes : graph::equal(x, y);
    if (same != Answer::yes) {
      const Error error =
          refused(fmt::format("{} and {} cannot be broadcast: extent {} is {} and {}", text_of(a),
                              text_of(b), d, dim_text(x), dim_text(y)),
                  "give equal extents, or 1");
      if (same == Answer::unknown) throw MayDiffer(error.refusal(), x, y);
      throw error;
    }
    result.push_back(is_one(x) ? y : x);
  }
  return result;
}

}  // namespace strata::graph
