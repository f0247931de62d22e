#include "core/stage.h"

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <string_view>
#include <utility>

namespace strata {

namespace {

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

long fuel_given() {
  const char* value = std::getenv("STRATA_FUEL");
  return value && *value ? std::strtol(value, nullptr, 10) : std::numeric_limits<long>::max();
}

}  // namespace

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

bool stages_are_watched() {
  return is_set("STRATA_DUMP") || is_set("STRATA_VERIFY") || std::getenv("STRATA_FUEL");
}

CpuTimer::CpuTimer() : start_(cpu_seconds()) {}

double CpuTimer::seconds() const { return cpu_seconds() - start_; }

void CpuTimer::report(const std::string& kernel, const std::string& what) const {
  report_time(kernel, what, seconds());
}

void report_time(const std::string& kernel, const std::string& what, double seconds) {
  if (is_set("STRATA_TIME"))
    std::cerr << kernel << ": CPU " << 1e3 * seconds << " ms: " << what << "\n";
}

double seconds_of(const StageTimes& times, const std::string& part) {
  double sum = 0;
  for (const StageTime& time : times)
    if (time.part == part) sum += time.seconds;
  return sum;
}

StageRun::StageRun(std::string kernel) : kernel_(std::move(kernel)), fuel_(fuel_given()) {}

void StageRun::timed(const std::string& part, const std::string& stage,
                     const std::function<void()>& work) {
  const double before = std::exchange(inside_, 0);
  const CpuTimer timer;
  work();
  const double all = timer.seconds(), own = all - inside_;
  inside_ = before + all;
  times_.push_back({part, stage, own});
  report_time(kernel_, part + ": " + stage, own);
}

bool StageRun::take_fuel() { return fuel_ > 0 && fuel_-- > 0; }

bool StageRun::is_dumped(const std::string& stage) const {
  const char* wanted = std::getenv("STRATA_DUMP");
  return wanted && (stage == wanted || std::string_view(wanted) == "all");
}

std::ostream& StageRun::heading(const std::string& stage) const {
  return std::cerr << "// " << kernel_ << " after " << stage << "\n";
}

}  // namespace strata
