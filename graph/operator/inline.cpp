#include "graph/operator/inline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "graph/dim/dim.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

std::optional<std::int64_t> number(const Expr& e) {
  return e.op() == Op::constant ? std::optional(e.node().integer) : std::nullopt;
}

// Quotients and remainders that follow from ranges.
class Quotients {
 public:
  explicit Quotients(const Operation& op) {
    for (const Var& v : op.axis()) note(v);
    for (const Var& k : op.computed()->value.over) note(k);
  }

  Expr simplified(const Expr& scalar) {
    visit(scalar, [&](const Expr& part) {
      for (const Var& k : part.node().variables) note(k);
    });
    return rewrite(scalar, [&](const Expr& part) { return quotient(part); });
  }

 private:
  // Notes 0 <= v < extent, if that holds at all places of this name.
  void note(const Var& v) {
    const auto extent = constant_dim(v.upper());
    const bool is_known = constant_dim(v.lower()) == 0 && extent;
    const auto [found, fresh] = extents_.emplace(v.name(), is_known ? extent : std::nullopt);
    if (!fresh && found->second != extent) found->second.reset();
  }

  // (b q + r) / b -> q and (b q + r) % b -> r, where 0 <= r < b.
  Expr quotient(const Expr& e) const {
    if ((e.op() != Op::div && e.op() != Op::mod) || e.type() != i64) return Expr();
    const Expr &sum = e.args()[0], &divisor = e.args()[1];
    if (sum.op() != Op::add || sum.args()[0].op() != Op::mul ||
        sum.args()[1].op() != Op::variable || !number(divisor) ||
        number(sum.args()[0].args()[1]) != number(divisor))
      return Expr();
    const auto r = extents_.find(sum.args()[1].name());
    if (r == extents_.end() || !r->second || *r->second > *number(divisor)) return Expr();
    return e.op() == Op::div ? sum.args()[0].args()[0] : sum.args()[1];
  }

  std::map<std::string, std::optional<std::int64_t>> extents_ = {};  // by iterators
};

class Inliner {
 public:
  Inliner(const std::set<const Operation*>& parts,
          const std::map<const Operation*, Layout>& layouts)
      : parts_(parts), layouts_(layouts) {}

  void add(const std::shared_ptr<const Operation>& op) {
    const std::vector<Tensor> inputs = input_tensors(*op);
    if (std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& t) { return changes(t); })) {
      const std::vector<Tensor> made = op->computed() ? computed(*op) : external(*op);
      for (const Tensor& t : made) made_.emplace(Tensor(op, t.index()), t);
    }
    const auto layout = layouts_.find(op.get());
    if (layout != layouts_.end()) store(Tensor(op, 0), layout->second);
  }

  Tensor now(const Tensor& t) const {
    const auto found = made_.find(t);
    return found == made_.end() ? t : found->second;
  }

 private:
  bool changes(const Tensor& t) const { return made_.contains(t) || parts_.contains(&t.op()); }

  // t -> t stored by the layout, which readers read through views.
  void store(const Tensor& t, const Layout& layout) {
    const Request request{"layout_transform", t.op().where()};
    const Tensor plain = now(t);
    const Tensor stored = transformed(plain, layout.plain(), layout, request);
    const Tensor view =
        transformed(inlined({stored}, {&plain.op()})[0], layout, layout.plain(), request);
    views_.insert(&view.op());
    made_.insert_or_assign(t, view);
  }

  // External operations read whole arrays, so nothing is put into them.
  std::vector<Tensor> external(const Operation& op) const {
    std::vector<Tensor> inputs;
    for (const Tensor& t : op.external()->inputs) inputs.push_back(now(t));
    return graph::external(op.name, op.outputs(), inputs, op.external()->function, op.where());
  }

  std::vector<Tensor> computed(const Operation& op) const {
    Computed made = *op.computed();
    for (Var& k : made.value.over)
      k = Var(k.name(), composed(k.lower(), made.is_view), composed(k.upper(), made.is_view));
    for (Expr& scalar : made.value.values)
      scalar = Quotients(op).simplified(composed(scalar, made.is_view));
    ComputeForm form{{}, made.is_view, made.assumptions};
    for (const Var& v : made.axis) form.iterators.push_back(v.name());
    return compute_tuple(
        op.outputs()[0].shape, form, [&](const Indices&) { return made.value; }, op.name,
        op.where());
  }

  Expr composed(const Expr& e, bool& is_view) const {
    return rewrite(e, [&](const Expr& part) {
      const Tensor t = part.op() == Op::access ? tensor_of(part) : Tensor();
      if (!t.defined() || !changes(t)) return Expr();
      if (!parts_.contains(&t.op()) && !views_.contains(&now(t).op())) return now(t)(part.args());
      is_view = false;
      return element(now(t), part.args());
    });
  }

  static Expr element(const Tensor& t, const std::vector<Expr>& indices) {
    std::map<std::string, Expr> values;
    for (std::size_t d = 0; d < indices.size(); ++d)
      values.emplace(t.op().axis()[d].name(), indices[d]);
    return substitute(t.op().body()[std::size_t(t.index())], [&](const std::string& name) {
      const auto found = values.find(name);
      return found == values.end() ? Expr() : found->second;
    });
  }

  const std::set<const Operation*>& parts_;
  const std::map<const Operation*, Layout>& layouts_;
  std::map<Tensor, Tensor> made_ = {};
  std::set<const Operation*> views_ = {};
};

}  // namespace

bool is_inlinable(const Operation& op) {
  const Computed* computed = op.computed();
  return computed && computed->value.values.size() == 1 && computed->value.over.empty();
}

std::vector<Tensor> inlined(const std::vector<Tensor>& tensors,
                            const std::set<const Operation*>& parts,
                            const std::map<const Operation*, Layout>& layouts) {
  Inliner inliner(parts, layouts);
  for (const auto& op : operations_of(tensors)) inliner.add(op);
  std::vector<Tensor> made;
  for (const Tensor& t : tensors) made.push_back(inliner.now(t));
  return made;
}

}  // namespace strata::graph
