#include "graph/compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "graph/compile/kernel_cache.h"
#include "graph/evaluate/element.h"
#include "graph/tensor/order.h"
#include "graph/tensor/views.h"

namespace strata::graph {

using Operations = std::vector<std::shared_ptr<const Operation>>;
using Values = std::map<Tensor, NDArray>;

// A kernel, and the tensors and symbols that it is called with here.
struct KernelStep {
  std::shared_ptr<const SharedKernel> kernel;
  std::vector<std::string> members;  // what it computes
  std::vector<Expr> parameters;
  std::vector<Tensor> inputs, outputs;
  std::vector<std::string> names;  // of the key's symbols, then the arguments
};

// A step is a kernel, or else an operation that is external or a view.
struct Step {
  std::shared_ptr<const KernelStep> kernel;
  std::shared_ptr<const Operation> op;
};

struct CompiledTensors::Plan {
  std::string name;
  std::vector<Tensor> arguments, results;
  std::vector<Step> steps;
  std::string splits;  // lines that say why computations are in several kernels
  CompileOptions options;
};

namespace {

// The dim with symbols instead of s0, s1, ..: sK becomes symbol K.
Expr named(const Expr& dim, const std::vector<std::string>& symbols) {
  return with_symbols(
      dim, [&](const std::string& name) { return parameter(symbols[std::stoul(name.substr(1))]); });
}

// The names in the kernel's messages that differ from those of these tensors: ", where x is data".
std::string names_in(const KernelStep& step) {
  std::string text;
  for (std::size_t k = 0; k < step.names.size(); ++k)
    if (const std::string& other = step.kernel->names[k]; other != step.names[k])
      text += (text.empty() ? ", where " : ", ") + other + " is " + step.names[k];
  return text;
}

// Does the error say that a kernel is too large to compile?
bool is_too_large(const Error& error) {
  return error.code() == Code::E0901_out_of_budget || error.code() == Code::E0903_too_much_code;
}

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Numbers the kernels; views and external functions stand between two kernels. A computation goes
// into the first kernel after all views and external functions that it depends on.
class Planner {
 public:
  Planner(const std::vector<Tensor>& results, const CompileOptions& options, const Where& where)
      : options_(options),
        where_(where),
        results_(results.begin(), results.end()),
        read_outside_(results_) {
    for (const auto& op : operations_of(results)) add(op);
  }

  void plan(std::vector<Step>& steps, std::string& splits) const {
    for (const auto& [number, level] : levels_) {
      if (!level.members.empty()) add_kernels(level.members, read_outside_, steps, splits);
      for (const auto& op : level.between) steps.push_back({nullptr, op});
    }
  }

 private:
  // The members of a kernel, and the views and external functions after it.
  struct Level {
    Operations members, between;
  };

  void add(const std::shared_ptr<const Operation>& op) {
    if (op->is_placeholder()) {
      numbers_[op.get()] = 0;
      return;
    }
    const std::vector<Tensor> inputs = input_tensors(*op);
    int number = 0;
    for (const Tensor& t : inputs) {
      const bool is_later = in_kernel(*op) && !t.op().is_placeholder() && !in_kernel(t.op());
      number = std::max(number, numbers_.at(&t.op()) + (is_later ? 1 : 0));
    }
    numbers_[op.get()] = number;
    Level& level = levels_[number];
    (in_kernel(*op) ? level.members : level.between).push_back(op);
    for (const Tensor& t : inputs)
      if (!is_inside(*op, t)) read_outside_.insert(t);
  }

  // A result that is a view shares the memory of what it reads.
  bool in_kernel(const Operation& op) const {
    if (!is_in_kernel(op)) return false;
    return !op.computed()->is_view ||
           std::ranges::none_of(results_, [&](const Tensor& t) { return &t.op() == &op; });
  }

  // A tensor is not an argument if only the kernel that computes it reads it.
  bool is_inside(const Operation& reader, const Tensor& t) const {
    return in_kernel(reader) && in_kernel(t.op()) && numbers_.at(&t.op()) == numbers_.at(&reader);
  }

  // Adds one kernel of the members, or several if it is too large. "kept" are the tensors that
  // others read.
  void add_kernels(const Operations& members, std::set<Tensor> kept, std::vector<Step>& steps,
                   std::string& splits) const try {
    steps.push_back({kernel(members, kept), nullptr});
  } catch (const Error& error) {
    if (!is_too_large(error) || members.size() == 1) throw;
    const auto middle = members.begin() + std::ptrdiff_t(members.size() / 2);
    const Operations first(members.begin(), middle), second(middle, members.end());
    splits += "split before " + second[0]->name + ": " + to_string(error.code()) + ", " +
              error.refusal().explanation + "\n";
    for (const auto& op : second)
      for (const Tensor& t : input_tensors(*op)) kept.insert(t);
    add_kernels(first, kept, steps, splits);
    add_kernels(second, kept, steps, splits);
  }

