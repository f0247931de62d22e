#include "graph/build/lowered.h"
#include "graph/build/memory_calls.h"
#include "graph/build/passes.h"

namespace strata::graph {

namespace {

void give_storage(Rewriter& r, const Binding& b) {
  const auto* call = packed_call(*b.definition, builtin::alloc_tensor);
  if (!call) return r.keep(b);
  const Type element = *b.value.type().element();
  const auto known = bytes_of(b.value.type());
  const Value bytes =
      known ? shape_value({*known})
            : r.emit(call_packed(builtin::size_in_bytes,
                                 {call->arguments[0], integer_value(bytes_of(element))},
                                 ValueType::shape(1), true),
                     "bytes");
  bind_array(r, b, emit_storage(r, bytes, element_name(element)), integer_value(0));
}

}  // namespace

Pass memory_lower() {
  return Pass({"MemoryLower", 0, {}}, [](const Module& module, const PassContext&) {
    return with_lowered(module, [&](const GraphFunction& function) {
      return rewritten(function, module, give_storage);
    });
  });
}

}  // namespace strata::graph
