#include "graph/pass/groups.h"

#include "graph/fuse/extract.h"
#include "graph/fuse/primitive.h"
#include "graph/pass/block_edges.h"
#include "graph/pass/fusable.h"
#include "graph/run/compute.h"

namespace strata::graph {

namespace {

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
