#include <algorithm>
#include <map>
#include <optional>

#include "core/expr/expr_parts.h"
#include "core/machine/machine.h"
#include "graph/builder/rewriter.h"
#include "graph/ir/known.h"
#include "graph/ir/operator_types.h"
#include "graph/ir/purity.h"
#include "graph/ops/ops.h"
#include "graph/pass/passes.h"
#include "graph/run/compute.h"
#include "graph/tensor/order.h"

namespace strata::graph {

namespace {

bool uses(const Expr& index, const Var& axis) {
  return free_variables(index).contains(axis.name());
}

// The dimension of an operand of y(.., j) = sum of a product along which the columns j run, and
// nothing else: a[k, j], a[j, k]. Nothing if other indices of y are in the operand, too, or if
// there are no rows, which read it again.
std::optional<int> columns_in(const Operation& op, const Expr& access) {
  const auto& axis = op.axis();
  std::optional<int> found;
  for (int d = 0; d < int(access.args().size()); ++d) {
    const Expr& index = access.args()[std::size_t(d)];
    for (std::size_t i = 0; i + 1 < axis.size(); ++i)
      if (uses(index, axis[i])) return std::nullopt;
    if (!uses(index, axis.back())) continue;
    if (found || index.op() != Op::variable) return std::nullopt;
    found = d;
  }
  return axis.size() > 1 && access.args().size() > 1 ? found : std::nullopt;
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

// { [.., e, ..] -> [floor(e / block), .., .., e mod block] }
Layout panels(int rank, int dim, std::int64_t block, const Request& request) {
  const auto letter = [](int d) { return char('A' + d); };
  std::string text(1, letter(dim));
  for (int d = 0; d < rank; ++d)
    if (d != dim) text += letter(d);
  return Layout::parsed(text + std::to_string(block) + char('a' + dim), request);
}

// How each tensor of a call is read best; identities for those that stay.
std::vector<Layout> wanted(const OperatorCall& call, const std::vector<ValueType>& types,
                           const Where& where) {
  std::vector<Layout> layouts(types.size());
  const std::vector<Tensor> inputs = tensors_of(types, where);
  const Tensor result = find_result(call, inputs, where);
  if (!result.defined()) return layouts;
  for (const auto& op : operations_of({result}))
    for (const Expr& access : factors_of(*op)) {
      const auto dim = columns_in(*op, access);
      const auto input = std::find(inputs.begin(), inputs.end(), tensor_of(access));
      if (!dim || input == inputs.end() || input->rank() > 8) continue;
      if (const auto block = block_for(input->shape(*dim), input->type()); block > 0)
        layouts[std::size_t(input - inputs.begin())] =
            panels(input->rank(), *dim, block, {"PackConstants", where});
    }
  return layouts;
}

class Packing {
 public:
  // The call of packed constants; nothing if it stays as it is.
  std::optional<OperatorCall> operator()(const OperatorCall& call, const Where& where) {
    if (!call.layouts.empty()) return std::nullopt;
    for (const Value& argument : call.arguments)
      if (!argument.type().is_tensor()) return std::nullopt;
    const auto is_constant = [](const Value& v) { return v.node()->as<ArrayConstant>(); };
    if (std::none_of(call.arguments.begin(), call.arguments.end(), is_constant))
      return std::nullopt;
    const std::vector<ValueType> types = tensor_types(call, {call.callee, where});
    if (!are_known(types)) return std::nullopt;
    std::vector<Layout> layouts =
        wanted_.get(key_of(call, types), [&] { return wanted(call, types, where); });
    OperatorCall packed = call;
    for (std::size_t k = 0; k < layouts.size(); ++k)
      if (is_constant(call.arguments[k]) && !layouts[k].is_identity())
        packed.arguments[k] = packed_constant(call.arguments[k], layouts[k], where);
      else
        layouts[k] = Layout();
    packed.layouts = Layouts(std::move(layouts), {});
    return packed.layouts.empty() ? std::nullopt : std::optional(std::move(packed));
  }

 private:
  Value packed_constant(const Value& constant, const Layout& layout, const Where& where) {
    Value& made = packed_[{constant.node().get(), layout.text()}];
    if (made.defined()) return made;
    const OperatorCall transform{
        "layout_transform", {}, attributes_of(LayoutAttributes{layout.axes(), layout.text()})};
    const NDArray& array = constant.node()->as<ArrayConstant>()->array;
    return made = Value(computing_(transform, {constant.type()}, {array}, {}, where)[0]);
  }

  Known<std::vector<Layout>> wanted_ = {};
  std::map<std::pair<const ValueNode*, std::string>, Value> packed_ = {};
  Computing computing_{RunBy::kernels};
};

}  // namespace

Pass pack_constants() {
  return Pass({"PackConstants", 3, {"InferType"}}, [](const Module& module, const PassContext&) {
    const Effects effects = effects_of(module);
    Packing packing;
    return with_functions(module, [&](const GraphFunction& function) {
      const WrittenMemory written(function, effects);
      return rewritten(function, module, [&](Rewriter& r, const Binding& b) {
        const bool may_pack = r.is_dataflow() && !written.has(b.value);
        const auto* call = may_pack ? b.as<OperatorCall>() : nullptr;
        auto packed = call ? packing(*call, b.where) : std::nullopt;
        if (packed)
          r.bind(b.value, std::move(*packed), b.where);
        else
          r.keep(b);
      });
    });
  });
}

}  // namespace strata::graph
