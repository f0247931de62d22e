// Sums of products.
#include <algorithm>
#include <map>

#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

// alpha A' B' + beta C
Values gemm(Node& n) {
  const Value a = n.in(0), b = n.in(1);
  const Type type = n.type(a);
  Value result = n.matmul(a, b, {n.flag("transA", false), n.flag("transB", false)});
  const double alpha = n.real("alpha", 1), beta = n.real("beta", 1);
  if (alpha != 1) result = n("multiply", {result, n.scalar(type, alpha)});
  if (!n.has(2)) return {result};
  Value c = n.in(2);
  if (beta != 1) c = n("multiply", {c, n.scalar(type, beta)});
  return {n("add", {result, c})};
}

// "..." stands for the dimensions that the letters of an operand leave: letters that nobody uses.
std::string without_ellipsis(Node& n, std::string equation) {
  std::erase(equation, ' ');
  const auto arrow = equation.find("->");
  std::string left = equation.substr(0, arrow), free, result;
  for (char c = 'A'; c <= 'z'; ++c)
    if (std::isalpha(static_cast<unsigned char>(c)) && equation.find(c) == std::string::npos)
      free += c;
  std::size_t most = 0;
  std::string operands;
  for (int k = 0; k < n.count(); ++k) {
    const std::size_t comma = left.find(',');
    std::string letters = left.substr(0, comma);
    left = comma == std::string::npos ? "" : left.substr(comma + 1);
    if (const auto dots = letters.find("..."); dots != std::string::npos) {
      const int count = n.rank(n.in(k)) - int(letters.size() - 3);
      if (count < 0 || count > int(free.size())) throw n.refused("the equation does not fit");
      most = std::max(most, std::size_t(count));
      // Those of fewer dimensions are the last ones.
      letters.replace(dots, 3, free.substr(free.size() - std::size_t(count)));
    }
    operands += (k == 0 ? "" : ",") + letters;
  }
  const std::string shared = free.substr(free.size() - most);
  if (arrow != std::string::npos) {
    result = equation.substr(arrow + 2);
    if (const auto dots = result.find("..."); dots != std::string::npos)
      result.replace(dots, 3, shared);
  } else {
    std::map<char, int> uses;
    for (const char c : operands)
      if (c != ',' && shared.find(c) == std::string::npos) ++uses[c];
    result = shared;
    for (const auto& [letter, count] : uses)
      if (count == 1) result += letter;
  }
  return operands + "->" + result;
}

Values einsum(Node& n) {
  return {n("einsum", n.inputs(), EinsumAttributes{without_ellipsis(n, n.text("equation", ""))})};
}

constexpr Row product_table[] = {
    {"Einsum", einsum, 12},
    {"Gemm", gemm},
    {"MatMul", [](Node& n) { return Values{n.matmul(n.in(0), n.in(1))}; }},
};

}  // namespace

std::span<const Row> product_rows() { return product_table; }

}  // namespace strata::graph::onnx
