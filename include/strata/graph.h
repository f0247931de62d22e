// Strata's operator graph, for authors: tensor expressions, operators, and what computes them.
//
//   using namespace strata::graph;
//   Param n("n"), k("k"), m("m");
//   const Tensor x = placeholder("x", f32, {n, k}), w = placeholder("w", f32, {m, k});
//   const CompiledTensors layer = compile({softmax(relu(dense(x, w)))});
//   const std::vector<NDArray> y = layer({x_array, w_array});    // of any extents
//
// docs/graph.md is the guide.
#pragma once

#include "graph/build/build.h"
#include "graph/build/code.h"
#include "graph/build/passes.h"
#include "graph/builder/builder.h"
#include "graph/builder/deduce.h"
#include "graph/builder/rewriter.h"
#include "graph/builder/variable_names.h"
#include "graph/builder/visitor.h"
#include "graph/compile/compile.h"
#include "graph/compile/function.h"
#include "graph/dim/bound.h"
#include "graph/dim/dim.h"
#include "graph/evaluate/evaluate.h"
#include "graph/fuse/block_graph.h"
#include "graph/fuse/dominators.h"
#include "graph/fuse/operator_kind.h"
#include "graph/fuse/parametric.h"
#include "graph/fuse/partition.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/derive.h"
#include "graph/ir/module.h"
#include "graph/ir/purity.h"
#include "graph/ir/verify.h"
#include "graph/library/library.h"
#include "graph/onnx/load.h"
#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/page/module_page.h"
#include "graph/pass/context.h"
#include "graph/pass/groups.h"
#include "graph/pass/instruments.h"
#include "graph/pass/pass.h"
#include "graph/pass/passes.h"
#include "graph/run/run.h"
#include "graph/tensor/key.h"
#include "graph/tensor/order.h"
#include "graph/tensor/tensor.h"
#include "graph/text/equal.h"
#include "graph/text/parse.h"
#include "graph/text/print.h"
#include "graph/vm/registry.h"
