// Calls of kernels, and of other functions of the executable.
#include "graph/build/lowered.h"
#include "graph/library/function_trace.h"

namespace strata::graph {

namespace {

Tensor computed_for_view(Tensor t) {
  while (t.op().computed() && t.op().computed()->is_view) t = input_tensors(t.op())[0];
  return t;
}

bool has_same_dims(const Shape& a, const Shape& b) {
  for (std::size_t d = 0; d < a.size(); ++d)
    if (a.size() != b.size() || !is_same_dim(a[d], b[d])) return false;
  return a.size() == b.size();
}

}  // namespace

Expr FunctionTrace::substituted(const Expr& dim, const Dims& symbols) const {
  return normal(with_symbols(dim, [&](const std::string& name) {
    const auto found = symbols.find(name);
    if (found == symbols.end())
      refuse(model_.text_of(pc_) + ": nothing gives the symbol " + name + " a value");
    return found->second;
  }));
}

Shape FunctionTrace::substituted(const Shape& dims, const Dims& symbols) const {
  Shape made;
  for (const Expr& dim : dims) made.push_back(substituted(dim, symbols));
  return made;
}

// An extent that is a plain symbol gives the symbol its value, unless it has one.
void FunctionTrace::match(const CArray& pattern, const CArray& given, const std::string& what,
                          Dims& symbols) {
  if (pattern.element != given.element || pattern.dims.size() != given.dims.size())
    refuse(model_.text_of(pc_) + ": " + what + " gets " +
           ValueType::tensor(given.dims, given.element).text());
  for (std::size_t d = 0; d < pattern.dims.size(); ++d)
    if (pattern.dims[d].op() == Op::parameter)
      symbols.emplace(pattern.dims[d].name(), given.dims[d]);
}

// ---- kernels ----

CValue FunctionTrace::call_kernel(const std::string& name, const ModuleKernel& kernel,
                                  const Values& arguments) {
  std::vector<CArray> arrays;
  Shape integers;
  for (const CValue& value : arguments) {
    for_each_array(value, [&](const CArray& array) { arrays.push_back(array); });
    integers.insert(integers.end(), value.numbers.begin(), value.numbers.end());
  }
  const std::vector<Tensor>& inputs = kernel.compiled.kernel.inputs;
  Dims symbols;
  for (std::size_t k = 0; k < kernel.symbols.size() && k < integers.size(); ++k)
    symbols.emplace(kernel.symbols[k], integers[k]);
  std::map<Tensor, CArray> values;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    match({{}, {}, inputs[k].type(), inputs[k].shape()}, arrays.at(k), "%" + inputs[k].name(),
          symbols);
    values[inputs[k]] = arrays[k];
  }
  arrays.erase(arrays.begin(), arrays.begin() + std::ptrdiff_t(inputs.size()));
  const bool makes = arrays.empty();
  if (makes) arrays = results_of(kernel, symbols);
  run_kernel(name, kernel, symbols, values, arrays);
  if (!makes) return {};
  CValue value{CValue::Kind::tuple};
  for (const CArray& array : arrays) value.fields.push_back({CValue::Kind::array, array});
  return value.fields.size() == 1 ? CValue(value.fields[0]) : value;
}

// Arrays for the results of a kernel.
std::vector<CArray> FunctionTrace::results_of(const ModuleKernel& kernel, const Dims& symbols) {
  std::vector<CArray> made;
  for (const Tensor& t : kernel.compiled.tensors.results())
    made.push_back(new_array(unused_local("m"), t.type(), substituted(t.shape(), symbols)));
  return made;
}

// The steps of a kernel, whose results are written to the arrays.
void FunctionTrace::run_kernel(const std::string& name, const ModuleKernel& kernel,
                               const Dims& symbols, std::map<Tensor, CArray>& values,
                               const std::vector<CArray>& written) {
  const std::vector<Tensor>& results = kernel.compiled.tensors.results();
  std::map<Tensor, CArray> given;
  for (std::size_t k = 0; k < results.size(); ++k)
    given.emplace(computed_for_view(results[k]), written.at(k));
  for (std::size_t step = 0; step < kernel.compiled.tensors.steps().size(); ++step)
    run_step(name, kernel, step, symbols, values, given);
  for (std::size_t k = 0; k < results.size(); ++k) {
    const CArray& made = values.at(results[k]);
    for (std::size_t d = 0; d < made.dims.size(); ++d)
      require_extent(written[k].dims.at(int(d)), made.dims[d], d,
                     name + ", result " + std::to_string(k));
    if (made.memory != written[k].memory)
      statement("memmove(" + written[k].memory + ", " + made.memory + ", (size_t)" +
                made_.c(bytes_of(made)) + ");");
  }
}

