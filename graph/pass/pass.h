// Passes: functions from modules to modules, which a context switches on and off (after TVM's pass
// infrastructure).
//
//   const Module faster = sequential({fold_constant(), eliminate_common_subexpr()})(module);
//   within(PassContext{.opt_level = 3}, [&] { ... });
//
// A pass never changes its argument. Called directly, a pass always runs; in a Sequential it runs
// if the context enables it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/ir/module.h"

namespace strata::graph {

struct PassInfo {
  std::string name;
  int opt_level = 0;
  std::vector<std::string> required = {};  // names of passes that a Sequential runs first
};

class PassContext;

class Pass {
 public:
  using Run = std::function<Module(const Module&, const PassContext&)>;
  Pass(PassInfo info, Run run)
      : info_(std::make_shared<const PassInfo>(std::move(info))),
        run_(std::make_shared<const Run>(std::move(run))) {}

  const PassInfo& info() const { return *info_; }
  // Runs the pass, unless an instrument of the current context says no. If STRATA_VERIFY is set,
  // throws E0605 with the pass's name if the result breaks a rule (verify).
  Module operator()(const Module& module, const Where& where = Where::here()) const;

 private:
  Module run(const Module& module, const PassContext& context, const Where& where) const;

  std::shared_ptr<const PassInfo> info_;
  std::shared_ptr<const Run> run_;
};

// The number of running passes in this thread, each inside the one before.
int running_passes();

// A pass over each graph function, or each kernel, of the module.
Pass function_pass(const PassInfo& info,
                   const std::function<GraphFunction(const GraphFunction&, const Module&,
                                                     const PassContext&)>& run);
Pass kernel_pass(
    const PassInfo& info,
    const std::function<TensorKernel(const TensorKernel&, const Module&, const PassContext&)>& run);
// A pass over each dataflow block. E0605 if a block gets other outputs, or defines other symbols.
Pass dataflow_pass(
    const PassInfo& info,
    const std::function<Block(const Block&, const Module&, const PassContext&)>& run);

// A pass that runs the passes that the current context enables, in order, each after the passes
// that it requires. It may be part of another Sequential.
Pass sequential(const std::vector<Pass>& passes, const PassInfo& info = {"sequential", 0, {}});

// Passes by name, for "required". The library's own passes are registered. E0104 if the name is
// taken, E0603 if no pass has it.
void register_pass(const Pass& pass, const Where& where = Where::here());
const Pass& find_pass(const std::string& name, const Where& where = Where::here());

}  // namespace strata::graph
