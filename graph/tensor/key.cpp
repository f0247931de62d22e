#include "graph/tensor/key.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "graph/dim/dim.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

// If several symbols first occur in the same dim, their numbers make its text the smallest
// possible. More symbols than this are numbered in the order of their names.
constexpr std::size_t most_ordered_symbols = 5;

class KeyText {
 public:
  KeyText(const std::vector<Tensor>& tensors, const std::vector<Tensor>& given)
      : operations_(operations_of(tensors, given)) {
    for (const Tensor& t : given) {
      line("placeholder" + type(t.op().outputs()[t.index()]));
      given_.emplace(t, fmt::format("given{}", given_.size()));
    }
    for (const auto& op : operations_) add(*op);
    line("results");
    for (const Tensor& t : tensors) text_ += " " + number(t);
  }

  Key take() {
    std::vector<std::string> symbols(symbols_.size());
    for (const auto& [name, number] : symbols_) symbols[std::stoul(number.substr(1))] = name;
    return {std::move(text_), std::move(symbols)};
  }

 private:
  void line(const std::string& text) { text_ += (text_.empty() ? "" : "\n") + text; }

  std::string type(const TensorType& output) {
    std::string text = " " + to_string(output.type) + "(";
    for (const Expr& extent : output.shape) text += dim(extent) + ",";
    return text + ")";
  }

  std::string number(const Tensor& t) const {
    const auto found = given_.find(t);
    return found != given_.end() ? found->second
                                 : fmt::format("{}.{}", numbers_.at(&t.op()), t.index());
  }

  void add(const Operation& op) {
    std::string head;
    for (const TensorType& output : op.outputs()) head += type(output);
    if (op.is_placeholder()) head = "placeholder" + head;
    if (op.external()) head = external(op) + head;
    if (op.computed()) head = computed(op) + head;
    numbers_.emplace(&op, int(numbers_.size()));
    line(head);
  }

  std::string external(const Operation& op) {
    std::string head = fmt::format("external {}", static_cast<const void*>(&op));
    for (const Tensor& t : op.external()->inputs) head += " " + number(t);
    return head;
  }

  std::string computed(const Operation& op) {
    const Tuple& value = op.computed()->value;
    nodes_.clear();  // an iterator of another operation is another node
    iterators_.clear();
    for (const Var& v : op.axis()) name_iterator(v);
    for (const Var& k : value.over) name_iterator(k);
    std::string head = op.computed()->is_view ? "view" : "compute";
    for (const Var& k : value.over) head += " over " + range(k);
    for (const Expr& scalar : value.values) head += " " + node(scalar);
    if (value.reducer) {
      for (const Expr& identity : value.reducer->identities()) head += " from " + node(identity);
      for (const Expr& step : value.reducer->steps()) head += " by " + node(step);
    }
    for (const Expr& assumption : op.computed()->assumptions) head += " if " + node(assumption);
    return head;
  }

  void name_iterator(const Var& v) {
    iterators_[v.name()] = "i" + std::to_string(iterators_.size());
  }
  std::string range(const Var& k) { return node(k.lower()) + ":" + node(k.upper()); }

  // The number of a node. Equal nodes have the same number.
  std::string node(const Expr& e) {
    const auto found = nodes_.find(e.identity());
    if (found != nodes_.end()) return found->second;
    if (e.op() == Op::named) return nodes_[e.identity()] = node(e.args()[0]);
    if (!e.args().empty() && is_dim(e)) return nodes_[e.identity()] = "(" + dim(e) + ")";
    std::string text = to_string(e.op()) + " " + to_string(e.type());
    if (e.op() == Op::reduce) {
      for (const Var& k : e.node().variables) name_iterator(k);
      text += " " + to_string(e.node().reduction);
      for (const Var& k : e.node().variables) text += " over " + range(k);
    }
    text += detail(e);
    for (const Expr& arg : e.args()) text += " " + node(arg);
    const auto [number, fresh] = lines_.emplace(text, lines_.size());
    const std::string name = "n" + std::to_string(number->second);
    if (fresh) line(name + " = " + text);
    return nodes_[e.identity()] = name;
  }

  // Is the part of a body a dim, such as the number of elements that a mean divides by?
  bool is_dim(const Expr& e) {
    const auto [found, fresh] = are_dims_.try_emplace(e.identity(), false);
    if (!fresh || e.type() != i64) return found->second;
    for (const Expr& arg : e.args())
      if (!is_dim(arg)) return false;
    return are_dims_[e.identity()] = why_no_dim(e).empty();
  }

  // What distinguishes the node from others with the same operation, type and operands.
  std::string detail(const Expr& e) {
    switch (e.op()) {
      case Op::constant:
        return fmt::format(" {} {:x}", e.node().integer,
                           std::bit_cast<std::uint64_t>(e.node().real));
      case Op::variable: return " " + iterators_.at(e.name());
      case Op::parameter: return " " + symbol(e.name());
      case Op::call: return " " + e.name();
      case Op::access:
      case Op::array: return " " + array(e);
      default: return "";
    }
  }

  std::string array(const Expr& e) const {
    const Tensor t = tensor_of(e);
    return t.defined() ? number(t) : e.name();
  }

  std::string symbol(const std::string& name) {
    return symbols_.emplace(name, "s" + std::to_string(symbols_.size())).first->second;
  }

  // The normal form over numbered symbols.
  std::string dim(const Expr& extent) {
    if (const auto number = constant_dim(extent)) return std::to_string(*number);
    std::vector<std::string> fresh;
    for (const std::string& name : symbols_of(extent))
      if (!symbols_.contains(name)) fresh.push_back(name);
    std::sort(fresh.begin(), fresh.end());
    if (fresh.size() > 1 && fresh.size() <= most_ordered_symbols) fresh = best_order(extent, fresh);
    for (const std::string& name : fresh) symbol(name);
    return renamed(extent, symbols_);
  }

  std::vector<std::string> best_order(const Expr& extent, std::vector<std::string> names) const {
    std::vector<std::string> best;
    std::string least;
    do {
      std::map<std::string, std::string> symbols = symbols_;
      for (const std::string& name : names)
        symbols.emplace(name, "s" + std::to_string(symbols.size()));
      const std::string text = renamed(extent, symbols);
      if (best.empty() || text < least) {
        best = names;
        least = text;
      }
    } while (std::next_permutation(names.begin(), names.end()));
    return best;
  }

  static std::string renamed(const Expr& extent,
                             const std::map<std::string, std::string>& symbols) {
    return dim_text(
        with_symbols(extent, [&](const std::string& name) { return parameter(symbols.at(name)); }));
  }

  std::vector<std::shared_ptr<const Operation>> operations_;
  std::string text_;
  std::map<Tensor, std::string> given_;
  std::unordered_map<const Operation*, int> numbers_;
  std::map<std::string, std::string> symbols_, iterators_;
  std::unordered_map<std::string, std::size_t> lines_;
  std::unordered_map<const ExprNode*, std::string> nodes_;
  std::unordered_map<const ExprNode*, bool> are_dims_;
};

}  // namespace

std::string key(const std::vector<Tensor>& tensors) { return key_of(tensors).text; }

Key key_of(const std::vector<Tensor>& tensors, const std::vector<Tensor>& given) {
  return KeyText(tensors, given).take();
}

}  // namespace strata::graph
