// Times kernels. Two run in turn, so that other work on the machine counts for both.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/jit_kernel.h"
#include "tuning/arrays.h"
#include "tuning/record.h"

namespace strata::tuning {

// A kernel with the arguments of its calls. Each sample starts with the same contents of arrays
// that the kernel reads and writes.
class TimedKernel {
 public:
  TimedKernel(const JitKernel& kernel, const CallArguments& arguments,
              const std::vector<ArgumentBuffer>& buffers);

  // The seconds of one call, by the wall clock and by this thread's processor time.
  struct Sample {
    double wall, processor;
  };
  Sample sample(int calls);
  int code() const { return code_; }  // of the last call

 private:
  const JitKernel& kernel_;
  const CallArguments& arguments_;
  std::vector<std::pair<Memory, std::string>> updated_;
  int code_ = 0;
};

struct Race {
  Times times, other;
  int samples = 0;   // of each kernel
  int repeated = 0;  // samples disturbed by other work on the machine
};

// Calls both kernels, or one alone, until it is clear which is faster, but for at most a second and
// two calls. Calls "called" after each sample. With one thread, a sample is repeated a few times if
// its wall time is clearly more than its processor time.
Race raced(TimedKernel& kernel, TimedKernel* other, int threads,
           const std::function<void()>& called);

}  // namespace strata::tuning
