#include "tuning/trial.h"

#include <strata/runtime.h>

#include <algorithm>
#include <new>

#include "core/record.h"
#include "driver/in_process.h"
#include "tuning/hooks.h"
#include "tuning/timing.h"

namespace strata::tuning {

namespace {

using KernelPtr = std::shared_ptr<const JitKernel>;

KernelPtr kernel_made(const Subject& subject, const Program& program, Floats floats) {
  CompilationUnit unit{program};
  unit.code_limit = subject.code_limit;
  CodegenOptions options = subject.codegen;
  options.floats = floats;
  StageRun stages(program.name);
  return kernel_in_process(unit, subject.names, options, stages, subject.where);
}

int call(const JitKernel& kernel, const CallArguments& arguments) {
  return kernel.call(arguments.parameters(), arguments.scalars(), arguments.buffers());
}

std::string failure_text(int code) {
  return "the kernel returns " + std::to_string(code) + ", " + strata_last_error();
}

bool is_written(const Subject& subject, std::size_t n) {
  return subject.arguments.kernel.buffers[n].access != Access::read;
}

// The arrays that a call wrote, as bytes.
std::vector<std::string> arrays_written(const Subject& subject, const CallArguments& arguments) {
  std::vector<std::string> arrays;
  for (std::size_t n = 0; n < subject.names.size(); ++n) {
    const Memory memory = memory_of(arguments.buffer(n));
    arrays.emplace_back();
    if (is_written(subject, n))
      arrays.back().assign(reinterpret_cast<const char*>(memory.begin), memory.bytes);
  }
  return arrays;
}

// The contents of all arrays of a call.
class Contents {
 public:
  Contents(const Subject& subject, const CallArguments& arguments)
      : subject_(subject), arguments_(arguments) {
    for (std::size_t n = 0; n < subject.names.size(); ++n) {
      const Memory memory = memory_of(arguments.buffer(n));
      arrays_.emplace_back(memory.begin, memory.begin + memory.bytes);
    }
  }
  void restore_nudged() const {
    for (std::size_t n = 0; n < arrays_.size(); ++n) {
      const Memory memory = memory_of(arguments_.buffer(n));
      std::copy(arrays_[n].begin(), arrays_[n].end(), memory.begin);
      nudge(subject_.arguments.kernel.buffers[n].type, memory);
    }
  }

 private:
  const Subject& subject_;
  const CallArguments& arguments_;
  std::vector<std::vector<std::uint8_t>> arrays_;
};

// Empty if the results are right.
std::string wrong_result(const Subject& subject, const Comparison& comparison) {
  const bool exact = subject.codegen.floats == Floats::exact;
  for (std::size_t n = 0; n < subject.names.size(); ++n) {
    if (!is_written(subject, n)) continue;
    const std::string text = difference(subject.arguments.kernel.buffers[n].type,
                                        memory_of(comparison.arguments.buffer(n)),
                                        comparison.expected[n], exact, comparison.rounding[n]);
    if (!text.empty()) return subject.names[n] + ": " + text;
  }
  return "";
}

// False if a comparison fails. Then this has sent a message that says why.
bool are_results_right(const Subject& subject, const JitKernel& kernel, std::size_t number,
                       const Sender& sender) {
  for (const Comparison& comparison : subject.comparisons) {
    const int code = call(kernel, comparison.arguments);
    if (hooks().called) hooks().called(number, comparison.arguments.buffers());
    if (code != 0) {
      sender.send(failed, failure_text(code));
      return false;
    }
    const std::string text = wrong_result(subject, comparison);
    if (!text.empty()) {
      sender.send(wrong, text);
      return false;
    }
    sender.send(compared);
  }
  return true;
}

// The kernel of the other candidate. Sends its machine code only if it had to be compiled.
KernelPtr kernel_of_other(const Subject& subject, const Competitor& other, const Sender& sender) {
  if (auto saved = JitKernel::find_saved(other.saved, subject.codegen.functions)) {
    sender.send(ready);
    return std::make_shared<const JitKernel>(*std::move(saved));
  }
  const KernelPtr kernel = kernel_made(subject, other.program, subject.codegen.floats);
  sender.send(ready, kernel->saved());
  return kernel;
}

void time_kernels(const Subject& subject, const JitKernel& kernel, const JitKernel* other,
                  const Sender& sender) {
  TimedKernel timed(kernel, *subject.timed, subject.arguments.kernel.buffers);
  std::optional<TimedKernel> beside;
  if (other) beside.emplace(*other, *subject.timed, subject.arguments.kernel.buffers);
  const Race race =
      raced(timed, beside ? &*beside : nullptr, subject.threads, [&] { sender.send(called); });
  if (timed.code() != 0) {
    sender.send(failed, failure_text(timed.code()));
    return;
  }
  std::vector<std::string> numbers;
  for (const std::int64_t number :
       {race.times.minimum, race.times.median, race.other.minimum, race.other.median,
        std::int64_t(race.samples), std::int64_t(race.repeated)})
    numbers.push_back(std::to_string(number));
  sender.send(measured, recorded(numbers));
}

// Runs "act". If it throws, sends the reason.
template <typename Act>
void told_failures(const Sender& sender, Act act) {
  try {
    act();
  } catch (const Error& e) {
    sender.send(refused, to_string(e.code()) + ", " + e.refusal().explanation);
  } catch (const std::bad_alloc&) {
    sender.send(no_memory);
  } catch (const std::exception& e) {
    sender.send(failed, e.what());
  }
}

// The arrays that a call with nudged inputs writes; the caller's arrays are not nudged.
std::vector<std::string> after_nudge(const Subject& subject, const JitKernel& kernel,
                                     const CallArguments& arguments, const Contents& before) {
  if (!arguments.are_given()) {
    before.restore_nudged();
    call(kernel, arguments);
  }
  return arrays_written(subject, arguments);
}

KernelPtr exact_kernel(const Subject& subject, const Program& program) {
  try {
    return kernel_made(subject, program, Floats::exact);
  } catch (const Error&) {  // a command has changed the order of a sum
    return kernel_made(subject, program, subject.codegen.floats);
  }
}

}  // namespace

void find_expected(const Subject& subject, const Program& program, const Sender& sender) {
  told_failures(sender, [&] {
    strata_set_number_of_threads(subject.threads);
    const KernelPtr kernel = exact_kernel(subject, program);
    sender.send(compiled);
    for (const Comparison& comparison : subject.comparisons) {
      const Contents before(subject, comparison.arguments);
      const int code = call(*kernel, comparison.arguments);
      if (code != 0) {
        sender.send(not_compared, failure_text(code));
        continue;
      }
      const auto arrays = arrays_written(subject, comparison.arguments);
      sender.send(
          compared,
          recorded({recorded(arrays),
                    recorded(after_nudge(subject, *kernel, comparison.arguments, before))}));
    }
  });
}

void try_candidate(const Subject& subject, const Program& program, std::size_t number,
                   const Competitor* beside, const Sender& sender) {
  told_failures(sender, [&] {
    strata_set_number_of_threads(subject.threads);
    const KernelPtr kernel = kernel_made(subject, program, subject.codegen.floats);
    sender.send(compiled, kernel->saved());
    if (!are_results_right(subject, *kernel, number, sender)) return;
    const KernelPtr other = beside ? kernel_of_other(subject, *beside, sender) : nullptr;
    time_kernels(subject, *kernel, other.get(), sender);
  });
}

}  // namespace strata::tuning
