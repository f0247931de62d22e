#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "graph/builder/rewriter.h"
#include "graph/fuse/by_bytes.h"
#include "graph/fuse/extract.h"
#include "graph/fuse/primitive.h"
#include "graph/pass/fusable.h"
#include "graph/pass/passes.h"
#include "graph/text/print.h"

namespace strata::graph {

namespace {

// A module and its primitive functions. No two of these compute the same.
class Primitives {
 public:
  explicit Primitives(const Module& module) : module_(module) {
    for (const auto& [name, global] : module.globals())
      if (const auto* function = std::get_if<GraphFunction>(global.get()))
        if (is_primitive(*function)) names_.emplace(meaning(*function), name);
  }

  // The name of the function, or of an equal one, in the module.
  std::string add(GraphFunction function) {
    const std::string text = text_without_name(function);
    if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
    const std::string name = free_name(function.name);
    const std::string& known = names_.emplace(meaning(function), name).first->second;
    by_text_[text] = known;
    if (known == name) {
      function.name = name;
      module_.set(std::move(function));
    }
    return known;
  }

  const Module& module() const { return module_; }

 private:
  static std::string text_without_name(GraphFunction function) {
    function.name = "f";
    return text_of(function);
  }
  static std::string meaning(const GraphFunction& function) {
    return what_computes(kernel_of(function));
  }

  std::string free_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int number = 1; module_.has(name); ++number) name = fmt::format("{}{}", wanted, number);
    return name;
  }

  Module module_;
  std::unordered_map<std::string, std::string> names_ = {}, by_text_ = {};
};

GroupExtractor extracted(const Module& module, const PartitionOptions& options) {
  GroupExtractor groups;
  for_each_open_block(module, [&](const GraphFunction& function, const Block& block) {
    groups.add_block(function, block, options);
  });
  return groups;
}

Module fused(const Module& module, const PartitionOptions& options) {
  const GroupExtractor groups = extracted(module, options);
  Primitives primitives(module);
  std::unordered_map<const ValueNode*, std::string> names;
  for (const ValueNode* root : groups.roots())
    names[root] = primitives.add(groups.at(root).function);
  return rewritten(primitives.module(), [&](Rewriter& r, const Binding& b) {
    const ValueNode* const node = b.value.node().get();
    if (const auto name = names.find(node); name != names.end())
      return r.bind(b.value, FunctionCall{name->second, groups.at(node).arguments}, b.where);
    if (!groups.is_dropped(b.value)) r.keep(b);
  });
}

Module without_borders(const Module& module) {
  return rewritten(module, [](Rewriter& r, const Binding& b) {
    const auto* call = b.as<OperatorCall>();
    if (call && r.is_dataflow() && call_kind(*call, b.where).computes_nothing)
      return r.replace(b.value, call->arguments[0]);
    r.keep(b);
  });
}

// Notes on bindings. The numbers of groups are in the order of their first bindings.
class GroupNotes {
 public:
  void add_block(const GraphFunction& function, const Block& block,
                 const PartitionOptions& options) {
    const BlockGraph made = block_graph(function, block);
    const std::vector<int> root_of = explained_partition(made, options).roots;
    std::unordered_map<const Binding*, std::size_t> nodes;
    for (std::size_t n = 0; n < made.bindings.size(); ++n) nodes[made.bindings[n]] = n;
    std::unordered_map<int, int> numbers;  // of the groups, by their roots
    for (const Binding& b : block.bindings) {
      std::string& note = notes_[b.value.node().get()];
      note = "used by nobody";
      const auto found = nodes.find(&b);
      if (found == nodes.end()) continue;
      const int root = root_of[found->second];
      const auto [number, is_new] = numbers.try_emplace(root, count_);
      count_ += is_new;
      note =
          fmt::format("group {}, {}{}", number->second, to_string(made.graph[found->second].kind),
                      root == int(found->second) ? ", root" : "");
    }
  }

  std::string of(const Binding& b) const {
    const auto found = notes_.find(b.value.node().get());
    return found == notes_.end() ? "" : found->second;
  }

 private:
  std::unordered_map<const ValueNode*, std::string> notes_ = {};
  int count_ = 0;
};

}  // namespace

bool is_closed(const GraphFunction& function) {
  return is_primitive(function) || function.attributes.find("compiler");
}

void for_each_open_block(const Module& module,
                         const std::function<void(const GraphFunction&, const Block&)>& f) {
  for (const auto& [name, global] : module.globals())
    if (const auto* function = std::get_if<GraphFunction>(global.get()))
      if (!is_closed(*function))
        for_each_dataflow_block(function->body, [&](const Block& b) { f(*function, b); });
}

PartitionOptions partition_options(const PassContext& context, const Fusion& fusion) {
  const auto most = [&](const char* option) {
    return int(
        std::clamp<std::int64_t>(std::get<std::int64_t>(context.option(option)), 1, 1 << 30));
  };
  return {fusion.level < 0 ? context.opt_level : fusion.level, most("FuseOps.max_depth"),
          fusion.by_bytes, most("FuseByBytes.max_stages")};
}

std::string text_of_groups(const Module& module, const Fusion& fusion) {
  const PartitionOptions options = partition_options(PassContext::current(), fusion);
  GroupNotes notes;
  for_each_open_block(module, [&](const GraphFunction& function, const Block& block) {
    notes.add_block(function, block, options);
  });
  return text_of(module, [&](const Binding& b) { return notes.of(b); });
}

Pass fuse_ops(int level) {
  return Pass({"FuseOps", 1, {"InferType"}},
              [level](const Module& module, const PassContext& context) {
                return without_borders(fused(module, partition_options(context, {level})));
              });
}

Pass fuse_by_bytes() {
  return Pass({"FuseByBytes", 1, {"InferType"}},
              [](const Module& module, const PassContext& context) {
                return without_borders(fused(module, partition_options(context, {-1, true})));
              });
}

}  // namespace strata::graph
