#include <map>
#include <unordered_map>

#include "graph/build/arenas.h"
#include "graph/build/lifetimes.h"
#include "graph/build/lowered.h"
#include "graph/build/memory_calls.h"
#include "graph/build/passes.h"
#include "graph/build/storage_plan.h"
#include "graph/dim/bound.h"
#include "graph/pass/context.h"

namespace strata::graph {

namespace {

// The arrays of a body that may share memory, and the bindings that make them.
struct Candidates {
  std::vector<PlannedArray> arrays = {};
  std::vector<const Binding*> makers = {};
};

bool makes_array(const Binding& b) {
  return packed_call(*b.definition, builtin::alloc_tensor) != nullptr;
}

// A symbolic size is a number where its symbols have bounds.
std::optional<Expr> planned_bytes(const Binding& b, const SymbolValues& bounds) {
  auto bytes = bytes_of(b.value.type());
  if (bytes && !bounds.empty() && !constant_dim(*bytes))
    if (const auto bound = upper_bound(*bytes, bounds)) bytes = constant(i64, *bound);
  return bytes;
}

Candidates candidates_of(const Body& body, const SymbolValues& bounds) {
  const std::vector<const Binding*> bindings = bindings_of(body);
  std::unordered_map<const Binding*, std::size_t> ends;
  for (const Lifetime& lifetime : lifetimes_of(body, makes_array))
    for (const Binding* maker : lifetime.makers)
      if (!lifetime.escapes) ends[maker] = lifetime.last_use;
  Candidates made;
  std::map<std::string, std::size_t> defined;  // symbols, by the place after their match_shape
  for (std::size_t place = 0; place < bindings.size(); ++place) {
    const Binding& b = *bindings[place];
    if (const auto* match = b.as<MatchShape>())
      for (const Expr& dim : match->pattern)
        if (dim.op() == Op::parameter) defined.emplace(dim.name(), place + 1);
    const auto bytes = ends.contains(&b) ? planned_bytes(b, bounds) : std::nullopt;
    if (!bytes) continue;
    std::size_t known = 0;
    for (const std::string& symbol : symbols_of(*bytes))
      if (const auto at = defined.find(symbol); at != defined.end())
        known = std::max(known, at->second);
    made.arrays.push_back(
        {*bytes, element_name(*b.value.type().element()), place, ends.at(&b), known});
    made.makers.push_back(&b);
  }
  return made;
}

// Each body is planned by itself, so that memory is made in the body that uses it.
template <typename Plan>
void add_bodies(const Body& body, const SymbolValues& bounds, Plan& plan) {
  for (const Binding* b : bindings_of(body))
    if (const auto* branch = b->as<Branch>()) {
      add_bodies(*branch->then, bounds, plan);
      add_bodies(*branch->otherwise, bounds, plan);
    }
  const Candidates made = candidates_of(body, bounds);
  plan.add(made.arrays, made.makers);
}

// Arrays in storages that they have after each other.
class Storages {
 public:
  void add(const std::vector<PlannedArray>& arrays, const std::vector<const Binding*>& makers) {
    const StoragePlan plan = plan_storages(arrays);
    for (std::size_t k = 0; k < makers.size(); ++k)
      storage_of_[makers[k]->value.node().get()] = storages_.size() + plan.storage_of[k];
    storages_.insert(storages_.end(), plan.storages.begin(), plan.storages.end());
    made_.resize(storages_.size());
  }

  void rewrite(Rewriter& r, const Binding& b) {
    const auto found = storage_of_.find(b.value.node().get());
    if (found == storage_of_.end()) return r.keep(b);
    Value& storage = made_[found->second];
    const StoragePlan::Storage& planned = storages_[found->second];
    if (!storage.defined())
      storage = emit_storage(r, shape_value({planned.bytes}), planned.element);
    bind_array(r, b, storage, integer_value(0));
  }

 private:
  std::unordered_map<const ValueNode*, std::size_t> storage_of_ = {};
  std::vector<StoragePlan::Storage> storages_ = {};
  Values made_ = {};  // the variables of storages
};

template <typename Plan>
std::optional<GraphFunction> planned(const GraphFunction& function, const Module& module) {
  Plan plan;
  add_bodies(function.body, bounds_of(function), plan);
  return rewritten(function, module, [&](Rewriter& r, const Binding& b) { plan.rewrite(r, b); });
}

}  // namespace

Pass plan_memory() {
  return Pass({"PlanMemory", 0, {}}, [](const Module& module, const PassContext& context) {
    const bool whole = std::get<bool>(context.option("PlanMemory.whole"));
    return with_lowered(module, [&](const GraphFunction& function) {
      return whole ? planned<Arenas>(function, module) : planned<Storages>(function, module);
    });
  });
}

}  // namespace strata::graph
