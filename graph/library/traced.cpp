#include "graph/library/traced.h"

#include <algorithm>

#include "graph/library/function_trace.h"

namespace strata::graph {

std::string CFunction::c(const Expr& dim) {
  if (const auto number = constant_dim(dim)) return std::to_string(*number);
  const std::string text = dim_text(dim);
  const auto known = std::find_if(dims.begin(), dims.end(),
                                  [&](const Expr& other) { return dim_text(other) == text; });
  const auto place = known - dims.begin();
  if (known == dims.end()) dims.push_back(normal(dim));
  return "d[" + std::to_string(place) + "]";
}

std::string CFunction::extents_in_c(const Shape& shape) {
  if (shape.empty()) return "NULL";
  std::string list;
  for (const Expr& dim : shape) list += (list.empty() ? "" : ", ") + c(dim);
  return "(const int64_t[]){" + list + "}";
}

ModelTrace::ModelTrace(const CompiledModule& model, const std::string& name, const Where& where)
    : model_(model), request_{"save_library(" + name + ")", where} {
  made_.name = name;
  made_.kernels = module_kernels(model.lowered, where);
  for (const std::string& line : lines_of(model.executable.astext()))
    if (line.starts_with("  ")) texts_.push_back(line.substr(2));
}

std::vector<std::string> ModelTrace::lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

CModel ModelTrace::operator()() {
  for (const VmFunction& f : model_.executable.functions) function(f.name);
  if (made_.functions.empty()) throw refused("the module has no function", "");
  return std::move(made_);
}

CFunction& ModelTrace::function(const std::string& name) {
  if (const auto found = made_.functions.find(name); found != made_.functions.end())
    return found->second;
  if (!open_.insert(name).second)
    throw refused("@" + name + " calls itself", "a library's memory is planned before a call");
  CFunction traced = FunctionTrace(*this, name)();
  open_.erase(name);
  traced.c_name = name_in_c(name);
  made_.order.push_back(name);
  return made_.functions[name] = std::move(traced);
}

// Its functions are NAME_f, NAME_f_shape and NAME_f_arena.
std::string ModelTrace::name_in_c(const std::string& name) {
  std::string made = names_.unused(name);
  while (!suffixed_.insert(made + "_shape").second || !suffixed_.insert(made + "_arena").second ||
         suffixed_.contains(made))
    made = names_.unused(name);
  return made;
}

Error ModelTrace::refused(const std::string& explanation, const std::string& mend) const {
  return request_.refused(Code::E0601_malformed_graph, explanation, mend);
}

std::string ModelTrace::constant(const NDArray& array) {
  const auto found = std::find_if(made_.constants.begin(), made_.constants.end(),
                                  [&](const NDArray& other) { return other.raw() == array.raw(); });
  const auto place = found - made_.constants.begin();
  if (found == made_.constants.end()) made_.constants.push_back(array);
  return "self->c[" + std::to_string(place) + "]";
}

const CKernel& ModelTrace::kernel(const std::string& name, const ModuleKernel& kernel,
                                  std::size_t step) {
  const CompiledTensors& tensors = kernel.compiled.tensors;
  const TensorStep s = tensors.steps()[step];
  const auto [found, is_new] = kernels_.emplace(s.kernel, made_.called.size());
  if (!is_new) return made_.called[found->second];
  std::vector<Tensor> all = s.inputs;
  all.insert(all.end(), s.outputs.begin(), s.outputs.end());
  std::vector<std::string> texts;
  for (const Expr& dim : s.parameters) texts.push_back(dim_text(dim));
  std::vector<std::size_t> order;
  for (const auto& [parameter, dim] : create_function("kernel", all, s.inputs).parameters)
    order.push_back(
        std::size_t(std::find(texts.begin(), texts.end(), dim_text(dim)) - texts.begin()));
  made_.called.push_back({kernel_names_.unused(made_.name + "_kernel_" + name), &tensors, step,
                          std::move(order), all.size()});
  return made_.called.back();
}

CModel traced(const CompiledModule& model, const std::string& name, const Where& where) {
  return ModelTrace(model, name, where)();
}

}  // namespace strata::graph
