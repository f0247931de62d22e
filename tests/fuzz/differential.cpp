#include "tests/fuzz/differential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/lower.h"
#include "core/stage.h"
#include "layers/text/text.h"
#include "reference/compare.h"
#include "reference/dataflow.h"
#include "reference/initial_values.h"
#include "reference/inputs.h"
#include "reference/loop_tree_theta.h"
#include "reference/shadow.h"
#include "schedule/finish.h"
#include "tests/fuzz/on_ranks.h"

namespace strata::fuzz {

using reference::Array;
using reference::Arrays;
using reference::RunOptions;

namespace {

// Refusals that a legal program may meet once its outputs are known, all executions in launches
// have threads, or its loops are generated; none can give a wrong answer. Not E0301 or E0303:
// places are known when commands are given. Not E0502: what the back end cannot do is refused
// before. (If all buffers are temporary there is no output: E0116.)
bool may_refuse(Code code) {
  return code == Code::E0304_output_not_last || code == Code::E0204_not_scheduled ||
         code == Code::E0308_size_does_not_fit || code == Code::E0309_several_threads ||
         code == Code::E0504_sum_not_in_order || code == Code::E0901_out_of_budget ||
         code == Code::E0116_wrong_argument_list;
}

// Refusals of copies between host and device that the author asks for.
bool may_refuse_copies(Code code) {
  return code == Code::E0401_stale_memory || code == Code::E0307_out_of_scope ||
         code == Code::E0106_bad_argument;
}

// The program without such copies; nothing if it has none.
std::optional<Program> without_given_copies(const Program& program) {
  Program without = program;
  bool found = !program.layout.copies.empty();
  without.layout.copies.clear();
  for (LayoutBuffer& buffer : without.layout.buffers)
    found = found || buffer.resident, buffer.resident = false;
  for_each_loop(without.mapping, [&](Loop& loop) {
    found = found || !loop.copies.empty();
    loop.copies.clear();
  });
  return found ? std::optional(without) : std::nullopt;
}

bool runs_launch(const StmtPtr& stmt) {
  bool found = std::holds_alternative<Launch>(*stmt);
  for_each_inside(*stmt, [&](const StmtPtr& inside) { found = found || runs_launch(inside); });
  return found;
}

// The elements made by the program, without inputs.
Array made(const Array& after) {
  Array result(after.type(), after.elements());
  for (const reference::Point& p : after.elements())
    if (after.defined(p) && after.step(p) >= 0) result.set(p, after[p], after.step(p));
  return result;
}

constexpr Masks all_masks[] = {Masks::none, Masks::loads, Masks::all};

// Notes the time of its scope, also when it is left by a refusal.
class Timing {
 public:
  explicit Timing(double& longest) : longest_(longest) {}
  ~Timing() { longest_ = std::max(longest_, timer_.seconds()); }
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

 private:
  double& longest_;
  const CpuTimer timer_;
};

class Comparison {
 public:
  Comparison(const Program& program, Floats mode, const std::vector<std::string>& arguments)
      : mode_(mode), given_arguments_(arguments), given_(program), program_(program) {}

  Differential run(const Compiler& compiler) {
    if (!finish()) return result_;
    result_.finished = to_text(program_);
    versions_ = versions();
    const auto sizes = sizes_of(program_, Effort::compiled);
    if (compiler) compile(compiler);
    result_.by_machine = !machines_.empty();
    for (const Parameters& size : sizes) compare(size);
    for (const Parameters& size : sizes_beyond(program_))
      if (!is_refused(size)) compare(size, false);
    run_on_ranks();
    for (const Parameters& size : sizes_of(program_, Effort::accepted))
      for (const reference::Violation& v : reference::judge_schedule(program_, size))
        report(result_.illegal, size, reference::to_string(v));
    return result_;
  }

 private:
  void report(std::vector<std::string>& list, const Parameters& size, const std::string& what) {
    if (!what.empty() && list.size() < 10)
      list.push_back(fmt::format("{}, with {}", what, reference::to_string(size)));
  }

