#include "graph/build/kernels.h"

#include <fmt/format.h>

#include <cstring>
#include <list>
#include <mutex>
#include <set>

#include "graph/build/lowered.h"
#include "graph/evaluate/evaluate.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/operator_types.h"
#include "graph/tensor/key.h"

namespace strata::graph {

namespace {

// What a kernel is given: a tuple stands for its fields.
struct Given {
  std::vector<NDArray> arrays = {};
  std::vector<std::int64_t> integers = {};

  void add(const std::vector<VmValue>& values) {
    for (const VmValue& value : values) {
      if (value.fields()) add(*value.fields());
      if (value.array() && value.array()->defined()) arrays.push_back(*value.array());
      if (value.shape())
        integers.insert(integers.end(), value.shape()->numbers.begin(),
                        value.shape()->numbers.end());
    }
  }
  // The arrays after the first "count".
  std::vector<NDArray> taken_after(std::size_t count) {
    if (arrays.size() <= count) return {};
    std::vector<NDArray> rest(arrays.begin() + std::ptrdiff_t(count), arrays.end());
    arrays.resize(count);
    return rest;
  }
  SymbolValues symbols(const std::vector<std::string>& names) const {
    SymbolValues values;
    for (std::size_t k = 0; k < names.size() && k < integers.size(); ++k)
      values[names[k]] = integers[k];
    return values;
  }
};

VmValue packed(const std::vector<NDArray>& results) {
  if (results.size() == 1) return results[0];
  return VmValue::tuple(VmValue::Fields(results.begin(), results.end()));
}

// The symbols whose values a function gets in shapes.
std::vector<std::string> symbols_of_shapes(const GraphFunction& function) {
  std::vector<std::string> names;
  for (const Value& p : function.parameters)
    for (const Expr& dim : p.type().is_shape() ? *p.type().dims() : Shape())
      names.push_back(dim.op() == Op::parameter ? dim.name() : "");
  return names;
}

// A kernel for arrays of all extents.
struct FixedKernel {
  TensorKernel given, parametric;
  std::vector<std::string> symbols;
  RunBy by;
  Where where;
  std::optional<CompiledKernel> compiled = {};

  void compile() { compiled = compiled_kernel(given, parametric, {"@" + given.name}, where); }

  VmValue operator()(const std::vector<VmValue>& values) const {
    Given all;
    all.add(values);
    const std::vector<NDArray> results = all.taken_after(given.inputs.size());
    if (!results.empty() && results.size() != given.outputs.size())
      throw Request{"@" + given.name, where}.refused(
          Code::E0602_does_not_fit,
          fmt::format("{} arrays are given for {} results", results.size(), given.outputs.size()));
    SymbolValues known = all.symbols(symbols);
    const std::vector<Argument> arguments = matched(given, all.arrays, known, where);
    if (!compiled) return interpreted(arguments, known, results);
    const std::vector<NDArray> read = compiled->arguments(all.arrays, known, where);
    if (results.empty()) return packed(compiled->tensors(read, known, where));
    compiled->tensors.write(read, results, known, where);
    return {};
  }

  VmValue interpreted(const std::vector<Argument>& arguments, const SymbolValues& known,
                      const std::vector<NDArray>& results) const {
    const std::vector<NDArray> made = evaluate(given.outputs, arguments, known, where);
    if (results.empty()) return packed(made);
    for (std::size_t k = 0; k < made.size(); ++k) {
      if (made[k].extents() != results[k].extents())
        throw Request{"@" + given.name, where}.refused(Code::E0602_does_not_fit,
                                                       "a result has other extents");
      std::memcpy(results[k].raw(), made[k].raw(), made[k].bytes());
    }
    return {};
  }
};

// An operator whose kernels are made when it runs. Each call has a Computing for itself, so that
// threads need not wait for each other.
class Dispatched {
 public:
  Dispatched(const GraphFunction& function, RunBy by)
      : function_(function),
        call_(*function_.body.blocks.at(0).bindings.at(0).as<OperatorCall>()),
        types_(tensor_types(call_, {call_.callee, function.where})),
        symbols_(symbols_of_shapes(function)),
        by_(by) {}

