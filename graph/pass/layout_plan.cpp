#include "graph/pass/layout_plan.h"

#include <algorithm>

#include "graph/ir/operator_types.h"
#include "graph/operator/follow.h"
#include "graph/operator/inline.h"
#include "graph/ops/ops.h"
#include "graph/ops/writer.h"
#include "graph/tensor/key.h"

namespace strata::graph {

namespace {

using Kind = Follow::Kind;

std::vector<Tensor> placeholders(const std::vector<Tensor>& like) {
  std::vector<ValueType> types;
  for (const Tensor& t : like) types.push_back(ValueType::tensor(t.shape(), t.type()));
  return tensors_of(types);
}

// The dims of the result that the dims of an operand of smaller rank belong to: the last dims, or
// the dims that they follow. Nothing if there are no such dims.
std::optional<std::vector<int>> places(const Tensor& result, const Tensor& operand) {
  const std::vector<Follow> follows = followed(result, operand);
  std::vector<int> last, own;
  bool fits_last = true, fits_own = true;
  for (int e = 0; e < operand.rank(); ++e) {
    const Follow& f = follows[std::size_t(e)];
    const bool is_same = f.kind == Kind::offset && f.step == 0;
    last.push_back(result.rank() - operand.rank() + e);
    fits_last &= constant_dim(operand.shape(e)) == 1 || (is_same && f.dim == last.back());
    fits_own &= is_same && (own.empty() || own.back() < f.dim);
    own.push_back(f.dim);
  }
  if (fits_last) return last;
  return fits_own ? std::optional(own) : std::nullopt;
}

// The expand_dims that give a tensor new dims, so that its own dims come to these places.
std::vector<Attributes> expansions(const std::vector<int>& places, int rank) {
  std::vector<Attributes> all;
  for (int d = 0, next = 0; d < rank;) {
    const int end = next < int(places.size()) ? places[std::size_t(next)] : rank;
    if (end > d) all.push_back(attributes_of(NewAxesAttributes{d, end - d}));
    d = end + 1;
    ++next;
  }
  return all;
}

// A text that is equal for tensors that compute the same from the given ones, after the "parts" are
// put into their readers, and iterators of extent 1 are 0.
std::string what_is(const Tensor& t, const std::vector<Tensor>& given,
                    std::set<const Operation*> parts) {
  const Tensor element =
      compute(t.shape(), [&](const Indices& i) { return t(broadcast_indices(t, i)); });
  if (is_inlinable(t.op())) parts.insert(&t.op());
  return key_of(inlined({element}, parts), given).text;
}

class Planner {
 public:
  Planner(const OperatorCall& call, const std::vector<Tensor>& tensors, const Layout& layout)
      : layout_(layout),
        tensors_(tensors),
        result_(find_result({call.callee, {}, call.attributes}, tensors)),
        plan_{call.callee, call.attributes, std::vector<std::vector<Attributes>>(tensors.size()),
              Layouts()} {}

  std::optional<LayoutPlan> plan() {
    if (!result_.defined() || !layout_.fits(result_.shape())) return std::nullopt;
    expand();
    std::vector<Tensor> logical = placeholders(expanded());
    const Tensor result = find_result({plan_.callee, {}, plan_.attributes}, logical);
    std::vector<Layout> layouts(logical.size());
    for (std::size_t k = 0; k < logical.size(); ++k) {
      if (logical[k].rank() != result.rank()) continue;
      const auto fitted = layout_.fitted(logical[k].shape());
      if (!fitted || !is_borne(result, logical[k])) return std::nullopt;
      layouts[k] = *fitted;
    }
    plan_.layouts = Layouts(std::move(layouts), {layout_});
    return plan_;
  }

 private:
  std::vector<Tensor> expanded() const {
    std::vector<Tensor> all = tensors_;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const Attributes& attributes : plan_.expansions[k])
        all[k] = find_result({"expand_dims", {}, attributes}, {all[k]});
    return all;
  }

  // Gives operands of smaller rank the rank of the result, if the operator then computes the same,
  // or an addition does.
  void expand() {
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      if (tensors_[k].rank() == 0 || tensors_[k].rank() >= result_.rank()) continue;
      const auto at = places(result_, tensors_[k]);
      if (at) plan_.expansions[k] = expansions(*at, result_.rank());
    }
    const std::vector<Tensor> views = expanded();
    if (views == tensors_) return;
    const std::string wanted = what_is(result_, tensors_, {});
    for (const auto& [name, attributes] :
         {std::pair(plan_.callee, plan_.attributes), std::pair(std::string("add"), Attributes())}) {
      const Tensor made = find_result({name, {}, attributes}, views);
      if (!made.defined() || what_is(made, tensors_, views_in(views)) != wanted) continue;
      plan_.callee = name;
      plan_.attributes = attributes;
      return;
    }
    for (auto& none : plan_.expansions) none.clear();
  }

  static std::set<const Operation*> views_in(const std::vector<Tensor>& views) {
    std::set<const Operation*> all;
    for (Tensor t : views)
      for (; t.op().computed(); t = input_tensors(t.op())[0]) all.insert(&t.op());
    return all;
  }

  bool is_borne(const Tensor& result, const Tensor& operand) const {
    const std::vector<Follow> follows = followed(result, operand);
    for (int d = 0; d < operand.rank(); ++d) {
      const char axis = layout_.axes()[std::size_t(d)];
      const std::int64_t block = layout_.block_of(axis);
      const Follow& f = follows[std::size_t(d)];
      if ((block == 0 && !layout_.moves(axis)) || f.kind == Kind::unread ||
          constant_dim(operand.shape(d)) == 1 || (block == 0 && constant_dim(result.shape(d)) == 1))
        continue;
      if (f.dim != d || f.kind == Kind::other) return false;
      if (block > 0 && (f.kind != Kind::offset || f.step % block != 0)) return false;
    }
    return true;
  }

  const Layout& layout_;
  const std::vector<Tensor>& tensors_;
  Tensor result_;
  LayoutPlan plan_;
};

}  // namespace

std::optional<LayoutPlan> find_plan(const OperatorCall& call, const std::vector<ValueType>& types,
                                    const Layout& layout) {
  for (const ValueType& type : types)
    if (!type.dims() || !type.element()) return std::nullopt;
  const std::vector<Tensor> tensors = tensors_of(types);
  return Planner(call, tensors, layout).plan();
}

}  // namespace strata::graph