  // Half of the programs in the mode "exact", drawn by the program.
  void run_on_ranks() {
    const std::size_t drawn = std::hash<std::string>{}(result_.finished);
    if (mode_ != Floats::exact || drawn % 2 != 0) return;
    const auto arguments = given_arguments_.empty() ? arguments_of(given_) : given_arguments_;
    const OnRanks found = on_ranks(given_, arguments, drawn);
    result_.runs_on_ranks = found.runs;
    if (!found.fault.empty()) result_.mismatches.push_back("ranks: " + found.fault);
  }

  template <typename Call>
  auto timed(const Call& call) {
    const Timing timing(result_.seconds);
    return call();
  }

  bool finish() {
    const auto arguments = given_arguments_.empty() ? arguments_of(program_) : given_arguments_;
    try {
      const Program ready = timed([&] { return finished(program_, arguments, {}); });
      if (mode_ == Floats::exact) require_sums_in_order(ready, arguments, {});
      LowerOptions options{arguments, mode_, {"lower", {}}};
      kernels_.clear();
      for (const Masks masks : all_masks) {
        options.masks = masks;
        kernels_.push_back(timed([&] { return lower(ready, options); }));
      }
      kernel_ = kernels_.back();
      program_ = ready;
    } catch (const Error& e) {
      const auto without = without_given_copies(program_);
      if (without && may_refuse_copies(e.code())) {
        result_.copies_refused = strata::to_string(e.code());
        program_ = *without;
        return finish();
      }
      result_.not_compiled = strata::to_string(e.code());
      if (!may_refuse(e.code())) result_.mismatches.push_back(e.what());
      return false;
    }
    return result_.compiled = true;
  }

  // As for the machine at hand; a third of the programs also for one with fewer masks. Which is
  // drawn by the program, not by the stream that draws programs.
  void compile(const Compiler& compiler) {
    const std::size_t drawn = std::hash<std::string>{}(result_.finished) % 6;
    compile(compiler, kernels_.size() - 1);
    if (drawn + 1 < kernels_.size() && !runs_launch(kernel_.body)) compile(compiler, drawn);
  }

  void compile(const Compiler& compiler, std::size_t n) {
    try {
      if (const KernelRunner code = compiler(kernels_[n], program_, all_masks[n]))
        machines_.push_back(code);
    } catch (const Error& e) {
      result_.not_compiled = strata::to_string(e.code()) + " by the back end";
      if (!may_refuse(e.code()) && !is_limit_of_device(e)) result_.mismatches.push_back(e.what());
    }
  }

  // Commands do not know the kind of device: what only one kind cannot do is refused when the code
  // of a launch is generated, and the refusal says what to do.
  bool is_limit_of_device(const Error& e) const {
    return runs_launch(kernel_.body) && e.code() == Code::E0502_code_generation_failed &&
           !e.refusal().mend.empty();
  }

  // Does the kernel refuse these parameters, or correctly report an index out of range?
  bool is_refused(const Parameters& size) const {
    const Arrays inputs = reference::random_inputs(program_, size, 5);
    const Arrays before = reference::input_buffers(program_, size, inputs);
    const reference::TreeRun tree = reference::run_tree(kernel_, size, before);
    return tree.refused || (tree.failed && !is_defined(size, inputs));
  }

