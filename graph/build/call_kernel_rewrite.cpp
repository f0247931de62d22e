#include <set>
#include <unordered_map>

#include "graph/build/lowered.h"
#include "graph/build/passes.h"
#include "graph/builder/rewriter.h"
#include "graph/fuse/extract.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/derive.h"
#include "graph/ir/operator_types.h"
#include "graph/text/print.h"

namespace strata::graph {

namespace {

// The types of what a binding computes, one by one.
std::vector<ValueType> result_types(const ValueType& type) {
  return type.is_tuple() ? type.fields() : std::vector<ValueType>{type};
}

// The argument that the result of a primitive function is a view of.
std::optional<std::size_t> viewed_argument(const GraphFunction& primitive) {
  const TensorKernel kernel = kernel_of(primitive);
  if (kernel.outputs.size() != 1) return {};
  Tensor t = kernel.outputs[0];
  while (t.op().computed() && t.op().computed()->is_view) t = input_tensors(t.op())[0];
  std::size_t tensor = 0;
  for (std::size_t k = 0; k < primitive.parameters.size(); ++k)
    if (primitive.parameters[k].type().is_tensor() && kernel.inputs[tensor++] == t) return k;
  return {};
}

class CallRewrite {
 public:
  explicit CallRewrite(const Module& module)
      : module_(module), made_(module), packed_(packed_callees(module)) {}

  Module operator()() {
    const Module lowered = with_lowered(module_, [&](const GraphFunction& function) {
      return rewritten(function, module_, [&](Rewriter& r, const Binding& b) { rewrite(r, b); });
    });
    for (const auto& [name, global] : lowered.globals()) made_.set(*global);
    return made_;
  }

 private:
  void rewrite(Rewriter& r, const Binding& b) {
    if (const auto* call = b.as<KernelCall>()) return kernel(r, b, *call);
    if (b.as<OperatorCall>()) return dispatched(r, b);
    const auto* call = b.as<FunctionCall>();
    const GraphFunction* f = call ? module_.function(call->callee) : nullptr;
    if (f && is_primitive(*f)) return primitive(r, b, *call, *f);
    r.keep(b);
  }

  void kernel(Rewriter& r, const Binding& b, const KernelCall& call) {
    const TensorKernel* kernel = call.is_packed ? nullptr : module_.kernel(call.callee);
    std::vector<Type> elements = call.elements;
    for (std::size_t k = 0; kernel && k < kernel->outputs.size(); ++k)
      elements.push_back(kernel->outputs[k].type());
    Values integers;
    if (kernel && !call.integers.empty()) integers.push_back(shape_value(call.integers));
    for (const Expr& integer : call.is_packed ? call.integers : Shape())
      integers.push_back(r.emit(
          call_packed(builtin::tuple_field, {shape_value({integer}), integer_value(0)}, {}, true)));
    write(r, b, call.callee, call.arguments, call.extents, elements, integers);
  }

  // Where the extents of the results are not known, the function makes them.
  void primitive(Rewriter& r, const Binding& b, const FunctionCall& call, const GraphFunction& f) {
    const std::vector<ValueType> types = result_types(own_type(b));
    if (!are_known(types)) return returned(r, b, call.callee, call.arguments);
    const auto [viewed, is_new] = viewed_.try_emplace(&f);
    if (is_new) viewed->second = viewed_argument(f);
    if (viewed->second) {
      const Value shape = shape_value(*types[0].dims());
      define(
          r, b,
          call_packed(builtin::reshape, {call.arguments[*viewed->second], shape}, types[0], true));
      return;
    }
    Values extents;
    std::vector<Type> elements;
    for (const ValueType& type : types) {
      extents.push_back(shape_value(*type.dims()));
      elements.push_back(*type.element());
    }
    write(r, b, call.callee, call.arguments, extents, elements, {});
  }

  void dispatched(Rewriter& r, const Binding& b) {
    FusedGroup group = group_of(b);
    const std::string name = b.as<OperatorCall>()->callee;
    group.function.attributes = {};
    group.function.attributes.set("dispatched", true);
    group.function.name = name;
    const std::string text = text_of(group.function);
    auto [known, is_new] = known_.try_emplace(text);
    if (is_new) {
      known->second = group.function.name = free_name(name);
      made_.set(std::move(group.function));
    }
    returned(r, b, known->second, group.arguments);
  }

  void returned(Rewriter& r, const Binding& b, const std::string& callee, const Values& arguments) {
    define(r, b, call_packed(callee, arguments, without_variables(own_type(b)), true));
  }

  // Results in arrays that are made here.
  void write(Rewriter& r, const Binding& b, const std::string& callee, const Values& arguments,
             const Values& extents, const std::vector<Type>& elements, const Values& integers) {
    Values all = arguments, results;
    const std::vector<ValueType> types = result_types(own_type(b));
    for (std::size_t k = 0; k < extents.size(); ++k) {
      const Value call =
          call_packed(builtin::alloc_tensor, {extents[k], text_value(element_name(elements[k]))},
                      types.at(k), true);
      results.push_back(extents.size() == 1 ? define(r, b, call) : r.emit(call, b.value.name()));
    }
    all.insert(all.end(), results.begin(), results.end());
    all.insert(all.end(), integers.begin(), integers.end());
    r.emit(call_packed(callee, all, ValueType::nothing(), true), "void");
    if (extents.size() != 1) r.bind(b.value, Alias{tuple_value(results)}, b.where);
  }

  // What is known without the author, whose type is checked when the program runs.
  ValueType own_type(const Binding& b) const {
    if (!b.value.node()->variable().is_stated) return b.value.type();
    return derived(*b.definition, module_, {"CallKernelRewrite", b.where});
  }

  Value define(Rewriter& r, const Binding& b, const Value& call) {
    if (own_type(b) == b.value.type()) return r.redefine(b.value, call);
    const Value made = r.emit(call, b.value.name());
    r.bind(b.value, Alias{made}, b.where);
    return made;
  }

  std::string free_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int k = 1; made_.has(name) || packed_.contains(name); ++k)
      name = wanted + "_" + std::to_string(k);
    return name;
  }

  const Module& module_;
  Module made_;
  std::set<std::string> packed_;
  std::unordered_map<std::string, std::string> known_ = {};  // dispatched functions by their texts
  std::unordered_map<const GraphFunction*, std::optional<std::size_t>> viewed_ = {};
};

}  // namespace

Pass call_kernel_rewrite() {
  return Pass({"CallKernelRewrite", 0, {}},
              [](const Module& module, const PassContext&) { return CallRewrite(module)(); });
}

}  // namespace strata::graph
