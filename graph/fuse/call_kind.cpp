#include <atomic>

#include "graph/fuse/block_graph.h"
#include "graph/fuse/operator_kind.h"
#include "graph/ir/known.h"
#include "graph/ir/operator_types.h"
#include "graph/ops/registry.h"

namespace strata::graph {

namespace {

std::atomic<std::uint64_t> questions = 0;

CallKind opaque(const OperatorCall& call) {
  return {FusionKind::opaque, std::vector<FusionKind>(call.arguments.size(), FusionKind::opaque)};
}

// The kinds by arguments. An argument may be several tensors.
std::vector<FusionKind> by_arguments(const OperatorCall& call,
                                     const std::vector<FusionKind>& of_tensors) {
  std::vector<FusionKind> kinds;
  std::size_t next = 0;
  for (const Value& argument : call.arguments) {
    const ValueType& type = argument.type();
    FusionKind kind = FusionKind::elementwise;
    for (std::size_t k = type.is_tuple() ? type.fields().size() : 1; k > 0; --k)
      kind = combined(kind, of_tensors[next++]);
    kinds.push_back(kind);
  }
  return kinds;
}

CallKind asked(const OperatorCall& call, const std::vector<ValueType>& types, const Where& where) {
  ++questions;
  for (const ValueType& type : types)
    if (!type.dims() || !type.element()) return opaque(call);
  try {
    const std::vector<Tensor> inputs = tensors_of(types, where);
    const std::vector<Tensor> outputs =
        find_operator(call.callee, where)(inputs, call.attributes, call.layouts, where);
    for (const Tensor& t : outputs)
      if (t.op().is_placeholder()) {
        CallKind border = opaque(call);
        border.computes_nothing = outputs.size() == 1;
        return border;
      }
    const OperatorKind kind = operator_kind(outputs, inputs, where);
    return {kind.kind, by_arguments(call, kind.edges)};
  } catch (const Error& error) {  // extents that may not fit
    if (error.code() != Code::E0602_does_not_fit) throw;
    return opaque(call);
  }
}

}  // namespace

CallKind call_kind(const OperatorCall& call, const Where& where) {
  static Known<CallKind> known;
  const std::vector<ValueType> types = tensor_types(call, {call.callee, where});
  return known.get(key_of(call, types), [&] { return asked(call, types, where); });
}

std::uint64_t kind_questions() { return questions; }

}  // namespace strata::graph
