// Pages of modules.
#include "graph/page/module_page.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/turns.h"

namespace strata::python {

void add_graph_pages(nb::module_& m) {
  m.def(
      "to_html",
      [](const graph::Module& module, const std::optional<graph::Module>& after, int level,
         bool by_bytes, bool kernels, const std::string& passes) {
        const Where where = python_line();
        const graph::ModulePageOptions options{{level, by_bytes}, kernels, passes};
        const Compilation compilation(std::make_shared<const Maker>("to_html"));
        return after ? graph::to_html(module, *after, options, where)
                     : graph::to_html(module, options, where);
      },
      "module"_a, "after"_a.none() = nb::none(), nb::kw_only(), "fuse_opt_level"_a = -1,
      "by_bytes"_a = true, "kernels"_a = true, "passes"_a = "",
      "One HTML page, as text, that needs no other file: the graph with its groups, why each edge\n"
      "is fused or apart, the post-dominators, and for each group its operations and its kernel.\n"
      "With after: the two modules side by side, without kernels; what differs is marked.\n"
      "\n"
      "kernels=False compiles nothing. passes is what the render() of a PassTimingInstrument\n"
      "returned.");
}

}  // namespace strata::python
