#include <fmt/format.h>

#include <map>
#include <set>

#include "core/expr/expr_text.h"
#include "graph/tensor/order.h"
#include "graph/text/kernel_text.h"

namespace strata::graph {

namespace {

std::string listed(const std::vector<std::string>& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

class KernelPrinter {
 public:
  explicit KernelPrinter(const TensorKernel& kernel)
      : kernel_(kernel), operations_(operations_of(kernel.outputs)) {
    for (const Tensor& t : kernel.inputs) note_symbols(t.op());
    for (const auto& op : operations_) note_symbols(*op);
  }

  std::string text() {
    std::vector<std::string> inputs, outputs, integers;
    for (const Tensor& t : kernel_.inputs)
      inputs.push_back(quoted_name(named(t.shared_op())) + ": " + type_text(t));
    for (const std::string& symbol : kernel_.integers) integers.push_back(quoted_name(symbol));
    std::string text = "kernel @" + quoted_name(kernel_.name) + "(" + listed(inputs) +
                       (integers.empty() ? "" : "; " + listed(integers)) + ") {\n";
    for (const auto& op : operations_)
      if (!op->is_placeholder()) text += "  " + line(op) + "\n";
    for (const Tensor& t : kernel_.outputs) outputs.push_back(quoted_name(names_.at(t)));
    return text + "  return " + listed(outputs) + "\n}\n";
  }

 private:
  void note_symbols(const Operation& op) {
    for_each_expr(op, [this](const Expr& e) {
      for (const std::string& symbol : symbols_of(e)) symbols_.insert(symbol);
    });
  }

  // A name for an operation that no other one has. Its outputs get names, too.
  std::string named(const std::shared_ptr<const Operation>& op) {
    const int count = int(op->outputs().size());
    std::string base = op->name;
    const auto output_name = [&](int k) {
      return count == 1 ? base : base + "_" + std::to_string(k);
    };
    const auto is_taken = [&] {
      for (int k = 0; k < count; ++k)
        if (taken_.contains(output_name(k))) return true;
      return false;
    };
    int& next = next_[{op->name, count}];  // smaller numbers are taken
    for (; is_taken(); ++next) base = op->name + "_" + std::to_string(next + 1);
    for (int k = 0; k < count; ++k) {
      taken_.insert(output_name(k));
      names_[Tensor(op, k)] = output_name(k);
    }
    return base;
  }

  std::string line(const std::shared_ptr<const Operation>& op) {
    const Computed& made = *op->computed();
    rename_iterators(made);
    std::vector<std::string> iterators, types, assumptions;
    for (const Var& v : made.axis) iterators.push_back(quoted_name(iterators_.at(v.name())));
    const int count = int(op->outputs().size());
    for (int k = 0; k < count; ++k) types.push_back(type_text(Tensor(op, k)));
    for (const Expr& e : made.assumptions) assumptions.push_back(text_of(e));
    const std::string value = value_text(made.value);
    return quoted_name(named(op)) + "(" + listed(iterators) +
           "): " + (count == 1 ? types[0] : "(" + listed(types) + ")") + " = " +
           (made.is_view ? "view " : "") + value +
           (assumptions.empty() ? "" : " assuming " + listed(assumptions));
  }

  // Renames iterators with the name of a symbol, since both would have the same text.
  void rename_iterators(const Computed& made) {
    iterators_.clear();
    std::vector<Var> all = made.axis;
    all.insert(all.end(), made.value.over.begin(), made.value.over.end());
    std::set<std::string> used = symbols_;
    for (const Var& v : all) {
      std::string name = v.name();
      while (!used.insert(name).second) name += "_";
      iterators_[v.name()] = name;
    }
  }

  std::string value_text(const Tuple& value) {
    std::string text;
    if (value.reducer) {
      std::vector<std::string> over;
      for (const Var& k : value.over)
        over.push_back(quoted_name(iterators_.at(k.name())) + " in [" + text_of(k.lower()) + ", " +
                       text_of(k.upper()) + ")");
      text = "reduce " + quoted_string(value.reducer->name()) + " (" + listed(over) + ") ";
    }
    const bool is_list = value.reducer || value.values.size() > 1;
    text += is_list ? list_text(value.values) : text_of(value.values[0]);
    if (!value.reducer) return text;
    return text + " from " + list_text(value.reducer->identities()) + " by " +
           list_text(value.reducer->steps());
  }

  std::string list_text(const std::vector<Expr>& values) {
    std::vector<std::string> texts;
    for (const Expr& e : values) texts.push_back(text_of(e));
    return "(" + listed(texts) + ")";
  }

  // The text of an expression, with the names that the text uses.
  std::string text_of(const Expr& e) {
    const Expr renamed = substitute(e, [&](const std::string& name) {
      const auto found = iterators_.find(name);
      return found == iterators_.end() || found->second == name ? Expr()
                                                                : strata::variable(found->second);
    });
    return to_text(rewrite(renamed, [&](const Expr& part) {
      const Tensor t = tensor_of(part);
      if (!t.defined()) return Expr();
      if (part.op() == Op::array) return array_argument(names_.at(t), part.type());
      return access(names_.at(t), part.type(), part.args());
    }));
  }

  static std::string type_text(const Tensor& t) {
    return ValueType::tensor(t.shape(), t.type()).text();
  }

  const TensorKernel& kernel_;
  std::vector<std::shared_ptr<const Operation>> operations_;
  std::set<std::string> symbols_ = {}, taken_ = {};
  std::map<Tensor, std::string> names_ = {};
  std::map<std::pair<std::string, int>, int> next_ = {};
  std::map<std::string, std::string> iterators_ = {};  // of the operation -> in the text
};

}  // namespace

std::string text_of(const TensorKernel& kernel) { return KernelPrinter(kernel).text(); }

}  // namespace strata::graph
