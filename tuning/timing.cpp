#include "tuning/timing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>

namespace strata::tuning {

namespace {

constexpr double longest = 1, shortest_sample = 2e-4;  // seconds
constexpr std::size_t fewest = 3, most = 100;          // samples
constexpr int most_repeats = 3;                        // of a sample

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double minimum(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::int64_t in_nanoseconds(double seconds) {
  return std::max<std::int64_t>(std::llround(1e9 * seconds), 1);
}

Times times_of_samples(const std::vector<double>& samples) {
  if (samples.empty()) return {};
  return {in_nanoseconds(minimum(samples)), in_nanoseconds(median(samples))};
}

bool is_disturbed(const TimedKernel::Sample& sample, int calls) {
  return sample.wall > 1.1 * sample.processor + 2e-5 / calls;
}

// Is one faster by more than 3 %, even if its median is compared with the other's minimum?
bool is_clear(const std::vector<double>& a, const std::vector<double>& b) {
  return 1.03 * median(a) < minimum(b) || 1.03 * median(b) < minimum(a);
}

class Runner {
 public:
  Runner(TimedKernel& kernel, int threads, const std::function<void()>& called)
      : kernel_(kernel), threads_(threads), called_(called) {
    const double once = kernel_.sample(1).wall;
    called_();
    calls_ = int(std::clamp(shortest_sample / std::max(once, 1e-9), 1.0, 1000.0));
  }

  void add_sample() {
    TimedKernel::Sample sample = one_sample();
    for (int n = 0; n < most_repeats && threads_ == 1 && is_disturbed(sample, calls_); ++n) {
      ++repeated_;
      sample = one_sample();
    }
    samples_.push_back(sample.wall);
  }

  const std::vector<double>& samples() const { return samples_; }
  int repeated() const { return repeated_; }

 private:
  TimedKernel::Sample one_sample() {
    const TimedKernel::Sample sample = kernel_.sample(calls_);
    called_();
    return sample;
  }

  TimedKernel& kernel_;
  const int threads_;
  const std::function<void()>& called_;
  int calls_ = 1, repeated_ = 0;
  std::vector<double> samples_;
};

}  // namespace

TimedKernel::TimedKernel(const JitKernel& kernel, const CallArguments& arguments,
                         const std::vector<ArgumentBuffer>& buffers)
    : kernel_(kernel), arguments_(arguments) {
  for (std::size_t n = 0; n < buffers.size(); ++n) {
    if (buffers[n].access != Access::read_and_written) continue;
    const Memory memory = memory_of(arguments.buffer(n));
    updated_.emplace_back(memory,
                          std::string(reinterpret_cast<const char*>(memory.begin), memory.bytes));
  }
}

TimedKernel::Sample TimedKernel::sample(int calls) {
  for (const auto& [memory, bytes] : updated_)
    std::memcpy(memory.begin, bytes.data(), memory.bytes);
  const double wall = seconds_of(CLOCK_MONOTONIC), processor = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  for (int n = 0; n < calls; ++n)
    code_ = kernel_.call(arguments_.parameters(), arguments_.scalars(), arguments_.buffers());
  return {(seconds_of(CLOCK_MONOTONIC) - wall) / calls,
          (seconds_of(CLOCK_THREAD_CPUTIME_ID) - processor) / calls};
}

Race raced(TimedKernel& kernel, TimedKernel* other, int threads,
           const std::function<void()>& called) {
  std::optional<Runner> beside;
  if (other) beside.emplace(*other, threads, called);
  Runner runner(kernel, threads, called);
  const double start = seconds_of(CLOCK_MONOTONIC);
  do {
    if (beside) beside->add_sample();
    runner.add_sample();
    if (!beside || runner.samples().size() < fewest) continue;
    if (is_clear(runner.samples(), beside->samples())) break;
  } while (runner.samples().size() < most && seconds_of(CLOCK_MONOTONIC) - start < longest);
  Race race{
      times_of_samples(runner.samples()), {}, int(runner.samples().size()), runner.repeated()};
  if (!beside) return race;
  race.other = times_of_samples(beside->samples());
  race.repeated += beside->repeated();
  return race;
}

}  // namespace strata::tuning
