#include "graph/page/body_trees.h"

#include <sstream>

#include "core/expr/expr_text.h"
#include "graph/tensor/order.h"
#include "graph/text/kernel_text.h"

namespace strata::graph {

namespace {

// Expressions are graphs, which share parts: as trees they may be much larger.
constexpr int most_parts = 200, most_depth = 40;

std::string range_text(const std::vector<Var>& over) {
  std::string text;
  for (const Var& k : over)
    text += (text.empty() ? "" : ", ") + author_text(k.name()) + " in [" +
            author_text(to_text(k.lower())) + ", " + author_text(to_text(k.upper())) + ")";
  return text;
}

class BodyTree {
 public:
  ModulePage::Tree of(const Expr& e, int depth) {
    const bool is_whole = e.args().empty() || e.op() == Op::access || e.op() == Op::array;
    if (is_whole) return {{author_text(to_text(e))}};
    if (++parts_ > most_parts || depth > most_depth) return {{"…"}};
    ModulePage::Tree tree{{label_of(e)}};
    for (const Expr& part : e.args()) tree.parts.push_back(of(part, depth + 1));
    return tree;
  }

 private:
  static std::string label_of(const Expr& e) {
    switch (e.op()) {
      case Op::reduce:
        return to_string(e.node().reduction) + " over " + range_text(e.node().variables);
      case Op::cast: return "cast to " + to_string(e.type());
      case Op::named: return author_text(e.name()) + " :=";
      case Op::call: return "call " + e.name();
      default: return to_string(e.op());
    }
  }

  int parts_ = 0;
};

// The heads of the lines "y(i): Tensor[(n), float32] = x[i]" of a kernel's text, by operation.
std::vector<std::string> heads_of(const TensorKernel& kernel) {
  std::istringstream lines(text_of(kernel));
  std::vector<std::string> heads;
  for (std::string line; std::getline(lines, line);)
    if (const auto end = line.find(" = "); end != std::string::npos)
      heads.push_back(line.substr(2, end - 2));
  return heads;
}

std::vector<ModulePage::Tree> body_of(const Operation& op) {
  if (!op.computed()) return {{{"a function on whole arrays"}}};
  BodyTree tree;
  std::vector<ModulePage::Tree> parts;
  for (const Expr& e : op.body()) parts.push_back(tree.of(e, 0));
  const Tuple& value = op.computed()->value;
  if (!value.reducer) return parts;
  return {{{"reduce by " + value.reducer->name() + " over " + range_text(value.over)}, parts}};
}

}  // namespace

std::vector<ModulePage::Operation> operations_on_page(const TensorKernel& kernel) {
  const std::vector<std::string> heads = heads_of(kernel);
  std::vector<ModulePage::Operation> all;
  for (const auto& op : operations_of(kernel.outputs)) {
    if (op->is_placeholder()) continue;
    ModulePage::Operation made{all.size() < heads.size() ? heads[all.size()] : op->name, {}, {}};
    for (const Tensor& t : input_tensors(*op))
      made.reads.push_back(t.name() + ": " + ValueType::tensor(t.shape(), t.type()).text());
    made.body = body_of(*op);
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace strata::graph
