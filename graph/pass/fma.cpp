#include <optional>

#include "graph/builder/rewriter.h"
#include "graph/builder/visitor.h"
#include "graph/ir/derive.h"
#include "graph/ir/table.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

const OperatorCall* call_of(const Binding& b, const char* name) {
  const auto* call = b.as<OperatorCall>();
  return call && call->callee == name && call->arguments.size() == 2 ? call : nullptr;
}

// The ewise_fma of a product and of a sum that has the product as an operand.
OperatorCall fused_call(const OperatorCall& product, const OperatorCall& sum, std::size_t side) {
  Values all = product.arguments;
  all.push_back(sum.arguments[1 - side]);
  const Layouts layouts(
      {product.layouts.argument(0), product.layouts.argument(1), sum.layouts.argument(1 - side)},
      {sum.layouts.result(0)});
  return {"ewise_fma", all, {}, layouts};
}

// A sum in a dataflow block with a local product of the same block as an operand.
struct Candidate {
  const Binding* sum;
  std::size_t side;
  const OperatorCall* product;

  const ValueNode* factor() const { return sum->as<OperatorCall>()->arguments[side].node().get(); }
};

void add_candidates(const Block& block, std::vector<Candidate>& all) {
  Table<const ValueNode*, const OperatorCall*> products;
  for (const Binding& b : block.bindings) {
    if (const OperatorCall* product = call_of(b, "multiply"))
      if (b.value.node()->variable().is_local) products.add(b.value.node().get(), product);
    const OperatorCall* sum = call_of(b, "add");
    for (std::size_t side = 0; sum && side < 2; ++side)
      if (const auto* product = products.find(sum->arguments[side].node().get()))
        all.push_back({&b, side, *product});
  }
}

void add_candidates(const Body& body, std::vector<Candidate>& all) {
  for (const Block& block : body.blocks) {
    if (block.is_dataflow) add_candidates(block, all);
    for (const Binding& b : block.bindings)
      if (const auto* branch = b.as<Branch>())
        for (const auto& side : {branch->then, branch->otherwise}) add_candidates(*side, all);
  }
}

// How often the products of candidates are used.
class Uses : public Visitor {
 public:
  Uses(const GraphFunction& f, const std::vector<Candidate>& candidates) {
    for (const Candidate& c : candidates) count_.add(c.factor(), 0);
    function(f);
  }
  void leaf(const Value& leaf) override {
    for_each_variable(leaf, [&](const Value& v) {
      if (int* count = count_.find(v.node().get())) ++*count;
    });
  }
  int of(const Candidate& c) const { return *count_.find(c.factor()); }

 private:
  Table<const ValueNode*, int> count_;
};

// Does the sum take the product as it is stored, and do both have one type?
bool fits(const Candidate& c, const Module& module) {
  const auto& call = *c.sum->as<OperatorCall>();
  return call.layouts.argument(c.side).text() == c.product->layouts.result(0).text() &&
         derived(fused_call(*c.product, call, c.side), module, {"FMARewrite", c.sum->where}) ==
             c.sum->value.type();
}

std::optional<GraphFunction> fused(const GraphFunction& f, const Module& module) {
  std::vector<Candidate> candidates;
  add_candidates(f.body, candidates);
  if (candidates.empty()) return std::nullopt;
  const Uses uses(f, candidates);
  Table<const ValueNode*, std::size_t> sides;  // by sums
  Table<const ValueNode*, const OperatorCall*> products;
  for (const Candidate& c : candidates)
    if (uses.of(c) == 1 && !sides.contains(c.sum->value.node().get()) && fits(c, module)) {
      sides.add(c.sum->value.node().get(), c.side);
      products.add(c.factor(), nullptr);
    }
  return rewritten(f, module, [&](Rewriter& r, const Binding& b) {
    if (auto* product = products.find(b.value.node().get())) {
      *product = b.as<OperatorCall>();  // with its current operands
      return;
    }
    const std::size_t* side = sides.find(b.value.node().get());
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