void FunctionTrace::run_step(const std::string& name, const ModuleKernel& kernel, std::size_t step,
                             const Dims& symbols, std::map<Tensor, CArray>& arrays,
                             const std::map<Tensor, CArray>& given) {
  const TensorStep s = kernel.compiled.tensors.steps()[step];
  for (const Tensor& t : s.outputs) {
    const Shape dims = substituted(t.shape(), symbols);
    const auto found = given.find(t);
    if (!s.kernel)
      arrays[t] = view(unused_local("v"), arrays.at(s.inputs.at(0)), dims);
    else if (found == given.end())
      arrays[t] = new_array(unused_local("t"), t.type(), dims);
    else if (has_same_dims(found->second.dims, dims))
      arrays[t] = found->second;
    else
      arrays[t] = view(unused_local("v"), found->second, dims);
  }
  if (!s.kernel) return;
  const CKernel& called = model_.kernel(name, kernel, step);
  std::string list;
  for (const std::size_t k : called.order)
    list += made_.c(substituted(s.parameters.at(k), symbols)) + ", ";
  for (const auto& tensors : {s.inputs, s.outputs})
    for (const Tensor& t : tensors) list += "strata_argument(" + arrays.at(t).address + "), ";
  if (!list.empty()) list.resize(list.size() - 2);
  checked(called.name + "(" + list + ")");
}

// ---- functions ----

// What a callee returns, with memory of this function for arrays.
CValue FunctionTrace::with_memory(const CValue& pattern, const Dims& symbols,
                                  std::vector<CArray>& made) {
  CValue value = pattern;
  value.numbers = substituted(pattern.numbers, symbols);
  if (value.kind == CValue::Kind::array) {
    value.array = new_array(unused_local("m"), pattern.array.element,
                            substituted(pattern.array.dims, symbols));
    made.push_back(value.array);
  }
  for (CValue& field : value.fields) field = with_memory(CValue(field), symbols, made);
  return value;
}

// The values of a callee's symbols, from its arguments.
FunctionTrace::Dims FunctionTrace::symbols_of_call(const CFunction& callee, const Values& arguments,
                                                   const std::vector<CArray>& arrays) {
  const GraphFunction& f = *model_.model().lowered.function(callee.name);
  Dims symbols;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const ValueType& type = f.parameters.at(k).type();
    for (std::size_t n = 0; type.is_shape() && n < arguments[k].numbers.size(); ++n) {
      const Expr dim = parameter_dim(f, type, int(n), f.parameters[k].name());
      if (dim.op() == Op::parameter) symbols.emplace(dim.name(), arguments[k].numbers[n]);
    }
  }
  if (arrays.size() != callee.parameters.size())
    refuse(model_.text_of(pc_) + ": @" + callee.name + " takes other tuples");
  for (std::size_t k = 0; k < arrays.size(); ++k)
    match(callee.parameters[k].array, arrays[k],
          "@" + callee.name + ": " + callee.parameters[k].text, symbols);
  return symbols;
}

CValue FunctionTrace::call_function(const CFunction& callee, const Values& arguments) {
  std::vector<CArray> arrays, made;
  for (const CValue& value : arguments)
    for_each_array(value, [&](const CArray& array) { arrays.push_back(array); });
  const Dims symbols = symbols_of_call(callee, arguments, arrays);
  std::string list;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const CParameter& p = callee.parameters[k];
    for (std::size_t d = 0; d < arrays[k].dims.size(); ++d)
      require_extent(arrays[k].dims[d], substituted(p.array.dims[d], symbols), d,
                     "@" + callee.name + ": " + p.text);
    list += ", " + arrays[k].address;
  }
  CCall call{&callee, {}};
  for (const std::string& symbol : callee.symbols) {
    call.symbols.push_back(substituted(strata::parameter(symbol), symbols));
    made_.c(call.symbols.back());
  }
  const CValue result = with_memory(callee.result, symbols, made);
  for (const CArray& array : made) list += ", " + array.address;
  const std::size_t block = made_.blocks.size(), number = made_.calls.size();
  made_.blocks.push_back({{}, pc_, pc_, int(number), -1, "of @" + callee.name});
  made_.calls.push_back(std::move(call));
  checked("body_" + callee.c_name + "(self, &z->call" + std::to_string(number) + ", b" +
          std::to_string(block) + list + ")");
  return result;
}

}  // namespace strata::graph
