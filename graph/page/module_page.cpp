#include "graph/page/module_page.h"

#include <map>
#include <sstream>

#include "graph/fuse/extract.h"
#include "graph/fuse/primitive.h"
#include "graph/page/block_page.h"
#include "graph/page/kernel_pages.h"
#include "graph/pass/fusable.h"
#include "graph/text/print.h"
#include "viewer/module_page.h"

namespace strata::graph {

namespace {

// Between the marks of a line and its visible comment.
constexpr char end_of_marks = '\x01';

class PageMaker {
 public:
  PageMaker(const Module& module, const ModulePageOptions& options)
      : module_(module),
        options_(options),
        partition_(partition_options(PassContext::current(), options.fusion)) {}

  ModulePage made(bool with_kernels, const Where& where) {
    page_.name = module_.globals().empty() ? "module" : name();
    for (const auto& [name, global] : module_.globals())
      if (const auto* function = std::get_if<GraphFunction>(global.get()))
        if (is_primitive(*function)) add_primitive(*function);
    for_each_open_block(module_, [this](const GraphFunction& function, const Block& block) {
      add_open_block(function, block);
    });
    add_kernels(page_, functions_, with_kernels, where);
    add_program();
    page_.passes = options_.passes;
    return std::move(page_);
  }

 private:
  // The functions that authors call.
  std::string name() const {
    std::string text;
    for (const auto& [name, global] : module_.globals())
      if (const auto* function = std::get_if<GraphFunction>(global.get()))
        if (!is_closed(*function)) text += (text.empty() ? "@" : ", @") + name;
    return text.empty() ? "module" : text;
  }

  int new_group(const GraphFunction& function) {
    functions_.push_back(function);
    page_.groups.push_back({"@" + function.name});
    return int(page_.groups.size()) - 1;
  }

  void add_open_block(const GraphFunction& function, const Block& block) {
    GroupExtractor extractor;
    extractor.add_block(function, block, partition_);
    GroupNumbers exits;
    for (const ValueNode* root : extractor.roots())
      exits[root] = new_group(extractor.at(root).function);
    for (const Binding& b : block.bindings)
      if (const auto* call = b.as<FunctionCall>())
        if (const auto called = primitives_.find(call->callee); called != primitives_.end())
          exits[b.value.node().get()] = called->second;
    add(function, block, block_page(function, {function, block, partition_}, exits));
  }

  // All operators of a primitive function are in one group, whatever the rules say today.
  void add_primitive(const GraphFunction& function) {
    const int group = primitives_[function.name] = new_group(function);
    for (const Block& block : function.body.blocks) {
      BlockPage made = block_page(function, {function, block, partition_}, {});
      for (OperatorNode& node : made.graph.nodes) {
        if (node.is_outside) continue;
        node.group = group;
        node.is_root = false;
      }
      for (OperatorEdge& edge : made.graph.edges)
        edge.is_fused = !made.graph.nodes[std::size_t(edge.from)].is_outside;
      for (const Binding& b : block.bindings) made.groups[b.value.node().get()] = group;
      add(function, block, std::move(made));
    }
  }

  void add(const GraphFunction& function, const Block& block, BlockPage made) {
    for (const auto& [group, lines] : made.edges) {
      std::vector<ModulePage::Line>& all = page_.groups[std::size_t(group)].edges;
      all.insert(all.end(), lines.begin(), lines.end());
    }
    for (const Binding& b : block.bindings) {
      const ValueNode* const node = b.value.node().get();
      std::string& note = notes_[node] = mark_of(function.name, b.value.name());
      const auto group = made.groups.find(node);
      const bool is_grouped = group != made.groups.end();
      if (is_grouped) note += " g:" + std::to_string(group->second);
      note += end_of_marks;
      if (is_grouped) note += "group " + std::to_string(group->second);
    }
    page_.graphs.push_back(std::move(made.graph));
  }

  void add_program() {
    std::istringstream lines(text_of(module_, [this](const Binding& b) {
      const auto found = notes_.find(b.value.node().get());
      return found == notes_.end() ? "" : found->second;
    }));
    for (std::string line; std::getline(lines, line);) page_.program.push_back(on_page(line));
  }

  static ModulePage::Line on_page(const std::string& line) {
    const auto end = line.rfind(end_of_marks);
    if (end == std::string::npos) return {line};
    const auto begin = line.rfind("  # ", end);
    const std::string marks = line.substr(begin + 4, end - begin - 4), text = line.substr(0, begin),
                      comment = line.substr(end + 1);
    return {text + (comment.empty() ? "" : "  # " + comment), marks,
            marks.substr(0, marks.find(' '))};
  }

  const Module& module_;
  const ModulePageOptions& options_;
  PartitionOptions partition_;
  ModulePage page_ = {};
  std::vector<GraphFunction> functions_ = {};   // of the groups
  std::map<std::string, int> primitives_ = {};  // the groups of the module's own functions
  std::unordered_map<const ValueNode*, std::string> notes_ = {};
};

}  // namespace

std::string to_html(const Module& module, const ModulePageOptions& options, const Where& where) {
  return to_html(PageMaker(module, options).made(options.kernels, where));
}

std::string to_html(const Module& before, const Module& after, const ModulePageOptions& options,
                    const Where& where) {
  return to_html(PageMaker(before, options).made(false, where),
                 PageMaker(after, options).made(false, where));
}

}  // namespace strata::graph
