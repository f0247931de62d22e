#include "graph/build/build.h"

#include "graph/build/code.h"
#include "graph/build/kernels.h"
#include "graph/build/lowered.h"
#include "graph/build/passes.h"
#include "graph/ir/verify.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

// The machine finds what is called by its name alone.
void require_distinct_names(const Module& module, const Where& where) {
  for (const std::string& name : packed_callees(module))
    if (module.has(name))
      throw Request{"build", where}.refused(
          Code::E0601_malformed_graph,
          "the packed function \"" + name + "\" has the name of a global of the module",
          "give one of them another name");
}

}  // namespace

CompiledModule build(const Module& module, const BuildOptions& options, const Where& where) {
  verify(module, where);
  require_distinct_names(module, where);
  std::vector<Pass> passes = {to_dataflow(),
                              fold_constant(),
                              eliminate_common_subexpr(),
                              combine_parallel_products(),
                              fold_constant(),
                              choose_layouts(),
                              fold_constant(),
                              fuse_by_bytes()};
  for (Pass& pass : lowering_passes()) passes.push_back(std::move(pass));
  CompiledModule made;
  made.lowered = sequential(passes, {"build", 0, {}})(module, where);
  made.executable = code_of(made.lowered);
  made.kernels = kernels_of(made.lowered, options, where);
  return made;
}

}  // namespace strata::graph
