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

// The equation of Einsum. "..." stands for the dimensions that have no letter.
class Equation {
 public:
  Equation(Node& n, std::string text) : n_(n) {
    std::erase(text, ' ');
    for (char c = 'A'; c <= 'z'; ++c)
      if (std::isalpha(static_cast<unsigned char>(c)) && text.find(c) == std::string::npos)
        free_ += c;
    const auto arrow = text.find("->");
    add_operands(text.substr(0, arrow));
    result_ = arrow == std::string::npos ? implied() : text.substr(arrow + 2);
    if (const auto dots = result_.find("..."); dots != std::string::npos)
      result_.replace(dots, 3, last_free(most_));
  }

  std::string text() const { return operands_ + "->" + result_; }

 private:
  // The letters for "..." in an operand. Operands with fewer dimensions have the last ones.
  std::string last_free(std::size_t count) const { return free_.substr(free_.size() - count); }

  void add_operands(std::string left) {
    for (int k = 0; k < n_.count(); ++k) {
      const std::size_t comma = left.find(',');
      std::string letters = left.substr(0, comma);
      left = comma == std::string::npos ? "" : left.substr(comma + 1);
      if (const auto dots = letters.find("..."); dots != std::string::npos) {
        const int count = n_.rank(n_.in(k)) - int(letters.size() - 3);
        if (count < 0 || count > int(free_.size())) throw n_.refused("the equation does not fit");
        most_ = std::max(most_, std::size_t(count));
        letters.replace(dots, 3, last_free(std::size_t(count)));
      }
      operands_ += (k == 0 ? "" : ",") + letters;
    }
  }

  // The result of an equation that gives none: the dimensions of "...", then the letters that occur
  // once, in order.
  std::string implied() const {
    std::map<char, int> uses;
    for (const char c : operands_)
      if (c != ',' && free_.find(c) == std::string::npos) ++uses[c];
    std::string result = "...";
    for (const auto& [letter, count] : uses)
      if (count == 1) result += letter;
    return result;
  }

  Node& n_;
  std::string free_, operands_, result_;  // unused letters; both sides of the equation
  std::size_t most_ = 0;                  // dimensions of "..."
};

Values einsum(Node& n) {
  return {n("einsum", n.inputs(), EinsumAttributes{Equation(n, n.text("equation", "")).text()})};
}

constexpr Row product_table[] = {
    {"Einsum", einsum, 12},
    {"Gemm", gemm},
    {"MatMul", [](Node& n) { return Values{n.matmul(n.in(0), n.in(1))}; }},
};

}  // namespace

std::span<const Row> product_rows() { return product_table; }

}  // namespace strata::graph::onnx
