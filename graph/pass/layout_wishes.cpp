#include "graph/pass/layout_wishes.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/expr/expr_parts.h"
#include "core/machine/machine.h"
#include "graph/dim/dim.h"
#include "graph/ir/likely.h"
#include "graph/ir/operator_types.h"
#include "graph/operator/follow.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

bool uses(const Expr& index, const Var& axis) {
  return free_variables(index).contains(axis.name());
}

// The two accesses of a sum of products; none for other operations.
std::vector<Expr> factors_of(const Operation& op) {
  if (!op.computed() || op.body().size() != 1) return {};
  const Expr& sum = op.body()[0];
  if (sum.op() != Op::reduce || sum.node().reduction != Reduction::sum) return {};
  const Expr& product = sum.args()[0];
  if (product.op() != Op::mul) return {};
  for (const Expr& factor : product.args())
    if (factor.op() != Op::access) return {};
  return {product.args().begin(), product.args().end()};
}

// The columns: an index of the result, which is alone at a dimension of w.
struct Columns {
  std::size_t axis = 0;
  int dim = 0;
};

// Nothing unless w has one index of the result, and rows that read w again.
std::optional<Columns> columns_in(const Operation& op, const Expr& w) {
  std::optional<Columns> found;
  for (std::size_t i = 0; i < op.axis().size(); ++i)
    for (int d = 0; d < int(w.args().size()); ++d) {
      const Expr& index = w.args()[std::size_t(d)];
      if (!uses(index, op.axis()[i])) continue;
      if (found || index.op() != Op::variable) return std::nullopt;
      found = Columns{i, d};
    }
  return op.axis().size() > 1 && w.args().size() > 1 ? found : std::nullopt;
}

// The widest tile of columns of this machine's products that divides the extent; 0: none.
std::int64_t block_for(const Expr& extent, Type type) {
  const Machine host = machine();
  const auto size = constant_dim(extent);
  const int lanes = host.lanes(type);
  if (!size || *size == 0 || lanes < 2) return 0;
  for (int block = host.product_tile(type).columns; block >= lanes; block -= lanes)
    if (*size % block == 0) return block;
  return 0;
}

// Names of dimensions: those of data ("NC") or weights ("OI") before spatial ones, or letters that
// no layout sorts otherwise.
constexpr std::string_view neutral = "ABEFJKLM";
constexpr int most_letters = int(neutral.size());
std::string letters(int rank, const std::string& first) {
  if (rank > 2 && rank < 6) return first + std::string("DHW").substr(std::size_t(5 - rank));
  return std::string(neutral.substr(0, std::size_t(rank)));
}

// The layout with a dimension innermost, "before" it another one, and its blocks if block > 0:
//     { [.., e, .., k, ..] -> [floor(e / block), .., .., k, e mod block] }
Layout innermost(const std::string& names, int dim, int before, std::int64_t block,
                 const Request& request) {
  const char name = names[std::size_t(dim)];
  std::string text(block > 0 ? 1 : 0, name);
  for (int d = 0; d < int(names.size()); ++d)
    if (d != dim && d != before) text += names[std::size_t(d)];
  if (before >= 0 && before != dim) text += names[std::size_t(before)];
  text += block > 0 ? std::to_string(block) + char(name - 'A' + 'a') : std::string(1, name);
  return Layout::parsed(text, request);
}

class Wishing {
 public:
  Wishing(const Operation& op, const std::vector<Tensor>& inputs,
          const std::vector<bool>& constants, const Request& request)
      : op_(op), inputs_(inputs), constants_(constants), request_(request) {
    wish_.arguments.resize(inputs.size());
  }

  // Nothing if "w" has no columns that "x" is read for again.
  std::optional<LayoutWish> wish(const Expr& x, const Expr& w) {
    const auto columns = columns_in(op_, w);
    const auto k = place_of(tensor_of(w));
    if (!columns || !k || inputs_[*k].rank() > most_letters) return std::nullopt;
    if (likely(op_.outputs()[0].shape[columns->axis]) < machine().lanes(type()))
      return std::nullopt;
    if (columns->axis + 1 < op_.axis().size()) return in_window(x, w, *k, *columns);
    const std::int64_t block = block_for(inputs_[*k].shape(columns->dim), inputs_[*k].type());
    if (!constants_[*k] || block == 0) return std::nullopt;
    const std::string names(neutral.substr(0, std::size_t(inputs_[*k].rank())));
    wish_.arguments[*k] = innermost(names, columns->dim, -1, block, request_);
    return wish_;
  }

 private:
  std::optional<std::size_t> place_of(const Tensor& t) const {
    const auto found = std::find(inputs_.begin(), inputs_.end(), t);
    return found == inputs_.end() ? std::nullopt
                                  : std::optional(std::size_t(found - inputs_.begin()));
  }

