#include "graph/operator/follow.h"

#include <numeric>
#include <unordered_map>

#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

using Follows = std::vector<Follow>;
using Kind = Follow::Kind;

// What an index follows, in an operation with these iterators.
Follow of_index(const Expr& index, const std::vector<Var>& axis) {
  const auto dim_of = [&](const std::string& name) {
    for (std::size_t d = 0; d < axis.size(); ++d)
      if (axis[d].name() == name) return int(d);
    return -1;
  };
  if (index.op() == Op::variable && dim_of(index.name()) >= 0)
    return {Kind::offset, dim_of(index.name()), 0};
  if (index.op() == Op::add || index.op() == Op::sub) {
    const Expr &first = index.args()[0], &second = index.args()[1];
    if (first.op() == Op::variable && dim_of(first.name()) >= 0 && second.op() == Op::constant)
      return {Kind::offset, dim_of(first.name()), second.node().integer};
  }
  Follow decided{Kind::other};
  for (const std::string& name : free_variables(index))
    if (const int dim = dim_of(name); dim >= 0) {
      if (decided.kind == Kind::decided) return {Kind::other};
      decided = {Kind::decided, dim};
    }
  visit(index, [&](const Expr& part) {
    if (part.op() == Op::access) decided.kind = Kind::other;
  });
  return decided;
}

// How an index follows another one in two steps, "outer" after "inner".
Follow composed(const Follow& outer, const Follow& inner) {
  return {std::max(outer.kind, inner.kind), outer.dim, std::gcd(outer.step, inner.step)};
}

Follow merged(const Follow& a, const Follow& b) {
  if (a.kind == Kind::unread) return b;
  if (b.kind == Kind::unread) return a;
  if (a.dim != b.dim) return {Kind::other};
  return {std::max(a.kind, b.kind), a.dim, std::gcd(a.step, b.step)};
}

}  // namespace

std::vector<Follow> followed(const Tensor& output, const Tensor& input) {
  std::unordered_map<const Operation*, Follows> all;
  const auto add = [&](const Operation& op, const Tensor& read,
                       const std::function<Follow(const Follow&)>& outer) {
    const Follows& inner = all[&read.op()];
    for (std::size_t e = 0; e < inner.size(); ++e)
      all[&op][e] = merged(all[&op][e], outer(inner[e]));
  };
  for (const auto& op : operations_of({output})) {
    Follows& follows = all[op.get()];
    follows.resize(std::size_t(input.rank()));
    if (op.get() == &input.op())
      for (int e = 0; e < input.rank(); ++e) follows[std::size_t(e)] = {Kind::offset, e, 0};
    if (op->external())
      for (const Tensor& t : op->external()->inputs)
        add(*op, t, [](const Follow& inner) {
          return inner.kind == Kind::unread ? inner : Follow{Kind::other};
        });
    for (const Expr& scalar : op->body())
      visit(scalar, [&](const Expr& part) {
        const Tensor read = part.op() == Op::access ? tensor_of(part) : Tensor();
        if (!read.defined()) return;
        add(*op, read, [&](const Follow& inner) {
          if (inner.kind == Kind::unread || inner.kind == Kind::other) return inner;
          return composed(of_index(part.args()[std::size_t(inner.dim)], op->axis()), inner);
        });
      });
  }
  return all[&output.op()];
}

bool keeps_dimensions(const Tensor& output, const Tensor& input) {
  if (output.rank() != input.rank()) return false;
  const std::vector<Follow> follows = followed(output, input);
  for (int d = 0; d < input.rank(); ++d) {
    const Follow& f = follows[std::size_t(d)];
    if (f.dim != d || (f.kind != Kind::offset && f.kind != Kind::decided)) return false;
  }
  return true;
}

}  // namespace strata::graph
