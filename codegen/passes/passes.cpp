#include "codegen/passes/passes.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "codegen/passes/flatten.h"
#include "codegen/passes/narrow.h"
#include "codegen/passes/tighten.h"
#include "codegen/tree/verify_loop_tree.h"

namespace strata {

const std::vector<Pass>& passes() {
  static const std::vector<Pass> table{
      {"flatten", flatten,
       "generation nests a block for each sequence; a back end and a reader want one list"},
      {"tighten", tighten,
       "conditions stand alone in their loops only where blocks are flat"},
      {"narrow", narrow,
       "indices are written for all instances of a computation; only inside the finished loops is "
       "it "
       "known how far each iterator goes"},
  };
  return table;
}

bool asked_for(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

namespace {

void look_at(const std::string& pass, const Kernel& kernel, const Request& request) {
  const char* dump = std::getenv("STRATA_DUMP");
  if (dump && (dump == pass || std::string_view(dump) == "all"))
    std::cerr << "// " << kernel.name << " after " << pass << "\n" << to_c_text(kernel);
  if (!asked_for("STRATA_VERIFY")) return;
  for (const std::string& finding : findings(kernel))
    throw request.refused(Code::E0502_code_generation_failed, "after " + pass + ": " + finding);
}

}  // namespace

Kernel run_passes(const Kernel& kernel, const Request& request) {
  look_at("loops", kernel, request);
  Kernel result = kernel;
  result.before = bodies(kernel);
  for (const Pass& pass : passes()) {
    result = pass.run(result);
    look_at(pass.name, result, request);
  }
  return result;
}

}  // namespace strata
