// Code shared by the variants in Halide's own front end.
#pragma once

#include <Halide.h>

#include <cctype>
#include <cstdlib>
#include <functional>

#include "benchmarks/common/process.h"

namespace benchmarks {

// The array as a Halide buffer, whose first dimension is the innermost one.
template <typename T>
Halide::Buffer<T> halide_buffer(strata::Array<T>& array) {
  std::vector<int> extents(array.extents().rbegin(), array.extents().rend());
  return Halide::Buffer<T>(array.data(), extents);
}

// An input of a pipeline: a parameter and its value.
struct Given {
  Halide::ImageParam parameter;
  Halide::Buffer<> value;
};

// A compiled pipeline bound to its arrays.
class Pipeline {
 public:
  // "schedule" applies the manual schedule to "outputs". If the environment variable
  // STRATA_BENCHMARK_AUTOSCHEDULER names an autoscheduler, its schedule for arrays of these sizes
  // replaces the manual one.
  Pipeline(std::vector<Halide::Func> outputs, std::vector<Halide::Buffer<>> results,
           std::vector<Given> inputs, const std::function<void()>& schedule)
      : results_(std::move(results)), inputs_(std::move(inputs)) {
    const Halide::Target target =
        Halide::get_jit_target_from_environment().with_feature(Halide::Target::NoAsserts);
    Halide::Pipeline pipeline(outputs);
    std::vector<Halide::Argument> arguments;
    for (const Given& input : inputs_) arguments.push_back(input.parameter);
    if (const char* name = std::getenv("STRATA_BENCHMARK_AUTOSCHEDULER"))
      autoschedule(pipeline, outputs, target, name);
    else
      schedule();
    compiled_ = pipeline.compile_to_callable(arguments, target);
    for (Given& input : inputs_) values_.push_back(input.value.raw_buffer());
    for (Halide::Buffer<>& result : results_) values_.push_back(result.raw_buffer());
    context_ = &no_context_;
    called_.push_back(&context_);
    for (halide_buffer_t*& value : values_) called_.push_back(value);
  }

  Pipeline(const Pipeline&) = delete;

  void run() {
    if (compiled_.call_argv_fast(called_.size(), called_.data()) != 0)
      throw std::runtime_error("the pipeline failed");
  }

 private:
  void autoschedule(Halide::Pipeline& pipeline, std::vector<Halide::Func>& outputs,
                    const Halide::Target& target, const std::string& name) {
    for (Given& input : inputs_)
      for (int d = 0; d < input.value.dimensions(); ++d)
        input.parameter.dim(d).set_estimate(0, input.value.dim(d).extent());
    for (std::size_t n = 0; n < outputs.size(); ++n)
      for (int d = 0; d < results_[n].dimensions(); ++d)
        outputs[n].set_estimate(outputs[n].args()[std::size_t(d)], 0, results_[n].dim(d).extent());
    std::string file = name;
    for (char& letter : file) letter = char(std::tolower(letter));
    Halide::load_plugin(STRATA_HALIDE_PLUGINS "/libautoschedule_" + file + ".so");
    pipeline.apply_autoscheduler(
        target, {name, {{"parallelism", std::to_string(strata_number_of_threads())}}});
  }

  std::vector<Halide::Buffer<>> results_;
  std::vector<Given> inputs_;
  Halide::Callable compiled_;
  std::vector<halide_buffer_t*> values_;
  Halide::JITUserContext no_context_{};
  Halide::JITUserContext* context_ = nullptr;
  std::vector<const void*> called_;
};

}  // namespace benchmarks