  VmValue operator()(const std::vector<VmValue>& values) {
    Given all, shapes;
    for (const Value& operand : call_.arguments) add(operand, values, all);
    for (const VmValue& value : values)
      if (value.shape()) shapes.add({value});
    std::list<Computing> own = taken();
    const std::vector<NDArray> results =
        own.front()(call_, types_, all.arrays, shapes.symbols(symbols_), function_.where);
    const std::lock_guard lock(mutex_);
    idle_.splice(idle_.begin(), own);
    return packed(results);
  }

 private:
  void add(const Value& leaf, const std::vector<VmValue>& values, Given& all) const {
    if (const auto* constant = leaf.node()->as<ArrayConstant>())
      all.arrays.push_back(constant->array);
    if (const auto* tuple = leaf.node()->as<TupleOf>())
      for (const Value& field : tuple->fields) add(field, values, all);
    for (std::size_t k = 0; k < function_.parameters.size(); ++k)
      if (function_.parameters[k] == leaf) all.add({values.at(k)});
  }

  std::list<Computing> taken() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) idle_.emplace_back(by_);
    std::list<Computing> one;
    one.splice(one.begin(), idle_, idle_.begin());
    return one;
  }

  GraphFunction function_;
  const OperatorCall& call_;
  std::vector<ValueType> types_;
  std::vector<std::string> symbols_;
  RunBy by_;
  std::mutex mutex_ = {};
  std::list<Computing> idle_ = {};
};

std::shared_ptr<FixedKernel> fixed(TensorKernel given, TensorKernel parametric,
                                   std::vector<std::string> symbols, RunBy by, const Where& where) {
  return std::make_shared<FixedKernel>(
      FixedKernel{std::move(given), std::move(parametric), std::move(symbols), by, where});
}

// Of those that share kernels the first one is compiled first, so that its sizes guide the schedule
// whatever the threads do.
void compile(const std::vector<std::shared_ptr<FixedKernel>>& all) {
  std::vector<FixedKernel*> firsts, others;
  std::set<std::string> keys;
  for (const auto& kernel : all)
    (keys.insert(key(kernel->parametric.outputs)).second ? firsts : others).push_back(kernel.get());
  for (const auto& some : {firsts, others})
    side_by_side(some.size(), [&](std::size_t k) { some[k]->compile(); });
}

// The kernels of a module that are the same for all calls.
std::vector<std::shared_ptr<FixedKernel>> fixed_kernels(const Module& module, RunBy by,
                                                        const Where& where) {
  std::vector<std::shared_ptr<FixedKernel>> all;
  for (const auto& [name, global] : module.globals()) {
    const auto* kernel = std::get_if<TensorKernel>(global.get());
    const auto* f = std::get_if<GraphFunction>(global.get());
    if (kernel) {
      all.push_back(fixed(*kernel, *kernel, kernel->integers, by, where));
    } else if (f && is_primitive(*f) && !is_dispatched(*f)) {
      const TensorKernel given = kernel_of(*f);
      all.push_back(
          fixed(given, parametric_kernel_of(*f, given), symbols_of_shapes(*f), by, f->where));
    }
  }
  if (by == RunBy::kernels) compile(all);
  return all;
}

}  // namespace

KernelFunctions kernels_of(const Module& module, const BuildOptions& options, const Where& where) {
  KernelFunctions functions;
  for (const auto& kernel : fixed_kernels(module, options.by, where))
    functions[kernel->given.name] = [kernel](const std::vector<VmValue>& given) {
      return (*kernel)(given);
    };
  for (const auto& [name, global] : module.globals())
    if (const auto* f = std::get_if<GraphFunction>(global.get()); f && is_dispatched(*f)) {
      const auto dispatched = std::make_shared<Dispatched>(*f, options.by);
      functions[name] = [dispatched](const std::vector<VmValue>& given) {
        return (*dispatched)(given);
      };
    }
  return functions;
}

std::map<std::string, ModuleKernel> module_kernels(const Module& module, const Where& where) {
  std::map<std::string, ModuleKernel> all;
  for (const auto& kernel : fixed_kernels(module, RunBy::kernels, where))
    all.emplace(kernel->given.name,
                ModuleKernel{kernel->given, kernel->symbols, *kernel->compiled});
  return all;
}

}  // namespace strata::graph