  bool is_defined(const Parameters& size, const Arrays& inputs) const {
    try {
      reference::run(program_, size, inputs);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  // Those for machines with all masks, and with fewer, where they differ.
  std::vector<Kernel> versions() const {
    std::vector<Kernel> all;
    std::set<std::string> texts;
    for (auto kernel = kernels_.rbegin(); kernel != kernels_.rend(); ++kernel)
      if (texts.insert(to_c_text(*kernel)).second)
        for (const Kernel& version : reference::versions(*kernel)) all.push_back(version);
    return all;
  }

  void compare(const Parameters& size, bool by_machine = true) {
    const Arrays inputs = reference::random_inputs(program_, size, 5);
    for (const std::string& d : reference::dataflow_differences(program_, size, inputs))
      report(result_.mismatches, size, "reads: " + d);
    reference::Instances idle;
    const Arrays values = reference::run(program_, size, inputs, {}, {}, &idle);
    Run run{size, reference::input_buffers(program_, size, inputs),
            reference::final_contents(program_, size, values)};
    for (const auto lanes :
         {RunOptions::Lanes::outer, RunOptions::Lanes::innermost, RunOptions::Lanes::mixed})
      for (const Kernel& version : versions_) compare_tree(version, run, {lanes, 7}, idle);
    if (!by_machine) return;
    for (const KernelRunner& machine : machines_) report(result_.mismatches, size, machine(run));
  }

  void compare_tree(const Kernel& version, const Run& run, const RunOptions& options,
                    const reference::Instances& idle) {
    const reference::TreeRun tree = reference::run_tree(version, run.size, run.before, options);
    std::vector<std::string> wrong = tree.findings;
    for (const auto& [name, found] : tree.buffers)
      if (run.expected.contains(name)) {
        const std::string text = difference(made(run.expected[name]), found, mode_);
        if (!text.empty()) wrong.push_back(name + text);
      }
    for (const std::string& d :
         reference::differences_from_theta(reference::with_initial_values(program_),
                                           *program_.algorithm, run.size, tree.trace, idle))
      wrong.push_back(d);
    if (tree.failed) wrong.push_back("an index is out of range");
    if (tree.refused) wrong.push_back("the parameters are refused");
    for (const std::string& text : wrong) report(result_.mismatches, run.size, "tree: " + text);
  }

  const Floats mode_;
  const std::vector<std::string> given_arguments_;
  const Program given_;
  Program program_;
  std::vector<Kernel> kernels_;  // for machines with all_masks
  Kernel kernel_;                // the last of them
  std::vector<KernelRunner> machines_;
  std::vector<Kernel> versions_;
  Differential result_;
};

}  // namespace

double float_bound(Type type) { return 4000 * reference::epsilon(type); }

std::string difference(const Array& expected, const Array& actual, Floats mode) {
  if (mode == Floats::exact || !is_float(expected.type()))
    return reference::first_difference(expected, actual);
  const double bound = float_bound(expected.type());
  return reference::first_beyond(expected, actual, [&](const reference::Point& p) {
    return expected.defined(p) ? bound * std::abs(expected.real(p)) : 0;
  });
}

std::vector<std::string> arguments_of(const Program& program) {
  std::vector<std::string> arguments;
  const auto add = [&](const std::string& name) {
    if (!program.algorithm->is_scalar(name) &&
        std::find(arguments.begin(), arguments.end(), name) == arguments.end())
      arguments.push_back(name);
  };
  for (const InputArray& input : program.algorithm->inputs) add(input.name);
  bool known = false;
  for (const LayoutBuffer& b : program.layout.buffers) {
    if (b.role != BufferRole::temporary) add(b.name);
    known = known || b.role == BufferRole::output;
  }
  if (known) return arguments;
  for (const Definition& d : program.algorithm->definitions) {
    const std::string buffer = buffer_of(program.layout, d.array);
    const LayoutBuffer* given = program.layout.find(buffer);
    const bool placed = given && given->memory != Memory::automatic;
    if (!placed && allocating_loops(program.mapping, buffer).empty()) add(buffer);
  }
  return arguments;
}

std::string difference_of_values(const Program& before, const Program& after) {
  if (before.algorithm == after.algorithm) return "";
  for (const Parameters& size : sizes_of(after, Effort::compiled)) {
    const Arrays inputs = reference::random_inputs(before, size, 5);
    const Arrays expected = reference::run(before, size, inputs),
                 found = reference::run(after, size, inputs);
    for (const auto& [name, array] : expected) {
      if (!found.contains(name)) continue;
      const std::string wrong = difference(array, found[name], Floats::fast);
      if (!wrong.empty())
        return fmt::format("the commands change {}{}, with {}", name, wrong,
                           reference::to_string(size));
    }
  }
  return "";
}

Differential differential(const Program& program, Floats mode, const Compiler& compiler,
                          const std::vector<std::string>& arguments) {
  return Comparison(program, mode, arguments).run(compiler);
}

}  // namespace strata::fuzz
