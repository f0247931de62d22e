#include "codegen/passes.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "codegen/passes/flatten.h"

namespace strata {

const std::vector<Pass>& passes() {
  static const std::vector<Pass> table{
      {"flatten", flatten,
       "generation nests a block for each sequence; a back end and a reader want one list"},
  };
  return table;
}

namespace {

void dump(const std::string& pass, const Kernel& kernel) {
  const char* wanted = std::getenv("STRATA_DUMP");
  if (!wanted || (std::string_view(wanted) != pass && std::string_view(wanted) != "all")) return;
  std::cerr << "// " << kernel.name << " after " << pass << "\n" << to_c_text(kernel);
}

}  // namespace

Kernel run_passes(const Kernel& kernel) {
  dump("loops", kernel);
  Kernel result = kernel;
  for (const Pass& pass : passes()) {
    result = pass.run(result);
    dump(pass.name, result);
  }
  return result;
}

}  // namespace strata
