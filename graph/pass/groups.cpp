#include "graph/pass/groups.h"

#include <unordered_map>

#include "graph/fuse/by_bytes.h"
#include "graph/fuse/extract.h"
#include "graph/fuse/primitive.h"
#include "graph/pass/fusable.h"
#include "graph/run/compute.h"

namespace strata::graph {

namespace {

// The edges of one block.
class BlockEdges {
 public:
  BlockEdges(const GraphFunction& function, const Block& block, const PartitionOptions& options)
      : made_(block_graph(function, block)), partition_(explained_partition(made_, options)) {
    for (std::size_t n = 0; n < made_.bindings.size(); ++n)
      if (made_.bindings[n]) nodes_[made_.bindings[n]->value.node().get()] = int(n);
  }

  // The edges of the group whose last variable this is.
  std::string of(const ValueNode* last) const {
    const int group = partition_.roots[std::size_t(nodes_.at(last))];
    std::string lines;
    for (std::size_t n = 0; n < made_.graph.size(); ++n)
      for (const FusionNode::Output& output : made_.graph[n].outputs)
        if (partition_.roots[n] == group || partition_.roots[std::size_t(output.consumer)] == group)
          lines += name(int(n)) + " -> " + name(output.consumer) + ": " +
                   decision(int(n), output.consumer) + "\n";
    return lines;
  }

 private:
  std::string name(int n) const {
    const FusionNode& node = made_.graph[std::size_t(n)];
    const Binding* b = made_.bindings[std::size_t(n)];
    return b ? "%" + b->value.name() + " (" + node.name + ")" : node.name;
  }

  std::string decision(int producer, int reader) const {
    const auto p = std::size_t(producer);
    if (partition_.roots[p] == partition_.roots[std::size_t(reader)])
      return "fused, " + partition_.reasons[p];
    return made_.bindings[p] ? "apart, " + partition_.reasons[p] : "from outside";
  }

  BlockGraph made_;
  ExplainedPartition partition_;
  std::unordered_map<const ValueNode*, int> nodes_ = {};
};

std::string indented(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    text += "  " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

}  // namespace

std::string Group::why(const Where& where) const {
  const TensorKernel given = kernel_of(function);
  const CompiledKernel made = compiled_kernel(given, parametric_kernel_of(function, given),
                                              {.name = "@" + function.name}, where);
  return "@" + function.name + "\n" + indented(edges + made.why());
}

std::vector<Group> groups_of(const Module& module, const Fusion& fusion) {
  const PartitionOptions options = partition_options(PassContext::current(), fusion);
  std::vector<Group> groups;
  for_each_open_block(module, [&](const GraphFunction& function, const Block& block) {
    GroupExtractor extractor;
    extractor.add_block(function, block, options);
    const BlockEdges edges(function, block, options);
    for (const ValueNode* root : extractor.roots())
      groups.push_back({extractor.at(root).function, edges.of(root)});
  });
  return groups;
}

}  // namespace strata::graph
