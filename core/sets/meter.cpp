#include "core/sets/meter.h"

#include <isl/val.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

namespace strata {

namespace {

// With so many operations in one call each costs twice as much as in a short one.
double operations_until_double(double weight) {
  constexpr double at_weight_1 = 1 << 24;
  return at_weight_1 / (weight * weight);
}

double weight_of(const IslOperands& operands) {
  return 0.4 * (4 + std::sqrt(operands.tableau.rows * operands.tableau.columns));
}

double work_of(double operations, double weight) {
  return weight * operations * (1 + operations / operations_until_double(weight));
}

// The inverse of work_of.
double operations_of(double work, double weight) {
  const double until_double = operations_until_double(weight), half = until_double / 2;
  return std::sqrt(half * half + until_double * work / weight) - half;
}

// The net below the budget: seconds of CPU of one question.
double most_seconds() {
  static const double seconds = [] {
    const char* const text = std::getenv("STRATA_SECONDS");
    const double given = text ? std::atof(text) : 0;
    return given > 0 ? given : 60;
  }();
  return seconds;
}

double seconds_of_thread() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

thread_local Meter* running = nullptr;
thread_local double times_as_costly = 1;

}  // namespace

Meter::Meter(isl_ctx* ctx, double limit)
    : ctx_(ctx), around_(running), limit_(limit), end_(seconds_of_thread() + most_seconds()) {
  if (around_) {
    limit_ = std::min(limit_, around_->left());
    end_ = around_->end_;
  }
  running = this;
  restart();
}

Meter::~Meter() {
  settle();
  running = around_;
  isl_ctx_reset_error(ctx_);
  isl_ctx_reset_operations(ctx_);
  isl_ctx_set_max_operations(ctx_, 0);
  if (!around_) return;
  around_->spent_ += spent_;
  around_->restart();
}

Meter* Meter::of(isl_ctx* ctx) { return running && running->ctx_ == ctx ? running : nullptr; }

double Meter::left() {
  settle();
  restart();
  return std::max(0.0, limit_ - spent_);
}

bool Meter::is_exhausted() {
  settle();
  restart();
  return exhausted_;
}

void Meter::begin(const IslOperands& operands) {
  settle();
  const double weight = weight_of(operands);
  spent_ += times_as_costly * weight * (operands.pairs - 1);
  if (++calls_ % 64 == 0 && seconds_of_thread() > end_) spent_ = limit_;
  weight_ = depth_++ > 0 ? std::max(weight_, weight) : weight;
  times_ = times_as_costly;
  restart();
}

// The call is charged when the next one begins: to settle here would take away isl's message if the
// call has failed.
void Meter::end() { --depth_; }

// Adds what isl has counted since the last restart, which must follow.
void Meter::settle() {
  if (exhausted_) return;
  const auto count = operations();
  if (count >= most_) {
    exhaust();
    return;
  }
  spent_ += times_ * work_of(double(count), weight_);
}

void Meter::restart() {
  if (exhausted_ || spent_ >= limit_) {
    exhaust();
    return;
  }
  const double left = operations_of((limit_ - spent_) / times_, weight_);
  most_ = std::max(1UL, static_cast<unsigned long>(left));
  isl_ctx_reset_operations(ctx_);
  isl_ctx_set_max_operations(ctx_, most_);
}

// Lets all further operations fail.
void Meter::exhaust() {
  exhausted_ = true;
  spent_ = std::max(spent_, limit_);
  isl_ctx_reset_operations(ctx_);
  isl_ctx_set_max_operations(ctx_, 1);
  isl_val_free(isl_val_zero(ctx_));
}

// Has isl counted that many operations?  It does not tell, but fails at its limit.
bool Meter::reaches(unsigned long operations) const {
  isl_ctx_set_max_operations(ctx_, operations);
  isl_val* probe = isl_val_zero(ctx_);
  isl_val_free(probe);
  return probe == nullptr;
}

// What isl has counted, or a little more.
unsigned long Meter::operations() const {
  if (reaches(most_)) return most_;
  unsigned long above = 8;
  while (above < most_ && reaches(above)) above *= 2;
  unsigned long below = above / 2;
  for (int step = 0; step < 4 && above > 8; ++step) {
    const unsigned long middle = below + (above - below) / 2;
    (reaches(middle) ? below : above) = middle;
  }
  isl_ctx_reset_error(ctx_);
  return std::min(above, most_ - 1);
}

Costlier::Costlier(double times) : around_(times_as_costly) { times_as_costly *= times; }

Costlier::~Costlier() { times_as_costly = around_; }

void begin_metered(const IslOperands& operands) {
  if (running) running->begin(operands);
}

void end_metered() {
  if (running) running->end();
}

}  // namespace strata