  // The input that a factor reads, perhaps by a copy with the same dimensions, as pad(x).
  std::optional<std::size_t> source_of(const Tensor& t) const {
    if (const auto direct = place_of(t)) return direct;
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      if (keeps_dimensions(t, inputs_[k])) return k;
    return std::nullopt;
  }

  // An index without the iterators that are always 0, in normal form.
  Expr simple(const Expr& index) const {
    std::set<std::string> zeros;
    for (const Var& k : op_.reduce_axis())
      if (constant_dim(k.upper()) == 1 && constant_dim(k.lower()) == 0) zeros.insert(k.name());
    return normal(substitute(index, [&](const std::string& name) {
      return zeros.contains(name) ? constant(i64, 0) : Expr();
    }));
  }

  // The dimension of x along which the sum runs beside the window, or that follows the columns.
  std::optional<int> channels_in(const Expr& x, const Var& column) const {
    std::optional<int> found;
    for (int d = 0; d < int(x.args().size()); ++d) {
      const Expr index = simple(x.args()[std::size_t(d)]);
      const bool is_channel =
          index.op() == Op::variable &&
          (index.name() == column.name() ||
           std::none_of(op_.axis().begin(), op_.axis().end(),
                        [&](const Var& v) { return v.name() == index.name(); }));
      if (is_channel && std::exchange(found, d)) return std::nullopt;
      if (!is_channel && uses(index, column)) return std::nullopt;
    }
    return found;
  }

  std::optional<LayoutWish> in_window(const Expr& x, const Expr& w, std::size_t k,
                                      const Columns& columns) {
    const auto source = source_of(tensor_of(x));
    const auto channels = channels_in(x, op_.axis()[columns.axis]);
    const int rank = int(op_.axis().size());
    if (!source || *source == k || !channels || rank > most_letters ||
        inputs_[*source].rank() > most_letters)
      return std::nullopt;
    const bool is_window = simple(x.args().back()).op() != Op::variable;
    if (!is_window && int(columns.axis) + 2 >= rank) return std::nullopt;
    wish_.result = innermost(letters(rank, "NC"), int(columns.axis), -1, 0, request_);
    wish_.arguments[*source] =
        innermost(letters(inputs_[*source].rank(), "NC"), *channels, -1, 0, request_);
    if (constants_[k])
      wish_.arguments[k] = weights(w, inputs_[k], columns, x.args()[std::size_t(*channels)]);
    const Machine host = machine();
    wish_.cycles = likely_elements(op_.outputs()[0].shape);
    for (const Var& r : op_.reduce_axis()) wish_.cycles *= likely(r.upper() - r.lower());
    wish_.cycles /= host.lanes(type()) * host.fma_units;
    return wish_;
  }

  // The columns of w are innermost; before them comes what is summed along the channels of x.
  Layout weights(const Expr& access, const Tensor& w, const Columns& columns,
                 const Expr& channel) const {
    int summed = -1;
    for (int d = 0; d < w.rank(); ++d) {
      const Expr& index = access.args()[std::size_t(d)];
      if (index.op() == Op::variable && channel.op() == Op::variable &&
          index.name() == channel.name())
        summed = d;
    }
    const std::int64_t block = summed < 0 ? 0 : block_for(w.shape(columns.dim), w.type());
    return innermost(letters(w.rank(), "OI"), columns.dim, summed, block, request_);
  }

  Type type() const { return op_.outputs()[0].type; }

  const Operation& op_;
  const std::vector<Tensor>& inputs_;
  const std::vector<bool>& constants_;
  const Request& request_;
  LayoutWish wish_ = {};
};

}  // namespace

std::optional<LayoutWish> find_wish(const OperatorCall& call, const std::vector<ValueType>& types,
                                    const std::vector<bool>& constants, const Where& where) {
  const std::vector<Tensor> inputs = tensors_of(types, where);
  const Tensor result = find_result(call, inputs, where);
  if (!result.defined()) return std::nullopt;
  const Request request{"ChooseLayouts", where};
  for (const auto& op : operations_of({result})) {
    const std::vector<Expr> factors = factors_of(*op);
    if (factors.size() != 2) continue;
    for (const auto& [x, w] : {std::pair(factors[0], factors[1]), {factors[1], factors[0]}}) {
      auto wish = Wishing(*op, inputs, constants, request).wish(x, w);
      const bool is_possible = wish && (wish->result.is_identity() || op.get() == &result.op());
      if (is_possible) return wish;
    }
  }
  return std::nullopt;
}

}  // namespace strata::graph
