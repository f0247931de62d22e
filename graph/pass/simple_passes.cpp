// Passes that change nothing.
#include <cstdio>

#include "graph/builder/rewriter.h"
#include "graph/ir/verify.h"
#include "graph/pass/passes.h"
#include "graph/text/print.h"

namespace strata::graph {

namespace {

Module same(const Module& module, const PassContext&) { return module; }

}  // namespace

Pass infer_type() {
  return Pass({"InferType", 0, {}}, [](const Module& module, const PassContext&) {
    verify(module);
    return module;
  });
}

Pass to_a_normal_form() { return Pass({"ToANormalForm", 1, {}}, &same); }

Pass print_ir(const std::string& header, const std::function<void(const std::string&)>& print) {
  return Pass({"PrintIR", 0, {}}, [=](const Module& module, const PassContext&) {
    const std::string text = (header.empty() ? "" : header + "\n") + text_of(module);
    if (print)
      print(text);
    else
      std::fputs(text.c_str(), stdout);
    return module;
  });
}

std::vector<Pass> all_passes() {
  return {infer_type(),
          to_a_normal_form(),
          dead_code_elimination(),
          fold_constant(),
          eliminate_common_subexpr(),
          fma_rewrite(),
          combine_parallel_products(),
          alter_op_layout(),
          choose_layouts(),
          fuse_ops(),
          fuse_by_bytes(),
          print_ir()};
}

}  // namespace strata::graph
