#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "graph/builder/visitor.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/operator_types.h"
#include "graph/run/compute.h"
#include "graph/tensor/key.h"

namespace strata::graph {

namespace {

// The calls that a run of a function makes outside of branches.
class CallsOfRun : public Visitor {
 public:
  explicit CallsOfRun(const Module& module) : module_(module) {}

  void binding(const Binding& b) override {
    if (const auto* call = b.as<OperatorCall>()) operators.emplace_back(call, &b);
    if (const auto* call = b.as<KernelCall>())
      if (const TensorKernel* kernel = call->is_packed ? nullptr : module_.kernel(call->callee))
        kernels.push_back(kernel);
    if (const auto* call = b.as<FunctionCall>())
      if (const GraphFunction* f = module_.function(call->callee); f && entered_.insert(f).second) {
        if (is_primitive(*f))
          primitives.push_back(f);
        else
          function(*f);
      }
  }

  std::vector<std::pair<const OperatorCall*, const Binding*>> operators = {};
  std::vector<const TensorKernel*> kernels = {};
  std::vector<const GraphFunction*> primitives = {};

 private:
  const Module& module_;
  std::set<const GraphFunction*> entered_ = {};
};

template <typename Act>
void ignoring_errors(const Act& act) try {
  act();
} catch (const std::exception&) {
}

// The same without repetitions, in the order of the program.
template <typename T>
std::vector<T> distinct(const std::vector<T>& all) {
  std::set<T> seen;
  std::vector<T> once;
  for (const T& one : all)
    if (seen.insert(one).second) once.push_back(one);
  return once;
}

// The first error of what is done side by side.
class FirstError {
 public:
  template <typename Act>
  void watch(const Act& act) try {
    act();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_ = {};
  std::exception_ptr error_ = {};
};

}  // namespace

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& act) {
  std::atomic<std::size_t> next = 0;
  FirstError error;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < count;) error.watch([&] { act(k); });
  };
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t k = 1; k < std::min(count, processors); ++k) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  error.rethrow();
}

void Computing::compile_ahead(const Module& module, const GraphFunction& function) {
  if (by_ == RunBy::interpreter) return;
  CallsOfRun calls(module);
  calls.function(function);
  std::vector<Computation*> wanted;
  for (const auto& [call, binding] : calls.operators)
    ignoring_errors([&] {
      const std::vector<ValueType> types = tensor_types(*call, {call->callee, binding->where});
      if (are_known(types))
        wanted.push_back(made(*call, types, call->attributes, binding->where).get());
    });
  for (const TensorKernel* kernel : calls.kernels) wanted.push_back(&made(*kernel));
  for (const GraphFunction* f : calls.primitives)
    ignoring_errors([&] { wanted.push_back(&made(*f)); });
  compile_all(distinct(wanted), function.where);
}

// Of computations that share a kernel, the first one is compiled, so that its sizes guide the
// schedule whatever the threads do.
void Computing::compile_all(const std::vector<Computation*>& wanted, const Where& where) const {
  std::vector<Computation*> all;
  std::set<std::string> keys;
  for (Computation* c : wanted)
    if (keys.insert(key(c->parametric.outputs)).second) all.push_back(c);
  side_by_side(all.size(),
               [&](std::size_t k) { ignoring_errors([&] { compile(*all[k], where); }); });
}

}  // namespace strata::graph
