#include "codegen/passes/passes.h"

#include <ostream>

#include "codegen/passes/barriers.h"
#include "codegen/passes/device_buffers.h"
#include "codegen/passes/flatten.h"
#include "codegen/passes/keep.h"
#include "codegen/passes/launches.h"
#include "codegen/passes/narrow.h"
#include "codegen/passes/products.h"
#include "codegen/passes/share.h"
#include "codegen/passes/tighten.h"
#include "codegen/tree/verify_loop_tree.h"

namespace strata {

const std::vector<Stage<Kernel>>& passes() {
  static const std::vector<Stage<Kernel>> table{
      {"flatten", flatten,
       "generation nests a block for each sequence; a back end and a reader want one list", true},
      {"tighten", tighten, "a condition is alone in its loop only where blocks are flat", true},
      {"narrow", narrow,
       "indices are written for all instances of a computation; the range of each iterator is "
       "known only inside the finished loops",
       true},
      {"share calls", with_shared_calls,
       "arguments of calls are the same only where indices are as simple as they can be", true},
      {"products of warps", with_products, "the loops of a full tile have constant bounds"},
      {"keep", keep,
       "the places of a tile are plain only when indices are, and LLVM cannot tell them apart",
       true},
      {"unconditional barriers", with_barriers_outside,
       "the other stages before it move conditions"},
      {"launches", with_launches, "the ranges of blocks and threads are final"},
      {"device buffers", with_device_buffers, "launches are known, and what touches each buffer"},
  };
  return table;
}

Watch<Kernel> watch_of_trees(const Request& request) {
  return {[](const Kernel& k, std::ostream& out) { out << to_c_text(k); },
          [request](const Kernel& k, const std::string& stage) {
            for (const std::string& finding : findings(k))
              throw request.refused(Code::E0502_code_generation_failed,
                                    "after " + stage + ": " + finding);
          }};
}

Kernel run_passes(const Kernel& kernel, const Request& request, StageRun& stages) {
  Kernel tree = kernel;
  tree.before = bodies(kernel);
  return stages.run("loops", passes(), std::move(tree), watch_of_trees(request));
}

}  // namespace strata