  std::shared_ptr<const KernelStep> kernel(const Operations& members,
                                           const std::set<Tensor>& kept) const {
    KernelStep step;
    std::set<const Operation*> own;
    std::set<Tensor> seen;
    for (const auto& op : members) own.insert(op.get());
    for (const auto& op : members) {
      step.members.push_back(op->name);
      for (const Tensor& t : input_tensors(*op))
        if (!own.contains(&t.op()) && seen.insert(t).second) step.inputs.push_back(t);
      for (int k = 0; k < int(op->outputs().size()); ++k)
        if (const Tensor t(op, k); kept.contains(t)) step.outputs.push_back(t);
    }
    std::vector<Tensor> tensors = step.inputs;
    tensors.insert(tensors.end(), step.outputs.begin(), step.outputs.end());
    const Key key = key_of(tensors, step.inputs);
    step.kernel = shared_kernel(key, tensors, step.inputs, options_, where_);
    for (const Expr& dim : step.kernel->parameters)
      step.parameters.push_back(named(dim, key.symbols));
    step.names = key.symbols;
    for (const Tensor& t : tensors) step.names.push_back(t.name());
    return std::make_shared<const KernelStep>(std::move(step));
  }

  const CompileOptions& options_;
  Where where_;
  std::set<Tensor> results_;
  std::map<const Operation*, int> numbers_;
  std::map<int, Level> levels_;
  std::set<Tensor> read_outside_;  // read outside of the kernel that computes them, or results
};

// Runs the steps of a plan.
class Run {
 public:
  // "given" has the arrays that some of the tensors are written to.
  Run(SymbolValues& symbols, Values& values, const Values& given, const Request& request)
      : symbols_(symbols), values_(values), given_(given), request_(request) {}

  void operator()(const Step& step) {
    if (step.kernel)
      run(*step.kernel);
    else if (step.op->external())
      call(step.op);
    else
      view(step.op);
  }

 private:
  void run(const KernelStep& step) {
    std::vector<std::int64_t> parameters;
    for (const Expr& dim : step.parameters) parameters.push_back(value(dim));
    std::vector<halide_buffer_t*> buffers;
    for (const Tensor& t : step.inputs) buffers.push_back(values_.at(t));
    for (const Tensor& t : step.outputs) buffers.push_back(values_[t] = new_array(t));
    const int code = step.kernel->code(parameters, buffers, request_.where);
    if (code == 0) return;
    const bool is_index = code == strata_error_index_out_of_range;
    throw request_.refused(is_index ? Code::E0113_read_outside_domain : Code::E0602_does_not_fit,
                           strata_last_error() + (" in " + text_of(step.members)) + names_in(step),
                           "give arrays of other extents or values");
  }

  std::int64_t value(const Expr& dim) {
    const auto value = value_of(dim, symbols_);
    if (!value)
      throw request_.refused(Code::E0602_does_not_fit, dim_text(dim) + " has no value in int64",
                             "pass values for its symbols, or arrays of other extents");
    return *value;
  }

  NDArray new_array(const Tensor& t) {
    std::vector<std::int64_t> extents = extents_of(t, symbols_, request_);
    const auto given = given_.find(t);
    if (given == given_.end()) return NDArray(element_type_of(t.type()), std::move(extents));
    require_fitting(t, given->second, extents);
    return given->second.extents() == extents ? given->second
                                              : given->second.viewed(std::move(extents));
  }

  // What is computed, or a view of it, has as many elements.
  void require_fitting(const Tensor& t, const NDArray& array,
                       const std::vector<std::int64_t>& extents) const {
    std::size_t size = 1;
    for (const std::int64_t extent : extents) size *= std::size_t(extent);
    if (size == array.size() && is_same_type(array.type(), element_type_of(t.type()))) return;
    throw request_.refused(
        Code::E0602_does_not_fit,
        fmt::format("{} has the extents ({}), and an array of ({}) is given", t.name(),
                    fmt::join(extents, ", "), fmt::join(array.extents(), ", ")),
        "give an array of the tensor's type and shape");
  }

  void call(const std::shared_ptr<const Operation>& op) {
    const ArrayOf array_of = [&](const Tensor& t) -> const NDArray& { return values_.at(t); };
    const std::vector<NDArray> results = call_external(op, array_of, symbols_, request_);
    for (int k = 0; k < int(results.size()); ++k) values_[Tensor(op, k)] = results[k];
  }

  void view(const std::shared_ptr<const Operation>& op) {
    const Tensor t(op, 0);
    values_[t] = view_of(op, values_.at(input_tensors(*op)[0]), symbols_, request_);
  }

