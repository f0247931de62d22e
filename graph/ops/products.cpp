// Sums of products.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

Tensor dense(const Tensor& x, const Tensor& w, const Where& where) {
  const Writer op("dense", where);
  op.require_least_rank("x", x, 1);
  op.require_rank("w", w, 2);
  op.require_same_type("x", x, "w", w);
  op.require_equal("x", x, -1, "w", w, 1);
  const Axis k = reduce_axis(w.shape(1), "k");
  return op.compute(x.shape().with_last(w.shape(0)), [&](const Indices& i) {
    return strata::sum(k, x(i.with_last(k)) * w(i.last(), k));
  });
}

namespace {

// A matrix of the batch that an index belongs to, perhaps transposed.
Expr matrix_element(const Tensor& t, const Indices& batch, bool transposed, const Expr& row,
                    const Expr& column) {
  Indices indices;
  const int outer = t.rank() - 2;
  for (int d = 0; d < outer; ++d)
    indices.push_back(is_one(t.shape(d)) ? constant(i64, 0) : batch[batch.rank() - outer + d]);
  indices.push_back(transposed ? column : row);
  indices.push_back(transposed ? row : column);
  return t(indices);
}

Tensor product(const Writer& op, const Tensor& a, const Tensor& b, bool transpose_a,
               bool transpose_b) {
  op.require_least_rank("a", a, 2);
  op.require_least_rank("b", b, 2);
  op.require_same_type("a", a, "b", b);
  op.require_equal("a", a, transpose_a ? -2 : -1, "b", b, transpose_b ? -1 : -2);
  const Shape batch = op.broadcast(a.shape().first(a.rank() - 2), b.shape().first(b.rank() - 2));
  const Axis k = reduce_axis(a.shape(transpose_a ? -2 : -1), "k");
  const Shape shape =
      batch.appended({a.shape(transpose_a ? -1 : -2), b.shape(transpose_b ? -2 : -1)});
  return op.compute(shape, [&](const Indices& i) {
    const Indices outer = i.first(batch.rank());
    return strata::sum(k, matrix_element(a, outer, transpose_a, i.at(-2), k) *
                              matrix_element(b, outer, transpose_b, k, i.last()));
  });
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulAttributes& m, const Where& where) {
  const Writer op("matmul", where);
  op.require_least_rank("a", a, 1);
  op.require_least_rank("b", b, 1);
  const bool row = a.rank() == 1, column = b.rank() == 1;
  const Tensor left = row ? expand_dims(a, {0}, where) : a;
  const Tensor right = column ? expand_dims(b, {1}, where) : b;
  Tensor result = product(op, left, right, m.transpose_a && !row, m.transpose_b && !column);
  Integers dropped;
  if (row) dropped.push_back(-2);
  if (column) dropped.push_back(-1);
  return dropped.empty() ? result : squeeze(result, {dropped}, where);
}

Tensor batch_matmul(const Tensor& a, const Tensor& b, const BatchMatmulAttributes& m,
                    const Where& where) {
  const Writer op("batch_matmul", where);
  op.require_rank("a", a, 3);
  op.require_rank("b", b, 3);
  return product(op, a, b, m.transpose_a, m.transpose_b);
}

namespace {

// "ij,jk->ik": the letters of each operand and of the result.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

Equation equation_of(const Writer& op, std::string text, std::size_t count) {
  std::erase(text, ' ');
  const auto arrow = text.find("->");
  Equation e;
  std::string left = text.substr(0, arrow);
  for (std::size_t comma; (comma = left.find(',')) != std::string::npos; left.erase(0, comma + 1))
    e.operands.push_back(left.substr(0, comma));
  e.operands.push_back(left);
  std::map<char, int> uses;
  for (const std::string& letters : e.operands)
    for (const char c : letters) ++uses[c];
  if (arrow != std::string::npos) e.result = text.substr(arrow + 2);
  for (const auto& [letter, used] : uses) {
    if (!std::isalpha(static_cast<unsigned char>(letter)))
      throw op.refused("\"" + text + "\" is not an equation", "write letters, as in \"ij,jk->ik\"");
    if (arrow == std::string::npos && used == 1) e.result += letter;
  }
  for (const char c : e.result)
    if (!uses.contains(c) || std::count(e.result.begin(), e.result.end(), c) != 1)
      throw op.refused(
          fmt::format("the result of \"{}\" has {}, which no operand has, or twice", text, c));
  if (e.operands.size() != count)
    throw op.refused(fmt::format("\"{}\" has {} operands, and {} tensors are given", text,
                                 e.operands.size(), count));
  return e;
}

}  // namespace

Tensor einsum(const std::vector<Tensor>& tensors, const EinsumAttributes& a, const Where& where) {
  const Writer op("einsum", where);
  const Equation e = equation_of(op, a.equation, tensors.size());
  std::map<char, std::pair<Tensor, int>> found;  // where the extent of each letter is from
  for (std::size_t n = 0; n < tensors.size(); ++n) {
    op.require_rank(e.operands[n].c_str(), tensors[n], int(e.operands[n].size()));
    op.require_same_type("the first", tensors[0], "another", tensors[n]);
    for (int d = 0; d < tensors[n].rank(); ++d) {
      const auto& [first, at] =
          found.emplace(e.operands[n][d], std::pair(tensors[n], d)).first->second;
      op.require_equal(a.equation.c_str(), first, at, e.operands[n].c_str(), tensors[n], d);
    }
  }
  const auto extent = [&](char letter) {
    return found.at(letter).first.shape(found.at(letter).second);
  };
  Shape shape;
  for (const char c : e.result) shape.push_back(extent(c));
  std::vector<Axis> over;
  std::map<char, Expr> reduced;
  for (const auto& [letter, from] : found)
    if (e.result.find(letter) == std::string::npos) {
      over.push_back(reduce_axis(extent(letter), std::string("k_") + letter));
      reduced.emplace(letter, over.back());
    }
  return op.compute(shape, [&](const Indices& i) {
    std::map<char, Expr> index = reduced;
    for (std::size_t d = 0; d < e.result.size(); ++d) index[e.result[d]] = i[d];
    Expr value;
    for (std::size_t n = 0; n < tensors.size(); ++n) {
      Indices indices;
      for (const char c : e.operands[n]) indices.push_back(index.at(c));
      value = value.defined() ? value * tensors[n](indices) : tensors[n](indices);
    }
    return over.empty() ? value : strata::sum(over, value);
  });
}

Tensor bias_add(const Tensor& x, const Tensor& b, const AxisAttributes& a, const Where& where) {
  const Writer op("bias_add", where);
  const int axis = op.axis(a.axis, x.rank());
  op.require_extents("b", b, "x", x, {axis});
  return op.compute(x.shape(), [&](const Indices& i) { return x(i) + b(i[axis]); });
}

void register_products() {
  Registered("dense", {"x", "w"}, dense);
  Registered("matmul", {"a", "b"}, matmul);
  Registered("batch_matmul", {"a", "b"}, batch_matmul);
  Registered("einsum", {"tensors"}, einsum);
  Registered("bias_add", {"x", "b"}, bias_add);
}

}  // namespace strata::graph
