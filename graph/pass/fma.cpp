#include <optional>

#include "graph/builder/rewriter.h"
#include "graph/builder/visitor.h"
#include "graph/ir/derive.h"
#include "graph/ir/table.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

// How often each variable is used.
class Uses : public Visitor {
 public:
  void leaf(const Value& leaf) override {
    for_each_variable(leaf, [&](const Value& v) { ++count_.add(v.node().get(), 0).value; });
  }
  int of(const Value& variable) const {
    const int* count = count_.find(variable.node().get());
    return count ? *count : 0;
  }

 private:
  Table<const ValueNode*, int> count_;
};

const OperatorCall* call_of(const Binding& b, const char* name) {
  const auto* call = b.as<OperatorCall>();
  return call && call->callee == name && call->arguments.size() == 2 ? call : nullptr;
}

// ewise_fma of a product and a sum, of which one operand is the product.
OperatorCall fused_call(const OperatorCall& product, const OperatorCall& sum, std::size_t side) {
  Values all = product.arguments;
  all.push_back(sum.arguments[1 - side]);
  const Layouts layouts(
      {product.layouts.argument(0), product.layouts.argument(1), sum.layouts.argument(1 - side)},
      {sum.layouts.result(0)});
  return {"ewise_fma", all, {}, layouts};
}

// The products that a sum of their block takes in, by the variable of the sum.
class Fusions {
 public:
  Fusions(const GraphFunction& f, const Module& module) : module_(module) {
    uses_.function(f);
    find(f.body);
  }

  bool is_product(const Value& variable) const { return taken_.contains(variable.node().get()); }
  // Of a sum: which operand is the product; nothing if none is.
  std::optional<std::size_t> side_of(const Value& sum) const {
    const std::size_t* side = sides_.find(sum.node().get());
    return side ? std::optional(*side) : std::nullopt;
  }

 private:
  void find(const Body& body) {
    for (const Block& block : body.blocks) {
      if (block.is_dataflow) find(block);
      for (const Binding& b : block.bindings)
        if (const auto* branch = b.as<Branch>())
          for (const auto& side : {branch->then, branch->otherwise}) find(*side);
    }
  }

  void find(const Block& block) {
    Table<const ValueNode*, const OperatorCall*> products;
    for (const Binding& b : block.bindings) {
      if (const OperatorCall* product = call_of(b, "multiply"))
        if (b.value.node()->variable().is_local && uses_.of(b.value) == 1)
          products.add(b.value.node().get(), product);
      const OperatorCall* sum = call_of(b, "add");
      for (std::size_t side = 0; sum && side < 2; ++side) {
        const ValueNode* factor = sum->arguments[side].node().get();
        const OperatorCall* const* product = products.find(factor);
        if (!product || !fits(b, **product, side)) continue;
        taken_.add(factor, true);
        sides_.add(b.value.node().get(), side);
        break;
      }
    }
  }

  // Does the sum take the product as it is stored, and do both have one type?
  bool fits(const Binding& sum, const OperatorCall& product, std::size_t side) const {
    const auto& call = *sum.as<OperatorCall>();
    return call.layouts.argument(side).text() == product.layouts.result(0).text() &&
           derived(fused_call(product, call, side), module_, {"FMARewrite", sum.where}) ==
               sum.value.type();
  }

  const Module& module_;
  Uses uses_;
  Table<const ValueNode*, bool> taken_;
  Table<const ValueNode*, std::size_t> sides_;
};

std::optional<GraphFunction> fused(const GraphFunction& f, const Module& module) {
  const Fusions fusions(f, module);
  Table<const ValueNode*, const OperatorCall*> products;
  return rewritten(f, module, [&](Rewriter& r, const Binding& b) {
    if (fusions.is_product(b.value)) {
      products.set(b.value.node().get(), b.as<OperatorCall>());
      return;
    }
    const auto side = fusions.side_of(b.value);
    if (!side) return r.keep(b);
    const auto& sum = *b.as<OperatorCall>();
    const OperatorCall& product = **products.find(sum.arguments[*side].node().get());
    r.bind(b.value, fused_call(product, sum, *side), b.where);
  });
}

}  // namespace

Pass fma_rewrite() {
  return Pass({"FMARewrite", 2, {}}, [](const Module& module, const PassContext&) {
    return with_functions(module, [&](const GraphFunction& f) { return fused(f, module); });
  });
}

}  // namespace strata::graph