  SymbolValues& symbols_;
  Values& values_;
  const Values& given_;
  const Request& request_;
};

// The arrays by the tensors that kernels compute into them: what a result is a view of has the
// result's memory.
Values computed_into(const std::vector<Tensor>& tensors, const std::vector<NDArray>& arrays) {
  Values given;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    Tensor t = tensors[k];
    while (t.op().computed() && t.op().computed()->is_view) t = input_tensors(t.op())[0];
    given.emplace(t, arrays[k]);
  }
  return given;
}

}  // namespace

const std::vector<Tensor>& CompiledTensors::arguments() const { return plan_->arguments; }

std::vector<NDArray> CompiledTensors::operator()(const std::vector<NDArray>& arguments,
                                                 const SymbolValues& symbols,
                                                 const Where& where) const {
  return run(arguments, {}, symbols, where);
}

void CompiledTensors::write(const std::vector<NDArray>& arguments,
                            const std::vector<NDArray>& results, const SymbolValues& symbols,
                            const Where& where) const {
  const std::vector<NDArray> made = run(arguments, results, symbols, where);
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (made[k].extents() != results[k].extents() ||
        !is_same_type(made[k].type(), results[k].type()))
      throw Request{plan_->name, where}.refused(
          Code::E0602_does_not_fit,
          fmt::format("it computes extents ({}), and ({}) are given",
                      fmt::join(made[k].extents(), ", "), fmt::join(results[k].extents(), ", ")));
    if (made[k].raw() != results[k].raw())
      std::memcpy(results[k].raw(), made[k].raw(), made[k].bytes());
  }
}

std::vector<NDArray> CompiledTensors::run(const std::vector<NDArray>& arguments,
                                          const std::vector<NDArray>& results,
                                          const SymbolValues& given, const Where& where) const {
  const Request request{plan_->name.empty() ? "a call of compiled tensors" : plan_->name, where};
  if (arguments.size() != plan_->arguments.size())
    throw request.refused(Code::E0602_does_not_fit,
                          std::to_string(arguments.size()) + " arrays are given for " +
                              std::to_string(plan_->arguments.size()) + " placeholders",
                          "give one for each, in the order of arguments()");
  std::vector<Argument> pairs;
  Values values;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    pairs.push_back({plan_->arguments[k], arguments[k]});
    values[plan_->arguments[k]] = arguments[k];
  }
  SymbolValues symbols = given;
  match(pairs, symbols, request);
  const Values into = computed_into(plan_->results, results);
  Run run(symbols, values, into, request);
  for (const Step& step : plan_->steps) run(step);
  std::vector<NDArray> made;
  for (const Tensor& t : plan_->results) made.push_back(values.at(t));
  return made;
}

std::string CompiledTensors::why() const {
  std::string text = plan_->splits;
  for (const Step& step : plan_->steps) {
    if (!step.kernel) {
      text += step.op->name + ": " +
              (step.op->external() ? "a function on whole arrays" : "a view") + "\n";
      continue;
    }
    text += "kernel of " + text_of(step.kernel->members) + "\n";
    std::istringstream lines(step.kernel->kernel->schedule);
    for (std::string line; std::getline(lines, line);) text += "  " + line + "\n";
  }
  return text;
}

std::vector<TensorFunction> CompiledTensors::functions(const Where& where) const {
  std::vector<TensorFunction> all;
  for (std::size_t k = 0; k < plan_->steps.size(); ++k)
    if (plan_->steps[k].kernel) all.push_back(function(k, {}, where));
  return all;
}

const std::vector<Tensor>& CompiledTensors::results() const { return plan_->results; }

std::vector<TensorStep> CompiledTensors::steps() const {
  std::vector<TensorStep> all;
  for (const Step& step : plan_->steps) {
    const KernelStep* const kernel = step.kernel.get();
    if (kernel)
      all.push_back({kernel->kernel.get(), kernel->inputs, kernel->outputs, kernel->parameters});
    else
      all.push_back({nullptr, input_tensors(*step.op), {Tensor(step.op, 0)}});
  }
  return all;
}

TensorFunction CompiledTensors::function(std::size_t step, const ScheduleFor& made_for,
                                         const Where& where) const {
  const KernelStep& kernel = *plan_->steps.at(step).kernel;
  std::vector<Tensor> tensors = kernel.inputs;
  tensors.insert(tensors.end(), kernel.outputs.begin(), kernel.outputs.end());
  return scheduled_function(*kernel.kernel, tensors, kernel.inputs, plan_->options, made_for,
                            where);
}

CompiledTensors compile(const std::vector<Tensor>& tensors, const CompileOptions& options,
                        const Where& where) {
  auto plan = std::make_shared<CompiledTensors::Plan>();
  plan->name = options.name;
  plan->options = options;
  plan->arguments = placeholders_of(tensors);
  plan->results = tensors;
  Planner(tensors, options, where).plan(plan->steps, plan->splits);
  CompiledTensors compiled;
  compiled.plan_ = std::move(plan);
  return compiled;
}

}  // namespace strata::graph
